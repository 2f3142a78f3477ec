import type { Logger } from '#observe';
import { formatMicroTime, isKubeError, type KubeClient, type Lease, resources } from '#kube';

/** A Lease held or wanted: where it is and who asks. */
export interface LeaseSubject {
  readonly client: KubeClient;
  readonly namespace: string;
  readonly name: string;
  /** Unique to the process. */
  readonly holder: string;
  readonly durationSeconds: number;
}

/** The Lease as `holder` would have it now. The number of takeovers grows when somebody else had it before. */
export function claimedLease(
  { namespace, name, holder, durationSeconds }: LeaseSubject,
  now: Date,
  old?: Lease,
): Lease {
  const time = formatMicroTime(now);
  const isOurs = old?.spec?.holderIdentity === holder;
  return {
    ...old,
    apiVersion: resources.leases.apiVersion,
    kind: resources.leases.kind,
    metadata: old?.metadata ?? { namespace, name },
    spec: {
      ...old?.spec,
      holderIdentity: holder,
      leaseDurationSeconds: durationSeconds,
      acquireTime: isOurs ? (old.spec?.acquireTime ?? time) : time,
      renewTime: time,
      leaseTransitions: (old?.spec?.leaseTransitions ?? 0) + (old === undefined || isOurs ? 0 : 1),
    },
  };
}

/** The Lease given back: free for anybody at once. */
export function releasedLease(held: Lease, now: Date): Lease {
  const time = formatMicroTime(now);
  return {
    ...held,
    spec: { ...held.spec, holderIdentity: '', leaseDurationSeconds: 1, renewTime: time, acquireTime: time },
  };
}

/** Writes it: POST without a resourceVersion, PUT with one, so that of two who try one gets an error. */
export async function writeLease(client: KubeClient, lease: Lease, signal: AbortSignal): Promise<Lease> {
  return lease.metadata.resourceVersion === undefined
    ? await client.create(resources.leases, lease, signal)
    : await client.replace(resources.leases, lease, signal);
}

/** A lost race is everyday life, all else is worth a warning. */
export function logLeaseFailure(logger: Logger, error: unknown): void {
  if (isKubeError(error, 'CONFLICT', 'ALREADY_EXISTS')) logger.debug({ error }, 'Somebody else was faster');
  else logger.warn({ error }, 'Lease could not be read or written');
}
