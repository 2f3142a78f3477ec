import type { ConfigMap } from '#kube';
import { proceed, type StepResult } from '#runtime';
import { ensureApplied, ensureCreated } from '../ensure.ts';
import type { ControlPlaneIdentity } from '../identity.ts';
import { firstBlocked, waitFor } from '../waits.ts';
import type { EtcdScope } from './steps.ts';

/** What etcd says of itself (etcd v3 gRPC gateway, maintenance/status). Numbers above 2^53 come as text. */
interface EtcdStatus {
  readonly header?: { readonly cluster_id?: string; readonly member_id?: string };
  readonly version?: string;
}

/** The certificates to ask etcd with. */
export interface EtcdCredentials {
  readonly ca: string;
  readonly certificate?: string;
  readonly privateKey?: string;
}

/**
 * The record of etcd's identity, outside of etcd. Members read `state` at each start as their
 * `ETCD_INITIAL_CLUSTER_STATE`: `new` until the cluster has formed once, `existing` ever after, so that a member whose
 * volume came up empty refuses to form another cluster.
 */
function identityRecord({ namespace, names, labels }: ControlPlaneIdentity, clusterID?: string) {
  const data = clusterID === undefined ? { state: 'new' } : { state: 'existing', clusterID };
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: names.etcdIdentity, namespace, labels }, data };
}

/**
 * The cluster ID as it was recorded: in the status of the control plane or of the component, which only this provider
 * writes, else in the ConfigMap. Each outlives the others' deletion by hand.
 */
export function recordedID({ dependencies, identity, component, controlPlane }: EtcdScope): string | undefined {
  const key = { namespace: identity.namespace, name: identity.names.etcdIdentity };
  const record = dependencies.informers.configMaps.get(key);
  return controlPlane.status?.etcdClusterID ?? component.status?.clusterID ?? record?.data?.['clusterID'];
}

/** The record belongs to the control plane: it outlives a NestedEtcd that is deleted by hand. */
function recordRequest({ dependencies, identity, controlPlane }: EtcdScope, clusterID: string | undefined) {
  const informer = dependencies.informers.configMaps;
  return { informer, desired: identityRecord(identity, clusterID), owner: controlPlane };
}

/** Makes the record before the first pod starts; one that was edited or deleted by hand is put right again. */
export async function ensureIdentityRecord(scope: EtcdScope, signal: AbortSignal): Promise<StepResult> {
  const known = recordedID(scope);
  const request = recordRequest(scope, known);
  const ensured =
    known === undefined
      ? await ensureCreated<ConfigMap>(scope.dependencies, request, signal)
      : await ensureApplied<ConfigMap>(scope.dependencies, request, signal);
  return firstBlocked(ensured) ?? proceed();
}

/** Asks etcd who it is; records it the first time and compares ever after. */
export async function recordIdentity(
  scope: EtcdScope,
  credentials: EtcdCredentials,
  signal: AbortSignal,
): Promise<StepResult> {
  const status = await askEtcd(scope, credentials, signal);
  const clusterID = status.header?.cluster_id === undefined ? undefined : BigInt(status.header.cluster_id).toString(16);
  if (clusterID === undefined) return waitFor('WaitingForEtcd', 'etcd does not tell its cluster ID yet', 2000);
  const recorded = recordedID(scope);
  if (recorded !== undefined && recorded !== clusterID) {
    return waitFor(
      'EtcdIdentityMismatch',
      `etcd says that its cluster ID is ${clusterID}, recorded is ${recorded}: this is not the data of this control plane`,
      30_000,
    );
  }
  const request = recordRequest(scope, clusterID);
  const blocked = firstBlocked(await ensureApplied<ConfigMap>(scope.dependencies, request, signal));
  if (blocked !== undefined) return blocked;
  scope.extra = { ...scope.extra, clusterID, ...(status.version === undefined ? {} : { etcdVersion: status.version }) };
  return proceed();
}

async function askEtcd(
  { dependencies, extra }: EtcdScope,
  credentials: EtcdCredentials,
  signal: AbortSignal,
): Promise<EtcdStatus> {
  const [server = ''] = extra.endpoints ?? [];
  const { ca, certificate, privateKey } = credentials;
  await using etcd = dependencies.connect({
    server,
    caData: ca,
    ...(certificate === undefined ? {} : { certData: certificate }),
    ...(privateKey === undefined ? {} : { keyData: privateKey }),
  });
  const request = { method: 'POST', path: '/v3/maintenance/status', body: {}, timeoutMs: 5000 } as const;
  const { status, body } = await etcd.raw(request, signal);
  return status === 200 ? (JSON.parse(body) as EtcdStatus) : {};
}
