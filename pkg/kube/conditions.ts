/** One condition of an object's status (metav1.Condition). Times are RFC 3339 strings. */
export interface Condition {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  /** One UpperCamel word for programs. */
  readonly reason: string;
  /** A sentence for people; may be empty. */
  readonly message: string;
  /** When `status` last changed. */
  readonly lastTransitionTime: string;
  /** `metadata.generation` that the condition speaks of. */
  readonly observedGeneration?: number;
}

/**
 * The list with `condition` set: replaced in place, or added at the end.
 * @param now time for `lastTransitionTime`; the old one stays while `status` is the same
 */
export function setCondition(
  list: readonly Condition[] | undefined,
  condition: Omit<Condition, 'lastTransitionTime'>,
  now: Date,
): readonly Condition[] {
  const before = findCondition(list, condition.type);
  const lastTransitionTime =
    before !== undefined && before.status === condition.status ? before.lastTransitionTime : formatTime(now);
  const next = { ...condition, lastTransitionTime };
  if (before === undefined) return [...(list ?? []), next];
  return (list ?? []).map((old) => (old.type === condition.type ? next : old));
}

/** The condition of that type, if it is there. */
export function findCondition(list: readonly Condition[] | undefined, type: string): Condition | undefined {
  return list?.find((condition) => condition.type === type);
}

/** Whether the condition is there with status True. */
export function isTrue(list: readonly Condition[] | undefined, type: string): boolean {
  return findCondition(list, type)?.status === 'True';
}

/** RFC 3339 in whole seconds, as the API server writes metav1.Time, so that a round trip changes nothing. */
export function formatTime(time: Date): string {
  return `${time.toISOString().slice(0, 19)}Z`;
}

/** RFC 3339 with the six digits that metav1.MicroTime asks for (Lease, Event); others are refused with 400. */
export function formatMicroTime(time: Date): string {
  return `${time.toISOString().slice(0, 23)}000Z`;
}
