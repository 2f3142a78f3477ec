import type { Condition } from '#kube';
import { isGood } from './condition-polarity.ts';

/**
 * What is said when conditions change from `before` to `after`: one line for each change, but none for a summary that
 * only repeats what another line says. Pure.
 */
export function conditionChanges(
  before: readonly Condition[] | undefined,
  after: readonly Condition[] | undefined,
): readonly string[] {
  const known = new Map((before ?? []).map((condition) => [condition.type, textOf(condition)]));
  const changed = (after ?? [])
    .filter((condition) => known.get(condition.type) !== textOf(condition))
    .filter((condition) => known.has(condition.type) || !isIdle(condition));
  return changed
    .filter((condition) => !repeatsAnother(condition, changed))
    .map((condition) => `${isGood(condition) ? '✓' : '…'} ${textOf(condition)}`);
}

function repeatsAnother({ type, message }: Condition, all: readonly Condition[]): boolean {
  return all.some(
    (other) =>
      other.type !== type &&
      other.message !== '' &&
      message.length > other.message.length &&
      message.includes(other.message),
  );
}

/** What is waited for, in one line: the condition that says so best, or that nobody has looked yet. Pure. */
export function waitingFor(conditions: readonly Condition[] | undefined, goal: string): string {
  const open = (conditions ?? []).filter((condition) => !isGood(condition) && condition.type !== goal);
  const told = open.find((condition) => condition.message !== '') ?? open[0];
  const shown = conditions?.find((condition) => condition.type === goal && condition.message !== '') ?? told;
  return shown === undefined ? 'waiting for a controller to look at it' : textOf(shown);
}

function textOf({ type, status, reason, message }: Condition): string {
  return message === '' ? `${type}=${status} ${reason}` : `${type}=${status} ${reason}: ${message}`;
}

/** Nothing worth a line at the start: an exceptional condition that does not hold. */
function isIdle(condition: Condition): boolean {
  return condition.status === 'False' && isGood(condition);
}
