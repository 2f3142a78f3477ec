import { componentLabel } from '#apis';
import { isBeingDeleted, isTrue, type Condition, type KubeObject, type PersistentVolumeClaim, type Pod } from '#kube';
import { baseNameOf } from '../control-plane.ts';
import { formatAge } from '../output/format-age.ts';
import type { Style } from '../terminal.ts';
import { isGood } from '../progress/condition-polarity.ts';
import { podSummary } from './pod-summary.ts';
import type { Component, ControlPlaneView } from './read-control-plane.ts';

export interface TreeOptions {
  readonly now: Date;
  readonly style: (style: Style, text: string) => string;
  /** Show conditions that are as they should be, too, with the time since when. */
  readonly wide: boolean;
}

/** A line of the tree with what hangs below it. */
interface Branch {
  readonly text: string;
  readonly below: readonly Branch[];
}

/** Which pods and claims belong to a component: the value of their component label, by the component's kind. */
const componentOfKind: Readonly<Record<string, string>> = {
  NestedEtcd: 'etcd',
  NestedAPIServer: 'kube-apiserver',
  NestedControllerManager: 'kube-controller-manager',
};

/** The tree of a control plane: its conditions, its components and theirs, their pods and claims. Pure. */
export function renderTree(view: ControlPlaneView, options: TreeOptions): string {
  const { controlPlane } = view;
  const below = [
    ...conditionBranches(controlPlane.status?.conditions, options),
    ...factBranches(view),
    ...view.components.map((component) => componentBranch(component, view, options)),
    ...strayBranches(view, options),
  ];
  return renderBranch({ text: headLine(controlPlane, 'Available', options), below }, '', '');
}

function renderBranch(branch: Branch, first: string, rest: string): string {
  const lines = branch.below.map((child, index) => {
    const isLast = index === branch.below.length - 1;
    return renderBranch(child, `${rest}${isLast ? '└─ ' : '├─ '}`, `${rest}${isLast ? '   ' : '│  '}`);
  });
  return `${first}${branch.text}\n${lines.join('')}`;
}

function headLine(object: KubeObject & Pick<Component, 'spec' | 'status'>, type: string, options: TreeOptions): string {
  const { kind = '', metadata } = object;
  const ready = isTrue(object.status?.conditions, type);
  const state = isBeingDeleted(object) ? 'being deleted' : ready ? type.toLowerCase() : `not ${type.toLowerCase()}`;
  const shown = options.style(ready && !isBeingDeleted(object) ? 'green' : 'yellow', state);
  const pods = `${object.status?.readyReplicas ?? 0}/${object.spec.replicas ?? 1} ready`;
  const name = options.style('bold', `${kind} ${metadata.name}`);
  return `${name}  ${shown}, ${pods}, ${object.spec.version}, ${formatAge(metadata.creationTimestamp, options.now)} old`;
}

function conditionBranches(conditions: readonly Condition[] | undefined, options: TreeOptions): readonly Branch[] {
  if (conditions === undefined) return [{ text: 'no conditions yet: no controller has looked at it', below: [] }];
  const shown = options.wide ? conditions : conditions.filter((condition) => !isGood(condition));
  return shown.map((condition) => ({ text: conditionLine(condition, options), below: [] }));
}

function conditionLine(condition: Condition, { now, style }: TreeOptions): string {
  const { type, status, reason, message, lastTransitionTime } = condition;
  const good = isGood(condition);
  const mark = good
    ? style('green', '✓')
    : style(status === 'Unknown' ? 'yellow' : 'red', status === 'Unknown' ? '?' : '✗');
  const text = message === '' ? reason : `${reason}: ${message}`;
  return `${mark} ${type}=${status} ${text} ${style('dim', `(${formatAge(lastTransitionTime, now)})`)}`;
}

function factBranches({ controlPlane }: ControlPlaneView): readonly Branch[] {
  const { controlPlaneEndpoint } = controlPlane.spec;
  const facts = [
    controlPlaneEndpoint === undefined
      ? undefined
      : `endpoint https://${controlPlaneEndpoint.host}:${controlPlaneEndpoint.port}`,
    controlPlane.status?.serviceCIDR === undefined ? undefined : `services ${controlPlane.status.serviceCIDR}`,
    controlPlane.status?.version === undefined ? undefined : `kubeconfig Secret ${baseNameOf(controlPlane)}-kubeconfig`,
  ];
  return facts.flatMap((text) => (text === undefined ? [] : [{ text, below: [] }]));
}

function componentBranch(component: Component, view: ControlPlaneView, options: TreeOptions): Branch {
  const isOurs = (object: KubeObject) =>
    object.metadata.labels?.[componentLabel] === componentOfKind[component.kind ?? ''];
  const below = [
    ...conditionBranches(component.status?.conditions, options),
    ...view.pods.filter(isOurs).map((pod) => podBranch(pod, view, options)),
    ...view.claims.filter(isOurs).map((claim) => claimBranch(claim, options)),
  ];
  return { text: headLine(component, 'Ready', options), below };
}

/** Pods and claims whose component is not there (any more). */
function strayBranches(view: ControlPlaneView, options: TreeOptions): readonly Branch[] {
  const known = new Set(view.components.map(({ kind = '' }) => componentOfKind[kind]));
  const isStray = ({ metadata }: KubeObject) => !known.has(metadata.labels?.[componentLabel]);
  const pods = view.pods.filter(isStray).map((pod) => podBranch(pod, view, options));
  return [...pods, ...view.claims.filter(isStray).map((claim) => claimBranch(claim, options))];
}

function podBranch(pod: Pod, { warnings }: ControlPlaneView, { now, style }: TreeOptions): Branch {
  const { text, isHealthy } = podSummary(pod);
  const shown = style(isHealthy ? 'green' : 'yellow', text);
  const below = warnings
    .filter((warning) => warning.pod === pod.metadata.name)
    .map(({ reason, note }) => ({ text: `${style('yellow', '!')} ${reason}: ${note}`, below: [] }));
  return { text: `Pod ${pod.metadata.name}  ${shown}, ${formatAge(pod.metadata.creationTimestamp, now)} old`, below };
}

function claimBranch({ metadata, spec, status }: PersistentVolumeClaim, { style }: TreeOptions): Branch {
  const phase = status?.phase ?? 'Pending';
  const size = status?.capacity?.['storage'] ?? spec?.resources?.requests?.['storage'] ?? '?';
  const className = spec?.storageClassName ?? 'no class';
  return {
    text: `Claim ${metadata.name}  ${style(phase === 'Bound' ? 'green' : 'yellow', phase)}, ${size}, ${className}`,
    below: [],
  };
}
