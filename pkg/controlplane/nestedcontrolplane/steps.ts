import { blockMoveAnnotation, clusterNameLabel, controlPlaneFinalizer, rowFor, supportedVersionsText } from '#apis';
import { isKubeError, keyOf, uidOf } from '#kube';
import { proceed, type ReconcileContext, type StepResult, type Steps, type WaitResult } from '#runtime';
import { ensureAuthorities } from '../authorities.ts';
import { readAuthority } from '../read-authority.ts';
import { apiServerFor, controllerManagerFor, etcdFor, type Endpoint } from '../children.ts';
import { fieldManager } from '../dependencies.ts';
import { claimService } from '../service-claim.ts';
import { bindAdmins, bindSyncer } from '../tenant-access.ts';
import { applyChild } from './apply-child.ts';
import { decideName } from './decide-name.ts';
import { publishKubeconfig } from './kubeconfigs.ts';
import type { ControlPlaneScope } from './scope.ts';
import { retryMs, waitFor } from '../waits.ts';

/** The port of the API server's Service that kubeconfigs name. */
const apiServerPort = 6443;

/**
 * Bring-up, in order. Each step waits for what it needs to *serve*, and says what it waits for.
 */
export const bringUpSteps = {
  checkVersion,
  decideName: (scope: ControlPlaneScope, { signal }: ReconcileContext) => decideName(scope, signal),
  ensureFinalizer,
  ensureAuthorities: (scope: ControlPlaneScope, { signal }: ReconcileContext) => ensureAuthorities(scope, signal),
  claimServiceAddress,
  publishEndpoint,
  applyEtcd,
  applyAPIServer,
  probeAPIServer,
  publishAdminKubeconfig: (scope: ControlPlaneScope, { signal }: ReconcileContext) =>
    publishKubeconfig(scope, 'adminKubeconfig', signal),
  grantAccess,
  publishControllerManagerKubeconfig: (scope: ControlPlaneScope, { signal }: ReconcileContext) =>
    publishKubeconfig(scope, 'controllerManagerKubeconfig', signal),
  applyControllerManager,
  publishSyncerKubeconfig,
} satisfies Steps<ControlPlaneScope>;

/** The schema refuses such versions; an object from before a downgrade of the provider can still have one. */
function checkVersion({ controlPlane }: ControlPlaneScope): StepResult {
  const { version } = controlPlane.spec;
  if (rowFor(version) !== undefined) return proceed();
  return waitFor(
    'UnsupportedVersion',
    `Kubernetes ${version} is not supported by this release; supported are ${supportedVersionsText()}`,
  );
}

async function ensureFinalizer(
  { dependencies, controlPlane, identity }: ControlPlaneScope,
  { signal }: ReconcileContext,
): Promise<StepResult> {
  const { finalizers = [], labels = {}, annotations = {}, resourceVersion } = controlPlane.metadata;
  const isMarked =
    finalizers.includes(controlPlaneFinalizer) &&
    labels[clusterNameLabel] === identity.base &&
    annotations[blockMoveAnnotation] !== undefined;
  if (isMarked) return proceed();
  const metadata = {
    uid: uidOf(controlPlane),
    resourceVersion,
    finalizers: [...new Set([...finalizers, controlPlaneFinalizer])],
    labels: { [clusterNameLabel]: identity.base },
    annotations: { [blockMoveAnnotation]: annotations[blockMoveAnnotation] ?? '' },
  };
  const target = { type: dependencies.informers.controlPlanes.type, key: keyOf(controlPlane) };
  await dependencies.client.mergePatch(target, { metadata }, { fieldManager }, signal);
  return proceed();
}

async function claimServiceAddress(scope: ControlPlaneScope, { signal }: ReconcileContext): Promise<StepResult> {
  const { dependencies, controlPlane, identity } = scope;
  const claim = await claimService(dependencies, { controlPlane, identity }, signal);
  if ('next' in claim) return claim;
  scope.slice = claim.slice;
  const { type } = controlPlane.spec.apiServer.service;
  const given = controlPlane.spec.controlPlaneEndpoint;
  if (given !== undefined) {
    scope.endpoint = given;
    return proceed();
  }
  if (type !== 'LoadBalancer') {
    scope.endpoint = { host: `${identity.names.apiServer}.${identity.namespace}.svc`, port: apiServerPort };
    return proceed();
  }
  const ingress = claim.service.status?.loadBalancer?.ingress?.[0];
  const host = ingress?.hostname ?? ingress?.ip;
  if (host === undefined)
    return waitFor(
      'WaitingForLoadBalancer',
      `Service ${identity.namespace}/${identity.names.apiServer} has no load balancer address yet`,
    );
  scope.endpoint = { host, port: apiServerPort };
  return proceed();
}

