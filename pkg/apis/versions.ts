/** What belongs to one Kubernetes minor: a new minor is a new row. */
export interface VersionRow {
  /** The minor: 36 for v1.36. */
  readonly minor: number;
  /** The patch release that samples, the demo and the tests use. */
  readonly tested: string;
  /** Tag of the etcd image that kubeadm of this minor runs (cmd/kubeadm/app/constants). */
  readonly etcdTag: string;
  /** Why this row is what it is. */
  readonly note: string;
}

/** The Kubernetes minors that tenants can run, oldest first. */
export const versionRows = [
  { minor: 36, tested: 'v1.36.3', etcdTag: '3.6.8-0', note: 'etcd as in SupportedEtcdVersion of kubeadm v1.36.3' },
] as const satisfies readonly VersionRow[];

/** A Kubernetes version taken apart. */
export interface ParsedVersion {
  readonly major: number;
  readonly minor: number;
  readonly patch: number;
}

/** The pattern of `spec.version`: `v1.36.3`, with the `v`, without build metadata. */
export const versionPattern = String.raw`^v(0|[1-9][0-9]{0,2})\.(0|[1-9][0-9]{0,2})\.(0|[1-9][0-9]{0,2})$`;

/** Takes `v1.36.3` (or `1.36.3`) apart; undefined if it is not a release version. */
export function parseVersion(text: string): ParsedVersion | undefined {
  const match = /^v?(\d+)\.(\d+)\.(\d+)$/.exec(text);
  if (match === null) return undefined;
  const [, major, minor, patch] = match;
  return { major: Number(major), minor: Number(minor), patch: Number(patch) };
}

/** Negative when `a` is older than `b`, positive when newer, 0 when equal. */
export function compareVersions(a: ParsedVersion, b: ParsedVersion): number {
  return a.major - b.major || a.minor - b.minor || a.patch - b.patch;
}

/** The row for a version such as `v1.36.3`; undefined if its minor is not supported. */
export function rowFor(version: string): VersionRow | undefined {
  const parsed = parseVersion(version);
  if (parsed?.major !== 1) return undefined;
  return versionRows.find((row) => row.minor === parsed.minor);
}

/** `v1.36.x`, joined by commas: for messages. */
export function supportedVersionsText(): string {
  return versionRows.map((row) => `v1.${row.minor}.x`).join(', ');
}
