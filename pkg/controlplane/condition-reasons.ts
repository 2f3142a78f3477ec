/**
 * Every reason that a condition of ours can carry: what it means and what a person can do about it.
 * `docs/reference/conditions.md` is generated from this table.
 */
export const conditionReasons = {
  Available: { meaning: 'The control plane serves requests.', action: 'Nothing.' },
  Ready: { meaning: 'The component serves.', action: 'Nothing.' },
  Issued: { meaning: 'All certificate authorities are there and sound.', action: 'Nothing.' },
  Claimed: { meaning: 'The Service address and range are claimed.', action: 'Nothing.' },
  Reconciling: {
    meaning: 'The controller has not come to this step yet.',
    action: 'Wait; the other conditions say for what.',
  },
  Paused: {
    meaning: 'Reconciliation is paused.',
    action: 'Remove the annotation cluster.x-k8s.io/paused or unpause the Cluster.',
  },
  NotPaused: { meaning: 'Reconciliation goes on.', action: 'Nothing.' },
  RollingOut: { meaning: 'Pods are being replaced by ones of a new specification.', action: 'Wait.' },
  UpToDate: { meaning: 'All pods run the wanted specification.', action: 'Nothing.' },
  Deleting: {
    meaning: 'The control plane is being taken down in order.',
    action: 'Wait; the message says what is left.',
  },
  NotDeleting: { meaning: 'Nobody asked for deletion.', action: 'Nothing.' },
  NameTaken: {
    meaning: 'An object of the wanted name exists and belongs to somebody else; it is left alone.',
    action: 'Delete or rename that object, or use another name for the control plane.',
  },
  WaitingForDeletion: {
    meaning: 'An object of the wanted name is still being deleted.',
    action: 'Wait; if it hangs, look at its finalizers.',
  },
  InvalidCertificateAuthority: {
    meaning: 'A certificate authority that was brought along cannot be used.',
    action: 'Replace the Secret that the message names with a valid CA certificate and its key.',
  },
  WaitingForCertificateAuthority: {
    meaning: 'A certificate authority is not there yet.',
    action: 'Wait; the NestedControlPlane makes it.',
  },
  ServiceRangeFull: {
    meaning: "The super cluster's Service range has no free slice for another tenant.",
    action: 'Add a ServiceCIDR to the super cluster, or delete tenants that are no longer needed.',
  },
  ServiceRangeUnknown: {
    meaning: "The super cluster's Service range cannot be read.",
    action: 'The super cluster must be Kubernetes 1.33 or newer (networking.k8s.io/v1 ServiceCIDR).',
  },
  InvalidServiceCIDR: {
    meaning: 'The wanted Service range cannot be had.',
    action: 'Leave spec.apiServer.serviceCIDR out, or choose what the message allows.',
  },
  WaitingForLoadBalancer: {
    meaning: 'The load balancer has no address yet.',
    action: 'Wait; if it stays, check that the super cluster provides load balancers.',
  },
  StorageClassNotFound: {
    meaning: 'The StorageClass for etcd does not exist, or there is no default one.',
    action:
      'The class of a control plane cannot be changed: create the class (or mark one as default, where none is named), or delete the control plane and create it with another.',
  },
  WaitingForPods: { meaning: 'Pods are not ready yet.', action: 'Wait; the message says what a pod waits for.' },
  WaitingForEtcd: { meaning: 'etcd does not serve yet.', action: 'Look at the NestedEtcd.' },
  WaitingForAPIServer: { meaning: 'The API server does not serve yet.', action: 'Look at the NestedAPIServer.' },
  WaitingForControllerManager: {
    meaning: 'The controller manager does not serve yet.',
    action: 'Look at the NestedControllerManager.',
  },
  WaitingForControlPlane: {
    meaning: 'The component has no NestedControlPlane that controls it.',
    action: 'Components are made by a NestedControlPlane; delete one that was made by hand.',
  },
  WaitingForCluster: {
    meaning: 'A Cluster refers to the control plane and does not own it yet.',
    action: 'Wait; Cluster API sets the owner reference. If it stays, look at the log of its controller manager.',
  },
  ClusterNameMismatch: {
    meaning: 'The control plane was made under one name and is owned by a Cluster of another now.',
    action: 'Delete it and let the Cluster have a new one, or remove the owner reference.',
  },
  WaitingForTenantAPI: {
    meaning: "The manager cannot reach the tenant's API server yet.",
    action: 'Wait; if it stays, check DNS and NetworkPolicies between the manager and the Service.',
  },
  DataLost: {
    meaning:
      'etcd was initialised before, and its volume is empty now. It is not started anew, since that would hide the loss.',
    action: 'Restore the volume, or delete the control plane and create it again.',
  },
  EtcdIdentityMismatch: {
    meaning: 'The etcd that answers is not the cluster that was recorded at creation.',
    action: 'Find out who replaced the data. Delete the control plane and create it again if the data is lost.',
  },
  UnsupportedVersion: {
    meaning: 'This release has no row for the wanted Kubernetes version.',
    action: 'Choose a version that the message lists.',
  },
  Forbidden: {
    meaning: 'The super cluster refused a request of the manager.',
    action:
      "Compare the manager's ClusterRole with docs/reference/rbac.md; in a namespace that is being deleted this is expected.",
  },
  InternalError: {
    meaning: 'The manager met an error that nobody foresaw: a bug of ours.',
    action: "It is tried again. Report it with what the manager's log has of this object.",
  },
  Rejected: {
    meaning: 'The super cluster refused an object that the settings lead to.',
    action: 'Correct the field that the message names.',
  },
} as const satisfies Record<string, { readonly meaning: string; readonly action: string }>;

export type ConditionReason = keyof typeof conditionReasons;
