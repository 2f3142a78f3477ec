import type { CertificateAuthority } from '#certs';
import type { WaitResult } from '#runtime';
import { authoritySecrets, judgeAuthority, readSecret, type Authorities, type AuthorityOwner } from './authorities.ts';
import { readPem } from './secret-data.ts';
import { retryMs, waitFor } from './waits.ts';

/**
 * A CA of the control plane with its key, or the wait for it. It is looked at each time before it signs anything: it may
 * have been replaced by something else of its name.
 */
export async function readAuthority(
  owner: AuthorityOwner,
  use: keyof Authorities,
  signal: AbortSignal,
): Promise<CertificateAuthority | WaitResult> {
  const { dependencies, identity } = owner;
  const name = authoritySecrets(identity)[use];
  const secret = await readSecret(dependencies, { namespace: identity.namespace, name }, signal);
  const { certificate, privateKey } = readPem(secret);
  if (secret === undefined || certificate === undefined || privateKey === undefined) {
    const what = `Secret ${identity.namespace}/${name} with tls.crt and tls.key`;
    return waitFor('WaitingForCertificateAuthority', `${what} is not there yet`, retryMs);
  }
  return judgeAuthority(owner, secret) ?? { certificate, privateKey };
}
