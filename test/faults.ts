/** Something that goes wrong or is given wrong, on purpose, in a test. */
export interface Fault {
  /** Tests that try it have `[F-…]` with this id in their title. */
  readonly id: `F-${string}`;
  /** What is tried, and what has to come of it. */
  readonly title: string;
}

/**
 * Every fault that this project promises to survive. `docs/reference/faults.md` is generated from this list and from the
 * titles of the tests; `cmd/gen` fails for an id that no test tries, and for a test that names an id that is not here.
 */
export const faults: readonly Fault[] = [
  {
    id: 'F-sandbox-package',
    title: 'A Debian package that the sandbox needs is missing: one message says what to run',
  },
  { id: 'F-sandbox-not-root', title: 'The sandbox is started without being root: one message says what to run' },
  {
    id: 'F-sandbox-wrong-os',
    title:
      'The sandbox is started on another system than Linux, or on another processor than x86-64: one message says so',
  },
  { id: 'F-sandbox-killed', title: 'A part of the sandbox is killed (SIGKILL): up repairs it' },
  { id: 'F-sandbox-beside', title: 'A second sandbox, an interrupted up and two at once: each has its own cluster' },
  {
    id: 'F-version-unsupported',
    title: 'A Kubernetes version without a row, or in another form: refused; the message lists what is supported',
  },
  { id: 'F-version-downgrade', title: 'A version below the lowest that runs: refused' },
  { id: 'F-version-two-minors', title: 'A version two minors above what runs: refused' },
  { id: 'F-version-status', title: 'A status that contradicts the version rules: status writes never fail on them' },
  {
    id: 'F-version-dropped',
    title:
      'A version whose row a newer release of this provider drops: status, labels and finalizers can still be written',
  },
  { id: 'F-replicas-zero', title: 'Replicas 0, in the object or by `kubectl scale`: refused' },
  { id: 'F-etcd-replicas', title: 'Two etcd members: refused' },
  { id: 'F-name-dot', title: 'A name with a dot: refused' },
  { id: 'F-name-digit', title: 'A name that starts with a digit: refused' },
  { id: 'F-name-63', title: 'A name of 63 characters: works' },
  { id: 'F-name-too-long', title: 'A name of 64 characters: refused' },
  { id: 'F-argument-owned', title: 'An extra argument that the control plane sets itself: refused, each of them' },
  { id: 'F-argument-twice', title: 'An extra argument given twice: refused' },
  { id: 'F-argument-newline', title: 'An extra argument with a newline in it: refused' },
  { id: 'F-quantity', title: 'A size or an amount that is no quantity: refused' },
  { id: 'F-san', title: 'A further name of the API server that is no DNS name, wildcard or IP address: refused' },
  { id: 'F-endpoint', title: 'A host of the endpoint that is no DNS name or IP address: refused' },
  { id: 'F-image', title: 'An image name that cannot be, or a repository with a tag or digest: refused' },
  { id: 'F-placement', title: 'A node label, toleration or PriorityClass that no pod could have: refused' },
  { id: 'F-annotation', title: 'An annotation of the Service that is ours or has an impossible name: refused' },
  { id: 'F-resources', title: 'Resources of other names, or a request above its limit: refused' },
  { id: 'F-class-name', title: 'An impossible name of a StorageClass, which could not be changed later: refused' },
  { id: 'F-pull-secret', title: 'An impossible name of a pull Secret: refused' },
  { id: 'F-env', title: 'An environment variable with a NUL character: refused; several lines are fine' },
  { id: 'F-cidr', title: 'A Service range that is no aligned IPv4 /24: refused' },
  {
    id: 'F-range-full',
    title: "The super cluster's Service range is full: a condition says so, and it goes on once there is room",
  },
  { id: 'F-immutable', title: "A change of etcd's size or StorageClass, or of the Service range: refused" },
  {
    id: 'F-storage-class-missing',
    title: 'A StorageClass that is not there: a condition says so, and it goes on once it is there',
  },
  { id: 'F-ca-expired', title: 'A CA brought along that has expired: a condition names the Secret' },
  { id: 'F-ca-not-a-ca', title: 'A certificate brought along that is no CA: a condition names the Secret' },
  { id: 'F-ca-key-mismatch', title: 'A CA brought along whose key does not match: a condition names the Secret' },
  {
    id: 'F-secret-foreign',
    title: 'A Secret of the wanted name that belongs to somebody else: left alone, a condition names it',
  },
  { id: 'F-secret-deleting', title: 'A Secret of the wanted name that is being deleted: waited for, never used' },
  {
    id: 'F-claim-foreign',
    title: 'A claim of the wanted name that belongs to somebody else: left alone, a condition names it',
  },
  { id: 'F-claim-deleting', title: 'A claim of the wanted name that is being deleted: waited for, never used' },
  {
    id: 'F-service-foreign',
    title: 'A Service of the wanted name that belongs to somebody else: left alone, a condition names it',
  },
  { id: 'F-service-deleting', title: 'A Service of the wanted name that is being deleted: waited for, never used' },
  { id: 'F-owned-deleted', title: 'An owned object is deleted by hand: made again' },
  { id: 'F-owned-edited', title: 'An owned object is edited by hand: put right' },
  { id: 'F-etcd-killed', title: 'The etcd pod is killed: the data is there after' },
  {
    id: 'F-etcd-lost',
    title: "etcd's volume comes up empty: a condition says so, and no empty cluster takes the tenant's place",
  },
  { id: 'F-name-reused', title: 'The same name created and deleted ten times: never the old data' },
  {
    id: 'F-namespace-deleted',
    title: 'The namespace is deleted in the middle of a bring-up: everything goes, nothing hangs',
  },
  {
    id: 'F-name-two-namespaces',
    title: 'A second control plane of the same name in another namespace: both work, apart',
  },
  {
    id: 'F-manager-killed',
    title: 'The manager is killed (SIGKILL) at five moments of a bring-up: the control plane comes up all the same',
  },
  {
    id: 'F-super-restarted',
    title:
      "The super cluster's API server restarts in the middle of a bring-up: the control plane comes up all the same",
  },
];
