import { addresses } from './addresses.ts';
import { sandboxImages } from './image-names.ts';
import type { SandboxLayout } from './layout.ts';

/** Deployments that have to be available before a sandbox is up: `namespace/name`. */
export const addOnDeployments = ['kube-system/coredns', 'local-path-storage/local-path-provisioner'] as const;

/** What runs inside super from the start: CoreDNS, and a default StorageClass that provisions. */
export function addOnObjects(layout: SandboxLayout): object[] {
  return [...dnsObjects(), ...storageObjects(layout)];
}

const dnsLabels = { 'k8s-app': 'kube-dns' };
const dnsName = { name: 'coredns', namespace: 'kube-system' };

/** There is no way out of a sandbox, so names outside the cluster are not forwarded: they are refused at once. */
const corefile = `.:53 {
    errors
    health {
       lameduck 1s
    }
    ready
    kubernetes ${addresses.clusterDomain} in-addr.arpa ip6.arpa {
       pods insecure
       fallthrough in-addr.arpa ip6.arpa
       ttl 5
    }
    cache 5
    loadbalance
}
`;

function dnsObjects(): object[] {
  return [
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: dnsName },
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: dnsName, data: { Corefile: corefile } },
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name: 'system:coredns' },
      rules: [
        { apiGroups: [''], resources: ['services', 'pods', 'namespaces'], verbs: ['list', 'watch'] },
        { apiGroups: ['discovery.k8s.io'], resources: ['endpointslices'], verbs: ['list', 'watch'] },
      ],
    },
    bindClusterRole('system:coredns', dnsName),
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'kube-dns', namespace: 'kube-system', labels: dnsLabels },
      spec: {
        clusterIP: addresses.dns,
        selector: dnsLabels,
        ports: [
          { name: 'dns', port: 53, protocol: 'UDP', targetPort: 53 },
          { name: 'dns-tcp', port: 53, protocol: 'TCP', targetPort: 53 },
        ],
      },
    },
    dnsDeployment(),
  ];
}

function dnsDeployment(): object {
  const container = {
    name: 'coredns',
    image: sandboxImages.coredns,
    imagePullPolicy: 'IfNotPresent',
    args: ['-conf', '/etc/coredns/Corefile'],
    resources: { requests: { cpu: '50m', memory: '50Mi' }, limits: { memory: '170Mi' } },
    volumeMounts: [{ name: 'config', mountPath: '/etc/coredns', readOnly: true }],
    ports: [
      { containerPort: 53, name: 'dns', protocol: 'UDP' },
      { containerPort: 53, name: 'dns-tcp', protocol: 'TCP' },
    ],
    readinessProbe: { httpGet: { path: '/ready', port: 8181 }, periodSeconds: 2 },
    livenessProbe: { httpGet: { path: '/health', port: 8080 }, initialDelaySeconds: 30 },
    securityContext: {
      allowPrivilegeEscalation: false,
      capabilities: { add: ['NET_BIND_SERVICE'], drop: ['ALL'] },
      readOnlyRootFilesystem: true,
    },
  };
  return deployment(dnsName, dnsLabels, {
    priorityClassName: 'system-cluster-critical',
    serviceAccountName: dnsName.name,
    dnsPolicy: 'Default',
    containers: [container],
    volumes: [{ name: 'config', configMap: { name: dnsName.name } }],
  });
}

const storageNamespace = 'local-path-storage';
const storageName = { name: 'local-path-provisioner', namespace: storageNamespace };
const storageLabels = { app: 'local-path-provisioner' };

function storageObjects(layout: SandboxLayout): object[] {
  return [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: storageNamespace } },
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: storageName },
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name: storageName.name },
      rules: [
        {
          apiGroups: [''],
          resources: ['nodes', 'persistentvolumeclaims', 'configmaps', 'pods', 'pods/log'],
          verbs: ['get', 'list', 'watch'],
        },
        {
          apiGroups: [''],
          resources: ['persistentvolumes', 'pods'],
          verbs: ['get', 'list', 'watch', 'create', 'patch', 'update', 'delete'],
        },
        { apiGroups: [''], resources: ['events'], verbs: ['create', 'patch'] },
        { apiGroups: ['storage.k8s.io'], resources: ['storageclasses'], verbs: ['get', 'list', 'watch'] },
      ],
    },
    bindClusterRole(storageName.name, storageName),
    storageConfig(layout),
    storageDeployment(),
    {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'StorageClass',
      metadata: { name: 'local-path', annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
      provisioner: 'rancher.io/local-path',
      volumeBindingMode: 'WaitForFirstConsumer',
      reclaimPolicy: 'Delete',
    },
  ];
}

/** The provisioner makes and removes a volume's folder by a pod that runs these two scripts. */
function storageConfig(layout: SandboxLayout): object {
  const helperPod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'helper-pod' },
    spec: {
      priorityClassName: 'system-node-critical',
      automountServiceAccountToken: false,
      terminationGracePeriodSeconds: 0,
      containers: [{ name: 'helper-pod', image: sandboxImages.busybox, imagePullPolicy: 'IfNotPresent' }],
    },
  };
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'local-path-config', namespace: storageNamespace },
    data: {
      'config.json': JSON.stringify({
        nodePathMap: [{ node: 'DEFAULT_PATH_FOR_NON_LISTED_NODES', paths: [layout.volumes] }],
      }),
      setup: '#!/bin/sh\nset -eu\nmkdir -m 0777 -p "$VOL_DIR"\n',
      teardown: '#!/bin/sh\nset -eu\nrm -rf "$VOL_DIR"\n',
      'helperPod.yaml': JSON.stringify(helperPod),
    },
  };
}

function storageDeployment(): object {
  const container = {
    name: storageName.name,
    image: sandboxImages.localPathProvisioner,
    imagePullPolicy: 'IfNotPresent',
    command: [
      'local-path-provisioner',
      'start',
      '--config',
      '/etc/config/config.json',
      '--service-account-name',
      storageName.name,
    ],
    resources: { requests: { cpu: '10m', memory: '30Mi' } },
    volumeMounts: [{ name: 'config', mountPath: '/etc/config', readOnly: true }],
    env: [
      { name: 'POD_NAMESPACE', valueFrom: { fieldRef: { fieldPath: 'metadata.namespace' } } },
      { name: 'CONFIG_MOUNT_PATH', value: '/etc/config/' },
    ],
  };
  return deployment(storageName, storageLabels, {
    serviceAccountName: storageName.name,
    containers: [container],
    volumes: [{ name: 'config', configMap: { name: 'local-path-config' } }],
  });
}

interface Name {
  readonly name: string;
  readonly namespace: string;
}

function deployment(metadata: Name, labels: Readonly<Record<string, string>>, podSpec: object): object {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { ...metadata, labels },
    spec: { replicas: 1, selector: { matchLabels: labels }, template: { metadata: { labels }, spec: podSpec } },
  };
}

function bindClusterRole(role: string, account: Name): object {
  return {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name: role },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
    subjects: [{ kind: 'ServiceAccount', ...account }],
  };
}
