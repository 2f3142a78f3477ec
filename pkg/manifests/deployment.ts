import type { Deployment } from '#kube';
import { labelsOf, selectorOf, type PlaneIdentity, type Program } from './plane-identity.ts';
import type { PodTemplate } from './pod-template.ts';

/** A Deployment of one of the stateless programs. */
export interface DeploymentInput {
  readonly name: string;
  readonly identity: PlaneIdentity;
  readonly program: Program;
  readonly replicas: number;
  readonly template: PodTemplate;
}

/** Old ReplicaSets to keep: the spec is in our own objects, these serve only to look back. */
const revisionHistoryLimit = 2;

/** A Deployment that replaces its pods one by one, the new one first, spread over nodes where there are several. */
export function deployment({ name, identity, program, replicas, template }: DeploymentInput): Deployment {
  const { namespace } = identity;
  const selector = { matchLabels: selectorOf(identity.base, program) };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace, labels: labelsOf(identity, program) },
    spec: {
      replicas,
      revisionHistoryLimit,
      selector,
      // The old pod leaves only when the new one serves, so that one replica can be replaced without an outage.
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
      template: { ...template, spec: { ...template.spec, ...spreadOver(selector) } },
    },
  };
}

/** Replicas go to different nodes where possible. `matchLabelKeys` counts the pods of one revision only. */
function spreadOver(labelSelector: { readonly matchLabels: Readonly<Record<string, string>> }) {
  return {
    topologySpreadConstraints: [
      {
        maxSkew: 1,
        topologyKey: 'kubernetes.io/hostname',
        whenUnsatisfiable: 'ScheduleAnyway',
        labelSelector,
        matchLabelKeys: ['pod-template-hash'],
      },
    ],
  };
}
