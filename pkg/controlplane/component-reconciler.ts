import type { NestedControlPlane } from '#apis';
import {
  findCondition,
  isBeingDeleted,
  isTrue,
  setCondition,
  type Condition,
  type KubeObject,
  type ObjectKey,
  type Pod,
} from '#kube';
import { isPaused } from '#contract';
import {
  done,
  nextRun,
  type Informer,
  type ReconcileContext,
  type ReconcileResult,
  type Steps,
  type StepsRun,
} from '#runtime';
import type { Dependencies } from './dependencies.ts';
import { identityOf, type ControlPlaneIdentity } from './identity.ts';
import { runningVersions } from './pods.ts';
import { tellChange } from './tell-change.ts';
import { fails, holds, writeStatus } from './status-writer.ts';
import { retryMs, runOrExplain, waitFor } from './waits.ts';
import type { ObservedWorkload } from './workload-counters.ts';

/** The status fields that every component reports. */
interface ComponentStatus {
  readonly observedGeneration?: number;
  readonly conditions?: readonly Condition[];
  readonly version?: string;
  readonly versions?: readonly { readonly version: string; readonly replicas?: number }[];
}

/** One of the three kinds of component. */
export interface Component extends KubeObject {
  readonly spec: { readonly version: string; readonly controlPlaneName: string };
  readonly status?: ComponentStatus;
}

/** What the steps of a component fill in for its status. */
export interface ComponentScope<T extends Component> {
  readonly dependencies: Dependencies;
  readonly component: T;
  readonly controlPlane: NestedControlPlane;
  readonly identity: ControlPlaneIdentity;
  /** Status fields of this kind alone; at first what the status says. */
  extra: Partial<NonNullable<T['status']>>;
  /** Hash of what the pods read at start; set by the step that reads it. */
  configHash?: string;
  /** Generation of the workload as the server has it; set by the step that applies it. */
  appliedGeneration?: number | undefined;
}

/** What is known of a component's pods before any step. */
export interface Observed extends Partial<ObservedWorkload> {
  readonly pods: readonly Pod[];
}

/** A kind of component: its informer and the steps that make it so. */
export interface ComponentKind<T extends Component> {
  readonly informer: Informer<T>;
  readonly steps: Steps<ComponentScope<T>>;
  /** The status fields that only this kind has. */
  readonly ownStatus: readonly (keyof NonNullable<T['status']> & string)[];
  /** Reads the workload and its pods from the caches. */
  readonly observe: (dependencies: Dependencies, identity: ControlPlaneIdentity) => Observed;
}

/**
 * Reconciles one component: finds the control plane that it belongs to, runs the kind's steps, and writes the status
 * once. A component that is paused, being deleted or gone is left alone; the garbage collector takes what it owns.
 */
export async function reconcileComponent<T extends Component>(
  dependencies: Dependencies,
  kind: ComponentKind<T>,
  { key, context }: { readonly key: ObjectKey; readonly context: ReconcileContext },
): Promise<ReconcileResult> {
  const component = kind.informer.get(key);
  if (component === undefined || isBeingDeleted(component)) return done();
  const controlPlane = controlPlaneOf(dependencies, component);
  if (controlPlane === undefined) {
    const run: StepsRun = { step: 'findControlPlane', result: orphan };
    await report(dependencies, kind, { component, run, status: component.status ?? {} }, context);
    return nextRun(run);
  }
  const isControlPlanePaused = isPaused(controlPlane) || isTrue(controlPlane.status?.conditions, 'Paused');
  if (isPaused(component) || isControlPlanePaused || isBeingDeleted(controlPlane)) return done();
  const scope: ComponentScope<T> = {
    dependencies,
    component,
    controlPlane,
    identity: identityOf(controlPlane),
    extra: pick<NonNullable<T['status']>>(component.status, kind.ownStatus),
  };
  const run = await runOrExplain(kind.steps, scope, context);
  const status = statusOf(scope, kind.observe(dependencies, scope.identity));
  await report(dependencies, kind, { component, run, status }, context);
  if (run.failure !== undefined) throw run.failure;
  return nextRun(run);
}

const orphan = waitFor(
  'WaitingForControlPlane',
  'no NestedControlPlane controls this object as its component; components are made by one. Delete this object if it was made by hand.',
  retryMs,
);

function controlPlaneOf({ informers }: Dependencies, component: Component): NestedControlPlane | undefined {
  const owner = component.metadata.ownerReferences?.find((reference) => reference.controller === true);
  if (owner?.kind !== 'NestedControlPlane') return undefined;
  const { namespace } = component.metadata;
  const found = informers.controlPlanes.get(namespace === undefined ? owner : { namespace, name: owner.name });
  if (found === undefined || found.metadata.uid !== owner.uid) return undefined;
  const { base } = identityOf(found);
  // One component of a kind: another that claims the same owner must not get its certificates and names.
  return component.metadata.name === base && component.spec.controlPlaneName === base ? found : undefined;
}

function pick<S extends object>(status: S | undefined, names: readonly string[]): Partial<S> {
  return Object.fromEntries(Object.entries(status ?? {}).filter(([name]) => names.includes(name))) as Partial<S>;
}

/** Versions stay what they were while no pod is ready: a control plane that is down has not changed its version. */
function statusOf<T extends Component>({ component, extra }: ComponentScope<T>, { workload, pods }: Observed): object {
  const running = runningVersions(pods);
  const versions = running.length > 0 ? running : component.status?.versions;
  const lowest = versions?.[0]?.version;
  return {
    ...extra,
    ...workload,
    ...(lowest === undefined ? {} : { version: lowest, versions }),
  };
}

interface Report<T> {
  readonly component: T;
  readonly run: StepsRun;
  readonly status: object;
}

async function report<T extends Component>(
  dependencies: Dependencies,
  { informer }: ComponentKind<T>,
  { component, run, status }: Report<T>,
  context: ReconcileContext,
): Promise<void> {
  const { generation } = component.metadata;
  const { result } = run;
  const statement = result.next === 'wait' ? fails('Ready', result.reason, result.message) : holds('Ready', 'Ready');
  const observed = generation === undefined ? {} : { observedGeneration: generation };
  const before = findCondition(component.status?.conditions, 'Ready');
  const conditions = setCondition(
    component.status?.conditions,
    { ...statement, ...observed },
    dependencies.clock.now(),
  );
  await writeStatus(
    dependencies,
    { type: informer.type, object: component, status: { ...status, ...observed, conditions } },
    context.signal,
  );
  await tellChange(dependencies.client, { object: component, before, after: statement }, context.signal);
}
