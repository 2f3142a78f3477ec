import { controlPlaneUidLabel, providerLabel, systemNamespace } from '#apis';
import type { NetworkPolicy } from '#kube';
import { labelsOf, selectorOf, type PlaneIdentity, type Program } from './plane-identity.ts';

interface Selector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly { readonly key: string; readonly operator: string }[];
}

/** Who is on the other side of a connection. */
export interface Peer {
  readonly podSelector?: Selector;
  readonly namespaceSelector?: Selector;
  readonly ipBlock?: { readonly cidr: string };
}

interface Port {
  readonly port: number;
  readonly protocol: 'TCP' | 'UDP';
}

/** Connections that may come in: from these peers, or from anywhere if none are named. */
export interface IngressRule {
  readonly from?: readonly Peer[];
  readonly ports: readonly Port[];
}

/** Connections that may go out. Peers are always named; without ports, all ports. */
export interface EgressRule {
  readonly to: readonly Peer[];
  readonly ports?: readonly Port[];
}

/** The policy of one component. */
export interface NetworkPolicyInput {
  readonly name: string;
  readonly identity: PlaneIdentity;
  readonly program: Program;
  readonly ingress: readonly IngressRule[];
  readonly egress: readonly EgressRule[];
}

/**
 * A policy for a component's pods in which everything is closed that is not named. Peers are pods, by label, so
 * neither the super cluster's API server nor a cloud's metadata service is ever one. Policies add up: to open more (an
 * OIDC issuer for the API server, say), make another NetworkPolicy that selects the same pods.
 */
export function networkPolicy(input: NetworkPolicyInput): NetworkPolicy {
  const { name, identity, program, ingress, egress } = input;
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name, namespace: identity.namespace, labels: labelsOf(identity, program) },
    spec: {
      podSelector: { matchLabels: selectorOf(identity.base, program) },
      policyTypes: ['Ingress', 'Egress'],
      ingress,
      egress,
    },
  };
}

/** TCP ports. */
export function tcp(...ports: readonly number[]): readonly Port[] {
  return ports.map((port) => ({ port, protocol: 'TCP' }));
}

/** Pods of one component of the same control plane. */
export function componentPods({ base }: PlaneIdentity, program: Program): Peer {
  return { podSelector: { matchLabels: selectorOf(base, program) } };
}

/** Everything in the provider's namespace: manager, syncer, gateway. */
export function providerPods(namespace: string = systemNamespace): Peer {
  return { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } } };
}

/** The namespaces in super that hold one tenant's pods. */
export function tenantPods({ uid }: PlaneIdentity): Peer {
  return { namespaceSelector: { matchLabels: { [controlPlaneUidLabel]: uid } } };
}

/** Cluster API's own controllers, which read a Cluster's nodes through its kubeconfig (label set by clusterctl). */
export const clusterApiPods: Peer = {
  namespaceSelector: { matchExpressions: [{ key: providerLabel, operator: 'Exists' }] },
};

/** Where NodeLocal DNSCache listens on every node that has it; not a metadata address. */
const nodeLocalDns = '169.254.20.10/32';

/** Name resolution: DNS pods of the super cluster, wherever they are, and the cache on the node. */
export const dns: EgressRule = {
  to: [{ namespaceSelector: {} }, { ipBlock: { cidr: nodeLocalDns } }],
  ports: [
    { port: 53, protocol: 'UDP' },
    { port: 53, protocol: 'TCP' },
  ],
};
