import { etcdCertificates, type LeafRow } from '#certs';
import { controlPlaneUidLabel, type NestedEtcd } from '#apis';
import { isBeingDeleted, isKubeError, resources, type PersistentVolumeClaim, type StorageClass } from '#kube';
import { claimNameFor, renderEtcd } from '#manifests';
import { proceed, type ReconcileContext, type StepResult, type Steps } from '#runtime';
import { readSecret } from '../authorities.ts';
import { readAuthority } from '../read-authority.ts';
import type { ComponentScope } from '../component-reconciler.ts';
import { configHashOf } from '../config-hash.ts';
import { ensureApplied } from '../ensure.ts';
import { certificatesIn, ensureLeaves } from '../leaf-secrets.ts';
import { explainPods } from '../pods.ts';
import { isBehind } from '../rollout.ts';
import { readPem } from '../secret-data.ts';
import { firstBlocked, retryMs, waitFor } from '../waits.ts';
import { ensureIdentityRecord, recordedID, recordIdentity } from './cluster-identity.ts';
import { foundNoData } from './lost-data.ts';
import { observeEtcd } from './observe.ts';

/** A NestedEtcd's scope; the steps hand on what they found. */
export type EtcdScope = ComponentScope<NestedEtcd>;

/** The steps of a NestedEtcd, in order. */
export const etcdSteps = {
  ensureCertificates,
  ensureIdentityRecord: (scope: EtcdScope, { signal }: ReconcileContext) => ensureIdentityRecord(scope, signal),
  checkStorage,
  applyEtcd,
  waitForPods,
  verifyIdentity,
} satisfies Steps<EtcdScope>;

function rowsFor({ identity, component }: EtcdScope): readonly LeafRow[] {
  const { names, namespace } = identity;
  return etcdCertificates({ names, namespace, etcdMembers: component.spec.replicas });
}

async function ensureCertificates(scope: EtcdScope, { signal }: ReconcileContext): Promise<StepResult> {
  const { dependencies, identity, component } = scope;
  const authority = await readAuthority(scope, 'etcd', signal);
  if ('next' in authority) return authority;
  const request = { rows: rowsFor(scope), authorityOf: () => authority, identity, owner: component };
  const secrets = await ensureLeaves(dependencies, request, signal);
  if ('next' in secrets) return secrets;
  const { apiServerEtcdClient } = identity.names.secrets;
  // The client's certificate is not read by etcd's pods: renewing it must not restart them.
  scope.configHash = configHashOf(secrets.filter((secret) => secret.metadata.name !== apiServerEtcdClient));
  scope.extra = { ...scope.extra, certificates: certificatesIn(secrets), clientSecretName: apiServerEtcdClient };
  return proceed();
}

/**
 * Looks at the claim and the class before the StatefulSet does: a claim of the wanted name that was not made for this
 * control plane is never mounted, and a class that does not exist is told instead of waited for in silence.
 */
async function checkStorage(
  { dependencies, identity, component }: EtcdScope,
  { signal }: ReconcileContext,
): Promise<StepResult> {
  const { client, informers } = dependencies;
  const key = { namespace: identity.namespace, name: claimNameFor(identity, 0) };
  const claim =
    informers.persistentVolumeClaims.get(key) ?? (await client.get(resources.persistentVolumeClaims, key, signal));
  if (claim !== undefined) return judgeClaim(claim, identity.uid);
  const classes = await client.list(resources.storageClasses, {}, signal);
  return judgeClass(component.spec.storage.storageClassName, classes.items);
}

function judgeClaim(claim: PersistentVolumeClaim, controlPlaneUid: string): StepResult {
  const name = `PersistentVolumeClaim ${claim.metadata.namespace ?? ''}/${claim.metadata.name ?? ''}`;
  if (isBeingDeleted(claim)) return waitFor('WaitingForDeletion', `${name} is being deleted`, retryMs);
  if (claim.metadata.labels?.[controlPlaneUidLabel] === controlPlaneUid) return proceed();
  return waitFor(
    'NameTaken',
    `${name} exists and was not made for this control plane (UID ${controlPlaneUid}); it is left alone. Delete or rename it.`,
    retryMs,
  );
}

