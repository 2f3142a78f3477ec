import type { V1Container, V1ObjectMeta, V1PodSpec, V1Volume } from '@kubernetes/client-node';
import { configHashAnnotation } from '#apis';
import type { Raw } from '#kube';
import type { ComponentSettings } from './component-settings.ts';

/** The Kubernetes version that a pod belongs to; not part of any selector. */
export const versionLabel = 'app.kubernetes.io/version';

/** No user of the images and none of a usual node: `nonroot`, as the distroless images call it. */
const userId = 65532;

type Container = Raw<V1Container>;

/** A pod template, complete. */
export interface PodTemplate {
  readonly metadata: Raw<V1ObjectMeta>;
  readonly spec: Raw<V1PodSpec>;
}

/** What a component's pods are made from. */
export interface PodTemplateInput {
  readonly labels: Readonly<Record<string, string>>;
  /** The tenant's Kubernetes version. */
  readonly version: string;
  /** Hash of the certificates and settings that pods read at start: another one replaces the pods. */
  readonly configHash: string;
  readonly settings: ComponentSettings;
  /** The program's container, without what every container here gets. */
  readonly container: Omit<Container, 'securityContext' | 'resources' | 'terminationMessagePolicy'>;
  /** Requests where the user gave no resources. No limits: a throttled or killed control plane helps nobody. */
  readonly requests: Readonly<Record<'cpu' | 'memory', string>>;
  /** Capabilities to keep; all others are dropped. */
  readonly capabilities?: readonly string[];
  readonly volumes: readonly Raw<V1Volume>[];
  /** Further fields of the pod. */
  readonly pod?: Pick<Raw<V1PodSpec>, 'terminationGracePeriodSeconds'>;
}

/**
 * A pod template that passes Pod Security `restricted` (Pod Security Standards, v1.36): not root, no token of the super
 * cluster, a read-only root file system, no capability but the ones named, the runtime's seccomp profile.
 */
export function podTemplate(input: PodTemplateInput): PodTemplate {
  const { labels, version, configHash, settings, volumes, pod } = input;
  return {
    metadata: {
      labels: { ...labels, [versionLabel]: version },
      annotations: { [configHashAnnotation]: configHash },
    },
    spec: {
      ...placementOf(settings),
      ...pod,
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      securityContext: {
        runAsNonRoot: true,
        runAsUser: userId,
        runAsGroup: userId,
        // Secret files and fresh volumes are the group's; without it a user that is not root could not read or write.
        fsGroup: userId,
        fsGroupChangePolicy: 'OnRootMismatch',
        seccompProfile: { type: 'RuntimeDefault' },
      },
      containers: [hardened(input)],
      volumes,
    },
  };
}

function hardened({ container, settings, requests, capabilities = [] }: PodTemplateInput): Container {
  const { env = [] } = container;
  // The API server drops an empty value, so it is left out from the start.
  const extraEnv = (settings.extraEnv ?? []).map(({ name, value }) => (value === '' ? { name } : { name, value }));
  const allEnv = [...env, ...extraEnv];
  return {
    ...container,
    ...(allEnv.length > 0 ? { env: allEnv } : {}),
    resources: settings.resources ?? { requests },
    // The end of the log becomes the message of a container that crashed, and so of our conditions.
    terminationMessagePolicy: 'FallbackToLogsOnError',
    securityContext: {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'], ...(capabilities.length > 0 ? { add: capabilities } : {}) },
    },
  };
}

function placementOf({ placement = {}, imagePullSecrets = [] }: ComponentSettings) {
  const { nodeSelector, tolerations, affinity, priorityClassName } = placement;
  return {
    ...(imagePullSecrets.length > 0 ? { imagePullSecrets } : {}),
    ...(nodeSelector === undefined ? {} : { nodeSelector }),
    ...(tolerations === undefined ? {} : { tolerations }),
    ...(affinity === undefined ? {} : { affinity }),
    ...(priorityClassName === undefined ? {} : { priorityClassName }),
  };
}
