import type { CertificateAuthority } from '#certs';
import { type WaitResult } from '#runtime';
import { authoritySecrets, readSecret, type Authorities } from './authorities.ts';
import type { Dependencies } from './dependencies.ts';
import type { ControlPlaneIdentity } from './identity.ts';
import { readPem } from './secret-data.ts';
import { retryMs, waitFor } from './waits.ts';

/** A CA of the control plane with its key, or the wait for it. */
export async function readAuthority(
  dependencies: Dependencies,
  identity: ControlPlaneIdentity,
  { use }: { readonly use: keyof Authorities },
  signal: AbortSignal,
): Promise<CertificateAuthority | WaitResult> {
  const name = authoritySecrets(identity)[use];
  const { certificate, privateKey } = readPem(
    await readSecret(dependencies, { namespace: identity.namespace, name }, signal),
  );
  if (certificate !== undefined && privateKey !== undefined) return { certificate, privateKey };
  return waitFor(
    'WaitingForCertificateAuthority',
    `Secret ${identity.namespace}/${name} with tls.crt and tls.key is not there yet`,
    retryMs,
  );
}
