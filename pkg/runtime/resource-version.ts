/**
 * Compares two resourceVersions of one resource (KEP-5504: decimal numbers, larger is later). Negative when `left` is
 * earlier; 0 when equal or when either is no number, for then nothing can be said.
 */
export function compareResourceVersions(left: string, right: string): number {
  if (!isNumber(left) || !isNumber(right)) return 0;
  return left.length - right.length || (left < right ? -1 : Number(left > right));
}

function isNumber(version: string): boolean {
  return /^[1-9]\d*$/.test(version);
}
