import { componentLabel, instanceLabel, type ControlPlaneNames } from '#apis';

/** Who a control plane is: what its objects' names and labels derive from. */
export interface PlaneIdentity {
  readonly namespace: string;
  /** The name that all others derive from. */
  readonly base: string;
  /** UID of the NestedControlPlane. */
  readonly uid: string;
  readonly names: ControlPlaneNames;
  /** On every object of the control plane. */
  readonly labels: Readonly<Record<string, string>>;
}

/** The programs of a control plane, under the names that their images and labels carry. */
export type Program = 'etcd' | 'kube-apiserver' | 'kube-controller-manager';

/** Labels of a component's objects and pods. */
export function labelsOf(identity: PlaneIdentity, program: Program): Readonly<Record<string, string>> {
  return { ...identity.labels, ...selectorOf(identity.base, program) };
}

/**
 * The labels that select a component's pods: only such as never change, because a workload's selector cannot be
 * changed, and unique in a namespace.
 */
export function selectorOf(base: string, program: Program): Readonly<Record<string, string>> {
  return { [instanceLabel]: base, [componentLabel]: program };
}
