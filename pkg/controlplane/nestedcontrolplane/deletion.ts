import { controlPlaneFinalizer, controlPlaneUidLabel, managedByLabel, managedByValue } from '#apis';
import {
  isBeingDeleted,
  isControlledBy,
  keyOf,
  resources,
  uidOf,
  type KubeObject,
  type KubeClient,
  type ResourceType,
} from '#kube';
import { proceed, type Informer, type ReconcileContext, type StepResult, type Steps } from '#runtime';
import { fieldManager } from '../dependencies.ts';
import type { ControlPlaneScope } from './scope.ts';
import { waitFor } from '../waits.ts';

/** How soon to look again whether something is gone, should its watch event be late. */
const lookAgainMs = 2000;

/**
 * Taking down, in the reverse order of bringing up: who writes goes before what it writes to. Nothing here talks to the
 * tenant, so a dead tenant cannot hold its own deletion up.
 */
export const deletionSteps = {
  deleteControllerManager: (scope: ControlPlaneScope, context: ReconcileContext) =>
    deleteChild(scope, scope.dependencies.informers.controllerManagers, context),
  deleteAPIServer: (scope: ControlPlaneScope, context: ReconcileContext) =>
    deleteChild(scope, scope.dependencies.informers.apiServers, context),
  deleteEtcd: (scope: ControlPlaneScope, context: ReconcileContext) =>
    deleteChild(scope, scope.dependencies.informers.etcds, context),
  waitForClaims,
  deleteOwned,
  closeConnection: ({ connections, identity }: ControlPlaneScope) => {
    connections.drop(identity.uid);
    return proceed();
  },
  removeFinalizer,
} satisfies Steps<ControlPlaneScope>;

/** In the foreground: the component stays visible until its pods are gone. */
async function deleteChild<T extends KubeObject>(
  { dependencies, identity, controlPlane }: ControlPlaneScope,
  informer: Informer<T>,
  { signal }: ReconcileContext,
): Promise<StepResult> {
  const key = { namespace: identity.namespace, name: identity.base };
  const child = await dependencies.client.get(informer.type, key, signal);
  if (child === undefined || !isControlledBy(child, controlPlane)) return proceed();
  if (child.metadata.deletionTimestamp === undefined) {
    await dependencies.client.delete(informer.type, key, { uid: uidOf(child), propagation: 'Foreground' }, signal);
  }
  return waitFor('Deleting', `waits for ${informer.type.kind} ${identity.base} and its pods to go`, lookAgainMs);
}

/**
 * With deletionPolicy Delete etcd's claims go too; a later control plane must not meet them half gone. A StatefulSet
 * that is still there by now was orphaned on purpose (`kubectl delete --cascade=orphan`): its claim is in use and stays.
 */
async function waitForClaims(
  { dependencies, identity, controlPlane }: ControlPlaneScope,
  { signal }: ReconcileContext,
): Promise<StepResult> {
  if (controlPlane.spec.deletionPolicy === 'Retain') return proceed();
  const { client } = dependencies;
  const { namespace, uid, names } = identity;
  const etcd = await client.get(resources.statefulSets, { namespace, name: names.etcd }, signal);
  if (etcd?.metadata.labels?.[controlPlaneUidLabel] === uid) return proceed();
  const ofThis = { namespace, labelSelector: `${controlPlaneUidLabel}=${uid}` };
  const { items } = await client.list(resources.persistentVolumeClaims, ofThis, signal);
  if (items.length === 0) return proceed();
  for (const claim of items.filter((item) => !isBeingDeleted(item))) {
    await client.delete(resources.persistentVolumeClaims, keyOf(claim), { uid: uidOf(claim) }, signal);
  }
  const claims = items.map((claim) => claim.metadata.name ?? '').join(', ');
  return waitFor('Deleting', `waits for PersistentVolumeClaim ${claims} to go`, lookAgainMs);
}

/**
 * What the control plane itself owns (Secrets, the Service that claims its addresses, etcd's identity) is deleted here
 * rather than left to the garbage collector, so that the name is free for a new control plane once this one is gone.
 */
async function deleteOwned(
  { dependencies, controlPlane, identity }: ControlPlaneScope,
  { signal }: ReconcileContext,
): Promise<StepResult> {
  const { client } = dependencies;
  const left = [
    ...(await deleteAll(client, resources.secrets, { controlPlane, namespace: identity.namespace }, signal)),
    ...(await deleteAll(client, resources.services, { controlPlane, namespace: identity.namespace }, signal)),
    ...(await deleteAll(client, resources.configMaps, { controlPlane, namespace: identity.namespace }, signal)),
  ];
  return left.length === 0 ? proceed() : waitFor('Deleting', `waits for ${left.join(', ')} to go`, lookAgainMs);
}

async function deleteAll<T extends KubeObject>(
  client: KubeClient,
  type: ResourceType<T>,
  { controlPlane, namespace }: { readonly controlPlane: KubeObject; readonly namespace: string },
  signal: AbortSignal,
): Promise<readonly string[]> {
  const labelSelector = `${managedByLabel}=${managedByValue},${controlPlaneUidLabel}=${uidOf(controlPlane)}`;
  const { items } = await client.list(type, { namespace, labelSelector }, signal);
  const owned = items.filter((item) => isControlledBy(item, controlPlane));
  const outcomes = await Promise.all(
    owned.map((item) => client.delete(type, keyOf(item), { uid: uidOf(item) }, signal)),
  );
  const held = owned.filter((item, at) => outcomes[at] === 'accepted' && (item.metadata.finalizers ?? []).length > 0);
  return held.map((item) => `${type.kind} ${item.metadata.name ?? ''}`);
}

async function removeFinalizer(
  { dependencies, controlPlane }: ControlPlaneScope,
  { signal }: ReconcileContext,
): Promise<StepResult> {
  const { finalizers = [], resourceVersion } = controlPlane.metadata;
  if (!finalizers.includes(controlPlaneFinalizer)) return proceed();
  const metadata = {
    uid: uidOf(controlPlane),
    resourceVersion,
    finalizers: finalizers.filter((name) => name !== controlPlaneFinalizer),
  };
  const target = { type: dependencies.informers.controlPlanes.type, key: keyOf(controlPlane) };
  await dependencies.client.mergePatch(target, { metadata }, { fieldManager }, signal);
  return proceed();
}
