import { dayMs } from './authority.ts';
import type { CertificateSpec } from './certificate-spec.ts';
import { wholeSeconds } from './key-pair.ts';

/** When a certificate issued at `now` ends: after its lifetime, or with its authority if that is sooner. */
export function expiryOf(spec: Pick<CertificateSpec, 'lifetimeDays'>, authorityNotAfter: Date, now: Date): Date {
  if (authorityNotAfter <= now) {
    throw new Error(`the authority expired at ${authorityNotAfter.toISOString()} and cannot issue certificates`);
  }
  return wholeSeconds(Math.min(now.getTime() + spec.lifetimeDays * dayMs, authorityNotAfter.getTime()));
}
