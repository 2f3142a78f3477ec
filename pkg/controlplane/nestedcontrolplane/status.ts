import type {
  NestedAPIServer,
  NestedControllerManager,
  NestedControlPlane,
  NestedControlPlaneStatus,
  NestedEtcd,
} from '#apis';
import { setCondition, type Condition } from '#kube';
import type { StepsRun } from '#runtime';
import type { ConditionReason } from '../condition-reasons.ts';
import type { ConditionType } from '../condition-types.ts';
import type { IssuedCertificate } from '../leaf-secrets.ts';
import { compareVersionTexts } from '../pods.ts';
import type { ServiceSlice } from '../service-slices.ts';
import { fails, holds, type Statement } from '../status-writer.ts';
import { notServing, type Child } from './apply-child.ts';
import type { bringUpSteps } from './steps.ts';

/** What a status is computed from. */
export interface StatusInputs {
  readonly controlPlane: NestedControlPlane;
  readonly run: StepsRun;
  readonly initialized: boolean;
  readonly certificates: readonly IssuedCertificate[];
  /** Set once it is decided. */
  readonly baseName?: string;
  readonly slice?: ServiceSlice;
  readonly etcd?: NestedEtcd;
  readonly apiServer?: NestedAPIServer;
  readonly controllerManager?: NestedControllerManager;
}

/** The whole status of a control plane that is not being deleted. Pure: the time is passed in. */
export function statusOf(inputs: StatusInputs, now: Date): NestedControlPlaneStatus {
  const { controlPlane, initialized, certificates, baseName, slice, etcd, apiServer } = inputs;
  const observedGeneration = controlPlane.metadata.generation ?? 0;
  const conditions = statements(inputs).reduce<readonly Condition[]>(
    (list, statement) => setCondition(list, { ...statement, observedGeneration }, now),
    controlPlane.status?.conditions ?? [],
  );
  const serviceCIDR = slice?.cidr ?? controlPlane.status?.serviceCIDR;
  const counters = apiServer?.status;
  return {
    observedGeneration,
    conditions,
    externalManagedControlPlane: true,
    ...(initialized ? { initialization: { controlPlaneInitialized: true } } : {}),
    certificates,
    ...versionsOf(inputs),
    ...(baseName === undefined ? {} : { baseName }),
    replicas: counters?.replicas ?? 0,
    readyReplicas: counters?.readyReplicas ?? 0,
    availableReplicas: counters?.availableReplicas ?? 0,
    upToDateReplicas: counters?.upToDateReplicas ?? 0,
    ...(counters?.selector === undefined ? {} : { selector: counters.selector }),
    ...(serviceCIDR === undefined ? {} : { serviceCIDR }),
    ...(etcd?.status?.clusterID === undefined ? {} : { etcdClusterID: etcd.status.clusterID }),
  };
}

/** `versions` and `version` of the contract: what runs, over API servers and controller managers, oldest first. */
function versionsOf({ controlPlane, apiServer, controllerManager }: StatusInputs) {
  const served = apiServer?.status?.versions ?? [];
  const behind = controllerManager?.status?.version;
  const all =
    behind === undefined || served.some(({ version }) => version === behind)
      ? served
      : [...served, { version: behind }];
  const sorted = [...all].sort((a, b) => compareVersionTexts(a.version, b.version));
  const lowest = sorted[0]?.version;
  if (lowest !== undefined) return { version: lowest, versions: sorted };
  const { version, versions } = controlPlane.status ?? {};
  return { ...(version === undefined ? {} : { version }), ...(versions === undefined ? {} : { versions }) };
}

function statements(inputs: StatusInputs): readonly Statement[] {
  const { run, etcd, apiServer, controllerManager } = inputs;
  const components = [
    componentStatement('EtcdClusterHealthy', etcd),
    componentStatement('APIServerHealthy', apiServer),
    componentStatement('ControllerManagerHealthy', controllerManager),
  ];
  return [
    stepStatement('CertificatesAvailable', ['checkVersion', 'decideName', 'ensureFinalizer', 'ensureAuthorities'], {
      run,
      reason: 'Issued',
    }),
    stepStatement('EndpointAvailable', ['claimServiceAddress', 'publishEndpoint'], { run, reason: 'Claimed' }),
    ...components,
    overall('ControlPlaneComponentsHealthy', components),
    available(run, components),
    rollingOut(inputs),
    fails('Paused', 'NotPaused', ''),
    fails('Deleting', 'NotDeleting', ''),
  ];
}

type StepName = keyof typeof bringUpSteps;

const order: readonly StepName[] = [
  'checkVersion',
  'decideName',
  'ensureFinalizer',
  'ensureAuthorities',
  'claimServiceAddress',
  'publishEndpoint',
];

/** Holds once the run came past `steps`; where it stopped in them, the condition says why. */
function stepStatement(
  type: ConditionType,
  steps: readonly StepName[],
  { run, reason }: { readonly run: StepsRun; readonly reason: ConditionReason },
): Statement {
  const { result } = run;
  const last = steps.at(-1);
  const reached = order.indexOf(run.step as StepName);
  const isPast = reached < 0 || last === undefined || reached > order.indexOf(last);
  if (result.next !== 'wait' || isPast) return holds(type, reason);
  if (steps.some((step) => step === run.step)) return fails(type, result.reason, result.message);
  return fails(type, 'Reconciling', `waits for an earlier step: ${result.message}`);
}

function componentStatement(type: ConditionType, component: Child | undefined): Statement {
  if (component === undefined) return fails(type, 'Reconciling', 'not created yet: an earlier step is not done');
  const obstacle = notServing(component);
  return obstacle === undefined ? holds(type, 'Ready') : fails(type, obstacle.reason, obstacle.message);
}

function overall(type: ConditionType, components: readonly Statement[]): Statement {
  const unwell = components.filter((statement) => statement.status !== 'True');
  if (unwell.length === 0) return holds(type, 'Ready');
  const [first] = unwell;
  return fails(type, first?.reason ?? 'Reconciling', unwell.map((one) => `${one.type}: ${one.message}`).join('; '));
}

function available(run: StepsRun, components: readonly Statement[]): Statement {
  const { result } = run;
  if (result.next === 'wait') return fails('Available', result.reason, result.message);
  const unwell = components.find((statement) => statement.status !== 'True');
  return unwell === undefined ? holds('Available', 'Available') : fails('Available', unwell.reason, unwell.message);
}

function rollingOut({ etcd, apiServer, controllerManager }: StatusInputs): Statement {
  const behind = [etcd, apiServer, controllerManager].filter(
    (component) => component !== undefined && isBehind(component),
  );
  if (behind.length === 0) return fails('RollingOut', 'UpToDate', '');
  const kinds = behind.map((component) => component?.kind ?? '').join(', ');
  return holds('RollingOut', 'RollingOut', `pods of an older specification are still there: ${kinds}`);
}

/** A first bring-up is no rollout: only pods that serve can be behind. */
function isBehind({ status, metadata }: NestedEtcd | NestedAPIServer | NestedControllerManager): boolean {
  const { replicas = 0, readyReplicas = 0, upToDateReplicas = 0, observedGeneration } = status ?? {};
  return readyReplicas > 0 && (upToDateReplicas < replicas || observedGeneration !== metadata.generation);
}
