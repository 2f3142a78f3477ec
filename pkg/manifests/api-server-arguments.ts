import type { NestedAPIServer } from '#apis';
import { renderArguments } from './arguments.ts';

/** The port that kube-apiserver listens on. */
export const apiServerPort = 6443;

/**
 * Seconds that a server goes on serving after it was told to stop, while it calls itself not ready: proxies and load
 * balancers take that long to hear of it. Short, because a deleted control plane waits for it too.
 */
export const shutdownDelaySeconds = 5;

/** Where things are in the container. */
export const paths = { pki: '/etc/kubernetes/pki' } as const;

/** Issuer of ServiceAccount tokens: the name that pods of every cluster with the usual DNS domain expect. */
const serviceAccountIssuer = 'https://kubernetes.default.svc.cluster.local';

const pki = (file: string) => `${paths.pki}/${file}`;

/** kube-apiserver's command line. */
export function apiServerArguments({ spec }: NestedAPIServer): readonly string[] {
  const own = {
    ...addressArguments(spec),
    ...servingArguments(),
    ...etcdArguments(spec),
    ...outgoingArguments(),
    ...accessArguments(),
    'shutdown-delay-duration': `${shutdownDelaySeconds}s`,
  };
  return renderArguments(own, spec.extraArgs);
}

function addressArguments({ serviceCIDR }: NestedAPIServer['spec']) {
  return {
    // Each replica its own address, and a lease for each: when one goes, the others' endpoints stay.
    'advertise-address': '$(POD_IP)',
    'endpoint-reconciler-type': 'lease',
    'secure-port': String(apiServerPort),
    'service-cluster-ip-range': serviceCIDR,
  };
}

function servingArguments() {
  return {
    'client-ca-file': pki('ca/ca.crt'),
    'tls-cert-file': pki('serving/tls.crt'),
    'tls-private-key-file': pki('serving/tls.key'),
  };
}

function etcdArguments({ etcd }: NestedAPIServer['spec']) {
  return {
    'etcd-servers': etcd.endpoints.join(','),
    'etcd-cafile': pki('etcd-client/ca.crt'),
    'etcd-certfile': pki('etcd-client/tls.crt'),
    'etcd-keyfile': pki('etcd-client/tls.key'),
  };
}

/** As a client of kubelets (the gateway) and of aggregated API servers. */
function outgoingArguments() {
  return {
    'kubelet-certificate-authority': pki('kubelet-client/ca.crt'),
    'kubelet-client-certificate': pki('kubelet-client/tls.crt'),
    'kubelet-client-key': pki('kubelet-client/tls.key'),
    // The names of super's nodes cannot be looked up by a tenant's API server.
    'kubelet-preferred-address-types': 'InternalIP',
    'proxy-client-cert-file': pki('front-proxy-client/tls.crt'),
    'proxy-client-key-file': pki('front-proxy-client/tls.key'),
    'requestheader-allowed-names': 'front-proxy-client',
    'requestheader-client-ca-file': pki('front-proxy-ca/ca.crt'),
    'requestheader-extra-headers-prefix': 'X-Remote-Extra-',
    'requestheader-group-headers': 'X-Remote-Group',
    'requestheader-username-headers': 'X-Remote-User',
  };
}

function accessArguments() {
  return {
    // What runs is decided by policy where pods are copied to super; the tenant's API accepts all that Kubernetes does.
    'allow-privileged': 'true',
    'authorization-mode': 'Node,RBAC',
    'enable-admission-plugins': 'NodeRestriction',
    'service-account-issuer': serviceAccountIssuer,
    'service-account-key-file': pki('service-account/tls.crt'),
    'service-account-signing-key-file': pki('service-account/tls.key'),
  };
}
