import type { NestedControlPlane } from '#apis';
import {
  findCondition,
  isBeingDeleted,
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
import type { IssuedCertificate } from './leaf-secrets.ts';
import { runningVersions } from './pods.ts';
import { tellChange } from './tell-change.ts';
import { fails, holds, writeStatus } from './status-writer.ts';
import { retryMs, runOrExplain, waitFor } from './waits.ts';

/** The status fields that every component reports. */
interface ComponentStatus {
  readonly observedGeneration?: number;
  readonly conditions?: readonly Condition[];
  readonly version?: string;
  readonly versions?: readonly { readonly version: string; readonly replicas?: number }[];
  readonly certificates?: readonly IssuedCertificate[];
}

/** One of the three kinds of component. */
export interface Component extends KubeObject {
  readonly spec: { readonly version: string };
  readonly status?: ComponentStatus;
}

/** Counters of the workload behind a component, as the super cluster reports them. */
interface WorkloadCounters {
  readonly replicas: number;
  readonly readyReplicas: number;
  readonly availableReplicas: number;
  readonly upToDateReplicas: number;
  readonly selector: string;
}

/** What the steps of a component fill in for its status. */
export interface ComponentScope<T extends Component> {
  readonly dependencies: Dependencies;
  readonly component: T;
  readonly controlPlane: NestedControlPlane;
  readonly identity: ControlPlaneIdentity;
  /** Set by the step that makes the Secrets; until then what the status says. */
  certificates: readonly IssuedCertificate[];
  /** Status fields of this kind alone; at first what the status says. */
  extra: Readonly<Record<string, unknown>>;
}

/** What is known of a component's pods before any step. */
export interface Observed {
  readonly workload?: WorkloadCounters;
  readonly pods: readonly Pod[];
}

/** A kind of component: its informer and the steps that make it so. */
export interface ComponentKind<T extends Component> {
  readonly informer: Informer<T>;
  readonly steps: Steps<ComponentScope<T>>;
  /** The status fields that only this kind has. */
  readonly ownStatus: readonly string[];
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
    await report(dependencies, kind, { component, run, status: {} }, context);
    return nextRun(run);
  }
  if (isPaused(component) || isPaused(controlPlane) || isBeingDeleted(controlPlane)) return done();
  const scope: ComponentScope<T> = {
    dependencies,
    component,
    controlPlane,
    identity: identityOf(controlPlane),
    certificates: component.status?.certificates ?? [],
    extra: pick(component.status ?? {}, kind.ownStatus),
  };
  const run = await runOrExplain(kind.steps, scope, context);
  const status = statusOf(scope, kind.observe(dependencies, scope.identity));
  await report(dependencies, kind, { component, run, status }, context);
  return nextRun(run);
}

const orphan = waitFor(
  'WaitingForControlPlane',
  'no NestedControlPlane controls this object; components are made by one. Delete this object if it was made by hand.',
  retryMs,
);

function controlPlaneOf({ informers }: Dependencies, component: Component): NestedControlPlane | undefined {
  const owner = component.metadata.ownerReferences?.find((reference) => reference.controller === true);
  if (owner?.kind !== 'NestedControlPlane') return undefined;
  const { namespace } = component.metadata;
  const found = informers.controlPlanes.get(namespace === undefined ? owner : { namespace, name: owner.name });
  return found?.metadata.uid === owner.uid ? found : undefined;
}

function pick(status: object, names: readonly string[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(status).filter(([name]) => names.includes(name)));
}

/** Versions stay what they were while no pod is ready: a control plane that is down has not changed its version. */
function statusOf<T extends Component>(
  { component, certificates, extra }: ComponentScope<T>,
  { workload, pods }: Observed,
): object {
  const running = runningVersions(pods);
  const versions = running.length > 0 ? running : component.status?.versions;
  const lowest = versions?.[0]?.version;
  return {
    ...extra,
    ...workload,
    certificates,
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
