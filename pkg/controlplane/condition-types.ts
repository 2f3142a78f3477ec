/** What a type of condition says, and of which kinds. */
interface ConditionTypeRow {
  /** Kinds of ours that carry it. */
  readonly kinds: readonly ConditionedKind[];
  /** What status `True` means. */
  readonly whenTrue: string;
}

type ConditionedKind = 'NestedControlPlane' | 'NestedEtcd' | 'NestedAPIServer' | 'NestedControllerManager';

/**
 * Every type of condition that our controllers write. `docs/reference/conditions.md` is generated from this table;
 * the reasons are in `condition-reasons.ts`.
 */
export const conditionTypes = {
  Available: {
    kinds: ['NestedControlPlane'],
    whenTrue: 'The control plane serves: every step of the bring-up is done and all components are healthy.',
  },
  CertificatesAvailable: {
    kinds: ['NestedControlPlane'],
    whenTrue: 'All certificate authorities of the tenant are there and sound.',
  },
  EndpointAvailable: {
    kinds: ['NestedControlPlane'],
    whenTrue: 'The Service address and range are claimed, and `spec.controlPlaneEndpoint` is final.',
  },
  EtcdClusterHealthy: { kinds: ['NestedControlPlane'], whenTrue: 'The NestedEtcd is Ready.' },
  APIServerHealthy: { kinds: ['NestedControlPlane'], whenTrue: 'The NestedAPIServer is Ready.' },
  ControllerManagerHealthy: { kinds: ['NestedControlPlane'], whenTrue: 'The NestedControllerManager is Ready.' },
  ControlPlaneComponentsHealthy: { kinds: ['NestedControlPlane'], whenTrue: 'All three components are Ready.' },
  RollingOut: {
    kinds: ['NestedControlPlane'],
    whenTrue: 'Pods that serve are being replaced by ones of a new specification. The first bring-up is no rollout.',
  },
  Paused: {
    kinds: ['NestedControlPlane'],
    whenTrue: 'Nothing is touched: the object, or the Cluster that owns it, is paused.',
  },
  Deleting: {
    kinds: ['NestedControlPlane'],
    whenTrue: 'The control plane is being taken down; the message says what is left.',
  },
  Ready: {
    kinds: ['NestedEtcd', 'NestedAPIServer', 'NestedControllerManager'],
    whenTrue: 'The component serves, all its pods with the specification of `status.observedGeneration`.',
  },
} as const satisfies Record<string, ConditionTypeRow>;

export type ConditionType = keyof typeof conditionTypes;
