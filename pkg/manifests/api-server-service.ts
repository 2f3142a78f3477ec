import { componentLabel } from '#apis';
import type { Service } from '#kube';
import { apiServerPort } from './api-server-arguments.ts';
import { selectorOf } from './plane-identity.ts';

/** The Service in front of a tenant's API server. */
export interface APIServerServiceInput {
  readonly name: string;
  readonly namespace: string;
  readonly labels: Readonly<Record<string, string>>;
  /** The control plane's base name. */
  readonly instance: string;
  /** `ClusterIP`, `NodePort` or `LoadBalancer`. */
  readonly type: string;
  readonly annotations: Readonly<Record<string, string>>;
  /** The first address of the tenant's slice, which is `default/kubernetes` in the tenant. */
  readonly clusterIP: string;
}

/**
 * Renders the Service. Port 443 is for pods of the tenant, to which the address is `default/kubernetes`; 6443, where
 * the pods listen, for everybody else.
 */
export function renderAPIServerService(input: APIServerServiceInput): Service {
  const { name, namespace, labels, instance, type, annotations, clusterIP } = input;
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace, labels: { ...labels, [componentLabel]: 'kube-apiserver' }, annotations },
    spec: {
      type,
      clusterIP,
      selector: selectorOf(instance, 'kube-apiserver'),
      ports: [
        { name: 'api', port: apiServerPort, targetPort: apiServerPort, protocol: 'TCP' },
        { name: 'https', port: 443, targetPort: apiServerPort, protocol: 'TCP' },
      ],
    },
  };
}
