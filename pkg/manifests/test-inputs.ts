import {
  controlPlaneNames,
  type NestedAPIServer,
  type NestedAPIServerSpec,
  type NestedControllerManager,
  type NestedControllerManagerSpec,
  type NestedEtcd,
  type NestedEtcdSpec,
} from '#apis';
import type { PlaneIdentity } from './index.ts';
import type { ComponentSettings } from './component-settings.ts';

/** A control plane called `base` in namespace `tenants`. */
export function planeIdentity(base = 'team-a', uid = '6f1c2a52-6f3e-4b0f-9d0a-0d2f6a3b1c11'): PlaneIdentity {
  const labels = {
    'cluster.x-k8s.io/cluster-name': base,
    'app.kubernetes.io/managed-by': 'cluster-api-provider-nested',
    'app.kubernetes.io/instance': base,
    'tenancy.x-k8s.io/control-plane-uid': uid,
  };
  return { namespace: 'tenants', base, uid, names: controlPlaneNames(base), labels };
}

const object = {
  apiVersion: 'controlplane.cluster.x-k8s.io/v1beta1',
  metadata: { name: 'team-a', namespace: 'tenants' },
};
const common = { controlPlaneName: 'team-a', version: 'v1.36.3', replicas: 1 };

export function nestedEtcd(more: Partial<NestedEtcdSpec> = {}): NestedEtcd {
  const spec: NestedEtcdSpec = { ...common, storage: { size: '1Gi' }, ...more };
  return { ...object, kind: 'NestedEtcd', spec };
}

export function nestedAPIServer(more: Partial<NestedAPIServerSpec> = {}): NestedAPIServer {
  const spec: NestedAPIServerSpec = {
    ...common,
    serviceCIDR: '10.96.7.0/24',
    serviceName: 'team-a-apiserver',
    serviceAddress: '10.96.7.1',
    endpoint: { host: 'team-a-apiserver.tenants.svc', port: 6443 },
    etcd: {
      endpoints: ['https://team-a-etcd-0.team-a-etcd.tenants.svc:2379'],
      clientSecretName: 'team-a-apiserver-etcd-client',
    },
    service: { type: 'ClusterIP' },
    ...more,
  };
  return { ...object, kind: 'NestedAPIServer', spec };
}

export function nestedControllerManager(more: Partial<NestedControllerManagerSpec> = {}): NestedControllerManager {
  const spec: NestedControllerManagerSpec = {
    ...common,
    serviceCIDR: '10.96.7.0/24',
    kubeconfigSecretName: 'team-a-kubeconfig-controller-manager',
    ...more,
  };
  return { ...object, kind: 'NestedControllerManager', spec };
}

/** Every setting that people may give a component. */
export const allSettings: ComponentSettings = {
  imageRepository: 'mirror.example.com/kubernetes',
  imagePullSecrets: [{ name: 'mirror' }],
  resources: { requests: { cpu: '1' }, limits: { memory: '2Gi' } },
  extraArgs: [
    { name: 'v', value: '4' },
    { name: 'feature-gates', value: 'A=true,B=false' },
  ],
  extraEnv: [
    { name: 'HTTPS_PROXY', value: 'http://proxy.example.com:3128' },
    { name: 'EMPTY', value: '' },
  ],
  placement: {
    nodeSelector: { pool: 'control-planes' },
    tolerations: [{ key: 'dedicated', operator: 'Exists' }],
    affinity: { podAntiAffinity: {} },
    priorityClassName: 'tenant-control-plane',
  },
};
