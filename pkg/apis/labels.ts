/** Labels, annotations, finalizers and fixed names that more than one program relies on. */

/** Set by Cluster API on everything of a Cluster; a stand-alone control plane uses its own name. */
export const clusterNameLabel = 'cluster.x-k8s.io/cluster-name';

/** On a CustomResourceDefinition: its versions that follow the v1beta2 contract of Cluster API, joined by `_`. */
export const contractLabel = 'cluster.x-k8s.io/v1beta2';

/** On everything of the provider's own installation; clusterctl selects by it. */
export const providerLabel = 'cluster.x-k8s.io/provider';
export const providerLabelValue = 'control-plane-nested';

/** On every object that this provider makes; its watches select by it. */
export const managedByLabel = 'app.kubernetes.io/managed-by';
export const managedByValue = 'cluster-api-provider-nested';

/** `etcd`, `kube-apiserver` or `kube-controller-manager`: on pods and what belongs to them. */
export const componentLabel = 'app.kubernetes.io/component';

/** The control plane's base name, on everything of one control plane. */
export const instanceLabel = 'app.kubernetes.io/instance';

/** UID of the NestedControlPlane, on whatever must never pass to a later control plane of the same name. */
export const controlPlaneUidLabel = 'tenancy.x-k8s.io/control-plane-uid';

/** Holds a control plane until its objects are gone, in order. */
export const controlPlaneFinalizer = 'nestedcontrolplane.controlplane.cluster.x-k8s.io/finalizer';

/** `clusterctl move` would destroy a hosted control plane; this annotation makes it refuse. */
export const blockMoveAnnotation = 'clusterctl.cluster.x-k8s.io/block-move';

/** On a pod template: hash of the certificates and configuration that the pods read at start. */
export const configHashAnnotation = 'tenancy.x-k8s.io/config-hash';

/** The type of Secret that the Cluster API contract asks for. */
export const clusterSecretType = 'cluster.x-k8s.io/secret';

/** Group of the admin kubeconfig; bound in the tenant by a ClusterRoleBinding that can be revoked. */
export const adminGroup = 'capn:cluster-admins';

/** User of the syncer's client certificate in every tenant. */
export const syncerUser = 'capn:syncer';

/** Where the provider is installed unless the manifests are changed. */
export const systemNamespace = 'capn-system';

/** Secret in the provider's namespace: the CA that signs API servers' kubelet-client certificates, one an installation. */
export const gatewayCASecretName = 'capn-gateway-ca';