const defaultClassAnnotation = 'storageclass.kubernetes.io/is-default-class';

function judgeClass(wanted: string | undefined, classes: readonly StorageClass[]): StepResult {
  const names = classes.map((one) => one.metadata.name ?? '');
  const choice = names.length === 0 ? 'there are none' : `there are ${names.join(', ')}`;
  if (wanted !== undefined) {
    if (names.includes(wanted)) return proceed();
    return waitFor(
      'StorageClassNotFound',
      `StorageClass ${wanted} (spec.etcd.storage.storageClassName) does not exist; ${choice}. It cannot be changed after creation: create the class, or delete this control plane and create it with another.`,
      retryMs,
    );
  }
  const hasDefault = classes.some((one) => one.metadata.annotations?.[defaultClassAnnotation] === 'true');
  if (hasDefault) return proceed();
  return waitFor(
    'StorageClassNotFound',
    `the super cluster has no default StorageClass and spec.etcd.storage.storageClassName is not set; ${choice}. Mark one as default.`,
    retryMs,
  );
}

async function applyEtcd(scope: EtcdScope, { signal }: ReconcileContext): Promise<StepResult> {
  const { dependencies, identity, component, configHash = '' } = scope;
  const { services, networkPolicies, statefulSets } = dependencies.informers;
  const { systemNamespace } = dependencies;
  const objects = renderEtcd({ etcd: component, identity, configHash, systemNamespace });
  const owned = { owner: component };
  const blocked = firstBlocked(
    await ensureApplied(dependencies, { ...owned, informer: services, desired: objects.service }, signal),
    await ensureApplied(dependencies, { ...owned, informer: networkPolicies, desired: objects.networkPolicy }, signal),
  );
  if (blocked !== undefined) return blocked;
  const members = { ...owned, informer: statefulSets, desired: objects.statefulSet };
  const ensured = await ensureApplied(dependencies, members, signal);
  if (ensured.state === 'blocked') return waitFor(ensured.reason, ensured.message, retryMs);
  scope.appliedGeneration = ensured.object.metadata.generation;
  scope.extra = { ...scope.extra, endpoints: objects.endpoints };
  return proceed();
}

function waitForPods(scope: EtcdScope): StepResult {
  const { dependencies, identity, component } = scope;
  const observed = observeEtcd(dependencies, identity);
  const { workload, pods } = observed;
  const wanted = component.spec.replicas;
  if (workload === undefined || isBehind(observed, scope)) {
    return waitFor('WaitingForPods', 'the new specification was applied just now');
  }
  if (workload.readyReplicas >= wanted && workload.upToDateReplicas >= wanted) return proceed();
  if (recordedID(scope) !== undefined && pods.some(foundNoData)) {
    return waitFor(
      'DataLost',
      'etcd was initialised before but finds no data on its volume; it is not started anew, since that would hide the loss. Restore the volume, or delete this control plane and create it again.',
    );
  }
  return waitFor('WaitingForPods', explainPods(pods) ?? `${workload.readyReplicas} of ${wanted} members are ready`);
}

async function verifyIdentity(scope: EtcdScope, { signal }: ReconcileContext): Promise<StepResult> {
  const { dependencies, identity } = scope;
  const authority = await readAuthority(scope, 'etcd', signal);
  if ('next' in authority) return authority;
  const key = { namespace: identity.namespace, name: identity.names.secrets.apiServerEtcdClient };
  const pair = readPem(await readSecret(dependencies, key, signal));
  try {
    return await recordIdentity(scope, { ca: authority.certificate, ...pair }, signal);
  } catch (error) {
    if (!isKubeError(error, 'UNAVAILABLE', 'TIMEOUT', 'UNAUTHORIZED')) throw error;
    return waitFor('WaitingForEtcd', `etcd is ready but the manager cannot reach it yet: ${error.message}`, 2000);
  }
}
