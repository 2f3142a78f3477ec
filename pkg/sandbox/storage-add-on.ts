import { bindClusterRole, deployment } from './add-on-objects.ts';
import { sandboxImages } from './image-names.ts';
import type { SandboxLayout } from './layout.ts';

const storageNamespace = 'local-path-storage';
const storageName = { name: 'local-path-provisioner', namespace: storageNamespace };
const storageLabels = { app: 'local-path-provisioner' };

/** The local-path provisioner and the default StorageClass; volumes are folders below the sandbox's own. */
export function storageObjects(layout: SandboxLayout): object[] {
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
