const units = [
  { letter: 'd', seconds: 86_400, until: Number.POSITIVE_INFINITY },
  { letter: 'h', seconds: 3600, until: 48 * 3600 },
  { letter: 'm', seconds: 60, until: 120 * 60 },
  { letter: 's', seconds: 1, until: 120 },
] as const;

/** Time since `timestamp` (RFC 3339) in kubectl's short form: `42s`, `5m`, `7h`, `3d`; `?` if there is no timestamp. */
export function formatAge(timestamp: string | undefined, now: Date): string {
  const then = Date.parse(timestamp ?? '');
  if (Number.isNaN(then)) return '?';
  const seconds = Math.max(0, Math.round((now.getTime() - then) / 1000));
  const unit = units.findLast((row) => seconds < row.until) ?? units[0];
  return `${Math.floor(seconds / unit.seconds)}${unit.letter}`;
}
