import type { NestedControlPlane } from '#apis';
import { clusterOwnerOf, clusters, isPaused, type Cluster } from '#contract';
import { findCondition, isBeingDeleted, isKubeError, setCondition, type ObjectKey } from '#kube';
import { again, done, nextRun, type ReconcileContext, type ReconcileResult, type StepsRun } from '#runtime';
import type { Dependencies } from '../dependencies.ts';
import { identityOf } from '../identity.ts';
import { fails, holds, writeStatus, type Statement } from '../status-writer.ts';
import { tellChange } from '../tell-change.ts';
import type { TenantConnections } from '../tenant-connections.ts';
import { runOrExplain } from '../waits.ts';
import { deletionSteps } from './deletion.ts';
import type { ControlPlaneScope } from './scope.ts';
import { statusOf } from './status.ts';
import { bringUpSteps } from './steps.ts';

/** How soon to look whether a Cluster is still paused. */
const lookAgainMs = 10_000;

/** Reconciles one NestedControlPlane: paused, being deleted, or on its way to being available. */
export async function reconcileControlPlane(
  dependencies: Dependencies,
  connections: TenantConnections,
  { key, context }: { readonly key: ObjectKey; readonly context: ReconcileContext },
): Promise<ReconcileResult> {
  const controlPlane = dependencies.informers.controlPlanes.get(key);
  if (controlPlane === undefined) return done();
  const cluster = await readCluster(dependencies, controlPlane, context.signal);
  if (isPaused(controlPlane, cluster)) return reportPaused(dependencies, controlPlane, context);
  const scope: ControlPlaneScope = {
    dependencies,
    connections,
    controlPlane,
    identity: identityOf(controlPlane),
    certificates: controlPlane.status?.certificates ?? [],
    initialized: controlPlane.status?.initialization?.controlPlaneInitialized === true,
  };
  return isBeingDeleted(controlPlane) ? takeDown(scope, context) : bringUp(scope, context);
}

async function readCluster(
  { client }: Dependencies,
  controlPlane: NestedControlPlane,
  signal: AbortSignal,
): Promise<Cluster | undefined> {
  const owner = clusterOwnerOf(controlPlane);
  if (owner === undefined) return undefined;
  try {
    return await client.get(clusters, { namespace: controlPlane.metadata.namespace ?? '', name: owner.name }, signal);
  } catch (error) {
    // The core may be uninstalled while control planes live on.
    if (isKubeError(error, 'NOT_FOUND')) return undefined;
    throw error;
  }
}

async function bringUp(scope: ControlPlaneScope, context: ReconcileContext): Promise<ReconcileResult> {
  const { dependencies, controlPlane, identity } = scope;
  const run = await runOrExplain(bringUpSteps, scope, context);
  const { etcds, apiServers, controllerManagers } = dependencies.informers;
  const key = { namespace: identity.namespace, name: identity.base };
  const [etcd, apiServer, controllerManager] = [etcds.get(key), apiServers.get(key), controllerManagers.get(key)];
  const status = statusOf(
    {
      controlPlane,
      run,
      initialized: scope.initialized,
      certificates: scope.certificates,
      ...(isDecided(run, controlPlane) ? { baseName: identity.base } : {}),
      ...(scope.slice === undefined ? {} : { slice: scope.slice }),
      ...(etcd === undefined ? {} : { etcd }),
      ...(apiServer === undefined ? {} : { apiServer }),
      ...(controllerManager === undefined ? {} : { controllerManager }),
    },
    dependencies.clock.now(),
  );
  await writeStatus(
    dependencies,
    { type: dependencies.informers.controlPlanes.type, object: controlPlane, status },
    context.signal,
  );
  const before = findCondition(controlPlane.status?.conditions, 'Available');
  const after = findCondition(status.conditions, 'Available');
  if (after !== undefined)
    await tellChange(dependencies.client, { object: controlPlane, before, after }, context.signal);
  if (run.failure !== undefined) throw run.failure;
  const next = nextRun(run);
  // A Cluster is read, not watched: whether it is paused now is found out by looking.
  return next.next === 'done' && clusterOwnerOf(controlPlane) !== undefined ? again(lookAgainMs) : next;
}

/** The name is decided once the run came past its step. */
function isDecided({ step, result }: StepsRun, { status }: NestedControlPlane): boolean {
  const isBefore = step === 'checkVersion' || (step === 'decideName' && result.next !== 'continue');
  return status?.baseName !== undefined || !isBefore;
}

async function takeDown(scope: ControlPlaneScope, context: ReconcileContext): Promise<ReconcileResult> {
  const run = await runOrExplain(deletionSteps, scope, context);
  if (run.result.next !== 'wait') return done();
  const { message } = run.result;
  const statements = [holds('Deleting', 'Deleting', message), fails('Available', 'Deleting', message)];
  await writeConditions(scope.dependencies, scope.controlPlane, statements, context.signal);
  if (run.failure !== undefined) throw run.failure;
  return nextRun(run);
}

async function reportPaused(
  dependencies: Dependencies,
  controlPlane: NestedControlPlane,
  context: ReconcileContext,
): Promise<ReconcileResult> {
  const statement = holds('Paused', 'Paused', 'nothing is touched while the control plane or its Cluster is paused');
  await writeConditions(dependencies, controlPlane, [statement], context.signal);
  // Un-pausing the object itself is a change; a Cluster is read, not watched, so it is looked at again.
  return clusterOwnerOf(controlPlane) === undefined ? done() : again(lookAgainMs);
}

async function writeConditions(
  dependencies: Dependencies,
  controlPlane: NestedControlPlane,
  statements: readonly Statement[],
  signal: AbortSignal,
): Promise<void> {
  const observedGeneration = controlPlane.metadata.generation ?? 0;
  const now = dependencies.clock.now();
  const conditions = statements.reduce(
    (list, statement) => setCondition(list, { ...statement, observedGeneration }, now),
    controlPlane.status?.conditions ?? [],
  );
  const status = { ...controlPlane.status, conditions };
  await writeStatus(
    dependencies,
    { type: dependencies.informers.controlPlanes.type, object: controlPlane, status },
    signal,
  );
}
