import type { NestedControlPlane } from '#apis';
import type { KubeClient } from '#kube';
import type { Endpoint } from '../children.ts';
import type { Dependencies } from '../dependencies.ts';
import type { ControlPlaneIdentity } from '../identity.ts';
import type { IssuedCertificate } from '../leaf-secrets.ts';
import type { ServiceSlice } from '../service-slices.ts';
import type { TenantConnections } from '../tenant-connections.ts';

/** What the steps of a NestedControlPlane work on, and what each leaves for the next. */
export interface ControlPlaneScope {
  readonly dependencies: Dependencies;
  readonly connections: TenantConnections;
  readonly controlPlane: NestedControlPlane;
  readonly identity: ControlPlaneIdentity;
  /** Set by `claimServiceAddress`. */
  slice?: ServiceSlice;
  /** Set by `publishEndpoint`. */
  endpoint?: Endpoint;
  /** Set by `probeAPIServer`: the tenant's API server, with full rights. */
  tenant?: KubeClient;
  /** Of the kubeconfigs; at first what the status says. */
  certificates: readonly IssuedCertificate[];
  /** Whether the API server has ever taken requests; set by `grantAccess`. */
  initialized: boolean;
}
