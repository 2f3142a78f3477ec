import { createHash } from 'node:crypto';
import { controlPlaneUidLabel, type NestedEtcd } from '#apis';
import type { NetworkPolicy, Service, StatefulSet } from '#kube';
import { etcdArguments, memberUrl } from './etcd-arguments.ts';
import { etcdPorts, paths } from './etcd-layout.ts';
import { imageFor } from './component-versions.ts';
import { componentPods, dns, networkPolicy, providerPods, tcp } from './network-policy.ts';
import { labelsOf, selectorOf, type PlaneIdentity } from './plane-identity.ts';
import { podTemplate } from './pod-template.ts';
import { livenessProbe, readinessProbe, startupProbe, type ProbeTarget } from './probes.ts';
import { keyPairFiles, readOnlyMount, secretVolume } from './secret-files.ts';

/** What etcd's objects are made from. */
export interface EtcdInput {
  readonly etcd: NestedEtcd;
  readonly identity: PlaneIdentity;
  readonly configHash: string;
  /** Where the provider runs; default `capn-system`. */
  readonly systemNamespace?: string;
}

/** etcd's objects, and the client URLs of its members. */
export interface EtcdObjects {
  readonly service: Service;
  readonly statefulSet: StatefulSet;
  readonly networkPolicy: NetworkPolicy;
  readonly endpoints: readonly string[];
}

/** Renders the etcd of one control plane. */
export function renderEtcd(input: EtcdInput): EtcdObjects {
  const { etcd, identity } = input;
  const members = Array.from({ length: etcd.spec.replicas }, (_, index) => `${identity.names.etcd}-${index}`);
  return {
    service: headlessService(identity),
    statefulSet: statefulSet(input),
    networkPolicy: policy(input),
    endpoints: members.map((member) => memberUrl(identity, member, etcdPorts.client)),
  };
}

/** The name of a member's claim, as the StatefulSet controller makes it. */
export function claimNameFor(identity: PlaneIdentity, ordinal: number): string {
  return `${claimTemplateName(identity.uid)}-${identity.names.etcd}-${ordinal}`;
}

/**
 * The claims carry a hash of the control plane's UID in their names: claims that an earlier control plane of the same
 * name left behind have other names and are never mounted.
 */
function claimTemplateName(uid: string): string {
  return `data-${createHash('sha256').update(uid).digest('hex').slice(0, 8)}`;
}

/** Gives each member a DNS name of its own, from before it is ready: members find each other to become ready. */
function headlessService(identity: PlaneIdentity): Service {
  const { names, namespace, base } = identity;
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: names.etcd, namespace, labels: labelsOf(identity, 'etcd') },
    spec: {
      clusterIP: 'None',
      publishNotReadyAddresses: true,
      selector: selectorOf(base, 'etcd'),
      ports: [
        { name: 'client', port: etcdPorts.client, targetPort: etcdPorts.client, protocol: 'TCP' },
        { name: 'peer', port: etcdPorts.peer, targetPort: etcdPorts.peer, protocol: 'TCP' },
      ],
    },
  };
}

function statefulSet(input: EtcdInput): StatefulSet {
  const { etcd, identity } = input;
  const { names, namespace, base } = identity;
  return {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name: names.etcd, namespace, labels: labelsOf(identity, 'etcd') },
    spec: {
      serviceName: names.etcd,
      replicas: etcd.spec.replicas,
      // Members wait for each other: one after the other would wait for ever. Cannot be changed later.
      podManagementPolicy: 'Parallel',
      selector: { matchLabels: selectorOf(base, 'etcd') },
      // The claims outlive the StatefulSet: one that is deleted by hand comes back to its data. Whoever deletes the control
      // plane decides about them (`deletionPolicy`).
      persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Retain', whenScaled: 'Retain' },
      template: template(input),
      volumeClaimTemplates: [claimTemplate(input)],
    },
  };
}

function claimTemplate({ etcd, identity }: EtcdInput) {
  const { size, storageClassName } = etcd.spec.storage;
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: {
      name: claimTemplateName(identity.uid),
      labels: { ...labelsOf(identity, 'etcd'), [controlPlaneUidLabel]: identity.uid },
    },
    spec: {
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage: size } },
      ...(storageClassName === undefined ? {} : { storageClassName }),
    },
  };
}

/** etcd answers health questions in plain HTTP on a port of its own (etcd 3.6): the kubelet has no client certificate. */
const health = (path: string): ProbeTarget => ({ path, port: 'metrics', scheme: 'HTTP' });

function template({ etcd, identity, configHash }: EtcdInput) {
  const { spec } = etcd;
  const { names } = identity;
  const state = { name: names.etcdIdentity, key: 'state' };
  return podTemplate({
    labels: labelsOf(identity, 'etcd'),
    version: spec.version,
    configHash,
    settings: spec,
    requests: { cpu: '50m', memory: '128Mi' },
    volumes: [
      secretVolume('pki', [
        keyPairFiles(names.secrets.etcdServer, 'server', true),
        keyPairFiles(names.secrets.etcdPeer, 'peer', true),
      ]),
    ],
    container: {
      name: 'etcd',
      image: imageFor('etcd', spec.version, spec),
      command: ['/usr/local/bin/etcd'],
      args: etcdArguments(etcd, identity),
      env: [
        { name: 'POD_NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
        // Read anew at each start. `existing` once the cluster has formed: a member that was initialised and finds its
        // volume empty then stops instead of forming a new, empty cluster.
        { name: 'ETCD_INITIAL_CLUSTER_STATE', valueFrom: { configMapKeyRef: state } },
      ],
      ports: [
        { name: 'client', containerPort: etcdPorts.client, protocol: 'TCP' },
        { name: 'peer', containerPort: etcdPorts.peer, protocol: 'TCP' },
        { name: 'metrics', containerPort: etcdPorts.metrics, protocol: 'TCP' },
      ],
      startupProbe: startupProbe(health('/readyz')),
      livenessProbe: livenessProbe(health('/livez')),
      readinessProbe: readinessProbe(health('/readyz')),
      volumeMounts: [
        readOnlyMount('pki', paths.pki),
        { name: claimTemplateName(identity.uid), mountPath: paths.mount },
      ],
    },
  });
}

/** In: the API server and the provider (identity, backup, metrics), members among themselves. Out: members and DNS. */
function policy({ identity, systemNamespace }: EtcdInput): NetworkPolicy {
  const members = componentPods(identity, 'etcd');
  return networkPolicy({
    name: identity.names.etcd,
    identity,
    program: 'etcd',
    ingress: [
      {
        from: [componentPods(identity, 'kube-apiserver'), providerPods(systemNamespace)],
        ports: tcp(etcdPorts.client),
      },
      { from: [members], ports: tcp(etcdPorts.peer) },
      { from: [providerPods(systemNamespace)], ports: tcp(etcdPorts.metrics) },
    ],
    egress: [{ to: [members], ports: tcp(etcdPorts.client, etcdPorts.peer) }, dns],
  });
}