/** Cluster API copies `spec.controlPlaneEndpoint` once and for good, so it is written only when it is final. */
async function publishEndpoint(
  { dependencies, controlPlane, endpoint }: ControlPlaneScope,
  { signal }: ReconcileContext,
): Promise<StepResult> {
  if (controlPlane.spec.controlPlaneEndpoint !== undefined || endpoint === undefined) return proceed();
  const target = { type: dependencies.informers.controlPlanes.type, key: keyOf(controlPlane) };
  const patch = { metadata: { uid: uidOf(controlPlane) }, spec: { controlPlaneEndpoint: endpoint } };
  await dependencies.client.mergePatch(target, patch, { fieldManager }, signal);
  return proceed();
}

async function applyEtcd(scope: ControlPlaneScope, { signal }: ReconcileContext): Promise<StepResult> {
  const { dependencies, controlPlane, identity } = scope;
  const desired = etcdFor(controlPlane, identity);
  return applyChild(scope, { informer: dependencies.informers.etcds, desired, reason: 'WaitingForEtcd' }, signal);
}

async function applyAPIServer(scope: ControlPlaneScope, { signal }: ReconcileContext): Promise<StepResult> {
  const { dependencies, controlPlane, identity, slice, endpoint } = scope;
  const etcd = dependencies.informers.etcds.get({ namespace: identity.namespace, name: identity.base });
  if (slice === undefined || endpoint === undefined || etcd === undefined)
    return waitFor('WaitingForEtcd', 'etcd is not there yet');
  const desired = apiServerFor(controlPlane, identity, { slice, endpoint, etcd });
  return applyChild(
    scope,
    { informer: dependencies.informers.apiServers, desired, reason: 'WaitingForAPIServer' },
    signal,
  );
}

/** Ready pods are not enough: the manager asks the API server itself, by the name that others will use. */
async function probeAPIServer(scope: ControlPlaneScope, { signal }: ReconcileContext): Promise<StepResult> {
  const { connections, identity } = scope;
  const ca = await readAuthority(scope, 'ca', signal);
  if ('next' in ca) return ca;
  scope.tenant = await connections.to(identity, internalEndpoint(scope), ca);
  try {
    const { status } = await scope.tenant.raw({ method: 'GET', path: '/readyz', timeoutMs: 5000 }, signal);
    return status === 200
      ? proceed()
      : waitFor('WaitingForTenantAPI', `the API server answers /readyz with ${status}`, 1000);
  } catch (error) {
    if (!isKubeError(error, 'UNAVAILABLE', 'TIMEOUT', 'UNAUTHORIZED')) throw error;
    return waitFor(
      'WaitingForTenantAPI',
      `the API server's pods are ready but the manager cannot reach it: ${error.message}`,
      1000,
    );
  }
}

function internalEndpoint({ identity }: ControlPlaneScope): Endpoint {
  return { host: `${identity.names.apiServer}.${identity.namespace}.svc`, port: apiServerPort };
}

/** The admins' binding is made once: a tenant that takes it away later has revoked the admin kubeconfig. */
async function grantAccess(scope: ControlPlaneScope, { signal }: ReconcileContext): Promise<StepResult> {
  const { tenant, initialized } = scope;
  if (tenant === undefined || initialized) return proceed();
  const refused = await askTenant(() => bindAdmins(tenant, signal));
  if (refused !== undefined) return refused;
  scope.initialized = true;
  return proceed();
}

async function applyControllerManager(scope: ControlPlaneScope, { signal }: ReconcileContext): Promise<StepResult> {
  const { dependencies, controlPlane, identity, slice } = scope;
  if (slice === undefined) return waitFor('WaitingForAPIServer', 'the Service range is not claimed yet');
  const desired = controllerManagerFor(controlPlane, identity, slice);
  const informer = dependencies.informers.controllerManagers;
  return applyChild(scope, { informer, desired, reason: 'WaitingForControllerManager' }, signal);
}

async function publishSyncerKubeconfig(scope: ControlPlaneScope, { signal }: ReconcileContext): Promise<StepResult> {
  const { tenant } = scope;
  const published = await publishKubeconfig(scope, 'syncerKubeconfig', signal);
  if (published.next !== 'continue' || tenant === undefined) return published;
  return (await askTenant(() => bindSyncer(tenant, signal))) ?? proceed();
}

/**
 * Turns what a tenant's API server answers into a wait: a tenant can make requests fail at will (by a webhook, say), and
 * that must neither stop the status nor look like a fault of the super cluster.
 */
async function askTenant(ask: () => Promise<void>): Promise<WaitResult | undefined> {
  try {
    await ask();
    return undefined;
  } catch (error) {
    if (!isKubeError(error) || error.code === 'ABORTED') throw error;
    return waitFor('WaitingForTenantAPI', `the tenant's API server did not take a request: ${error.message}`, retryMs);
  }
}
