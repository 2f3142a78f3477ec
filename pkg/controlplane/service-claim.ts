import type { NestedControlPlane } from '#apis';
import { renderAPIServerService } from '#manifests';
import { isKubeError, resources, type KubeClient, type Service } from '#kube';
import { type WaitResult } from '#runtime';
import type { Dependencies } from './dependencies.ts';
import { ensureApplied, ensureCreated } from './ensure.ts';
import type { ControlPlaneIdentity } from './identity.ts';
import { countSlices, freeSlices, requestedSlice, sliceOfAddress, type ServiceSlice } from './service-slices.ts';
import { retryMs, waitFor } from './waits.ts';

/** How many slices are tried in one go before the queue gets its turn again. */
const triesAtOnce = 16;

/** The Service that claims a tenant's slice, and the slice. */
export interface ServiceClaim {
  readonly slice: ServiceSlice;
  readonly service: Service;
}

interface Claimant {
  readonly controlPlane: NestedControlPlane;
  readonly identity: ControlPlaneIdentity;
}

/**
 * Claims a slice of super's Service range by creating the API server's Service at the slice's base + 1. Only one
 * Service can own that address, so the create is the claim and there is no other book-keeping; a lost race is answered
 * 422 and the next slice is tried.
 */
export async function claimService(
  dependencies: Dependencies,
  claimant: Claimant,
  signal: AbortSignal,
): Promise<ServiceClaim | WaitResult> {
  const { client, informers } = dependencies;
  const key = serviceKey(claimant);
  // The cache shows Services with our label only; one that lost it still holds the address.
  const existing = informers.services.get(key) ?? (await client.get(resources.services, key, signal));
  const address = existing?.spec?.clusterIP;
  if (address !== undefined) return keepService(dependencies, claimant, address, signal);
  const candidates = await findCandidates(client, claimant, signal);
  if ('next' in candidates) return candidates;
  for (const slice of candidates.slice(0, triesAtOnce)) {
    const claim = await tryClaim(dependencies, claimant, slice, signal);
    if (claim !== undefined) return claim;
  }
  return noneClaimed(claimant, candidates);
}

function noneClaimed({ controlPlane }: Claimant, candidates: readonly ServiceSlice[]): WaitResult {
  const wanted = wantedCIDR(controlPlane);
  if (wanted !== undefined) {
    return waitFor(
      'InvalidServiceCIDR',
      `${wanted} is claimed by another Service (its first address is taken); leave spec.apiServer.serviceCIDR out, or choose a free one`,
      30_000,
    );
  }
  const tried = Math.min(candidates.length, triesAtOnce);
  return waitFor(
    'ServiceRangeFull',
    `none of ${tried} slices could be claimed, others were faster; trying again`,
    2000,
  );
}

/** A slice that was claimed once stays the tenant's: its Services have their addresses in it. */
function wantedCIDR({ status, spec }: NestedControlPlane): string | undefined {
  return status?.serviceCIDR ?? spec.apiServer.serviceCIDR;
}

function serviceKey({ identity }: Claimant) {
  return { namespace: identity.namespace, name: identity.names.apiServer };
}

function desiredService({ controlPlane, identity }: Claimant, clusterIP: string) {
  const { type, annotations } = controlPlane.spec.apiServer.service;
  return renderAPIServerService({
    name: identity.names.apiServer,
    namespace: identity.namespace,
    labels: identity.labels,
    instance: identity.base,
    type,
    annotations: annotations ?? {},
    clusterIP,
  });
}

async function keepService(
  dependencies: Dependencies,
  claimant: Claimant,
  address: string,
  signal: AbortSignal,
): Promise<ServiceClaim | WaitResult> {
  const ensured = await ensureApplied<Service>(
    dependencies,
    {
      informer: dependencies.informers.services,
      desired: desiredService(claimant, address),
      owner: claimant.controlPlane,
    },
    signal,
  );
  if (ensured.state === 'blocked') return waitFor(ensured.reason, ensured.message, retryMs);
  const slice = sliceOfAddress(address);
  if (slice !== undefined) return { slice, service: ensured.object };
  return waitFor(
    'InvalidServiceCIDR',
    `Service ${claimant.identity.names.apiServer} has the address ${address}, which claims no slice; delete the Service to have another one claimed`,
  );
}

async function findCandidates(
  client: KubeClient,
  { controlPlane, identity }: Claimant,
  signal: AbortSignal,
): Promise<readonly ServiceSlice[] | WaitResult> {
  const cidrs = await serviceCIDRs(client, signal);
  if (cidrs.length === 0)
    return waitFor(
      'ServiceRangeUnknown',
      'the super cluster shows no ServiceCIDR (networking.k8s.io/v1); it must be Kubernetes 1.33 or newer',
      60_000,
    );
  const wanted = wantedCIDR(controlPlane);
  if (wanted !== undefined) {
    const slice = requestedSlice(wanted, cidrs);
    return 'problem' in slice ? waitFor('InvalidServiceCIDR', slice.problem, 60_000) : [slice];
  }
  const taken = await client.list(resources.ipAddresses, {}, signal);
  const free = freeSlices(
    { cidrs, taken: new Set(taken.items.map((address) => address.metadata.name ?? '')) },
    identity.uid,
  );
  if (free.length > 0) return free;
  return waitFor(
    'ServiceRangeFull',
    `all ${countSlices(cidrs)} slices (/24) of the super cluster's Service range ${cidrs.join(', ')} are claimed; add a ServiceCIDR or delete tenants`,
    10_000,
  );
}

async function serviceCIDRs(client: KubeClient, signal: AbortSignal): Promise<readonly string[]> {
  try {
    const { items } = await client.list(resources.serviceCIDRs, {}, signal);
    const usable = items.filter((item) => item.metadata.deletionTimestamp === undefined);
    return usable.flatMap((item) => item.spec?.cidrs ?? []);
  } catch (error) {
    if (isKubeError(error, 'NOT_FOUND')) return [];
    throw error;
  }
}

/** Undefined when somebody else has the address. */
async function tryClaim(
  dependencies: Dependencies,
  claimant: Claimant,
  slice: ServiceSlice,
  signal: AbortSignal,
): Promise<ServiceClaim | WaitResult | undefined> {
  const request = {
    informer: dependencies.informers.services,
    desired: desiredService(claimant, slice.address),
    owner: claimant.controlPlane,
  };
  try {
    const ensured = await ensureCreated<Service>(dependencies, request, signal);
    if (ensured.state === 'blocked') return waitFor(ensured.reason, ensured.message, retryMs);
    const actual = sliceOfAddress(ensured.object.spec?.clusterIP ?? '') ?? slice;
    return { slice: actual, service: ensured.object };
  } catch (error) {
    if (isKubeError(error, 'INVALID') && /already allocated/.test(error.message)) return undefined;
    throw error;
  }
}
