import type { Lease } from '#kube';

/**
 * When another's Lease has run out, as seen from here: no change of it for its duration, on our own monotonic clock.
 * Its times are never compared with our wall clock, for clocks differ.
 */
export class LeaseObservation {
  #version: string | undefined;
  #sinceMs = 0;

  /** Whether anybody may take the Lease, given what it looks like at `nowMs`. */
  isFree(lease: Lease, nowMs: number): boolean {
    if (lease.metadata.resourceVersion !== this.#version) {
      this.#version = lease.metadata.resourceVersion;
      this.#sinceMs = nowMs;
    }
    const { holderIdentity = '', leaseDurationSeconds = 0 } = lease.spec ?? {};
    return holderIdentity === '' || nowMs - this.#sinceMs > leaseDurationSeconds * 1000;
  }
}
