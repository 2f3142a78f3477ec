import { clusterSecretType } from '#apis';
import {
  certificateOfKubeconfig,
  describeCertificate,
  inspectCertificate,
  inspectKubeconfig,
  issueCertificate,
  renderKubeconfig,
  type CertificateAuthority,
  type KeyPairPem,
  type LeafRow,
} from '#certs';
import { formatTime, type KubeObject, type Secret } from '#kube';
import type { WaitResult } from '#runtime';
import type { Dependencies } from './dependencies.ts';
import { ensureApplied, obstacleIn, type Ensured } from './ensure.ts';
import { readSecret } from './authorities.ts';
import type { ControlPlaneIdentity } from './identity.ts';
import { readPem, readText, secretData } from './secret-data.ts';
import { retryMs, waitFor } from './waits.ts';

/** A leaf certificate to have, who signs it, and whose the Secret is. */
export interface LeafRequest {
  readonly row: LeafRow;
  readonly authority: CertificateAuthority;
  readonly identity: ControlPlaneIdentity;
  readonly owner: KubeObject;
  /** Further texts for the Secret, such as `ca.crt`. */
  readonly extra?: Readonly<Record<string, string>>;
}

/** A certificate in use, as status reports it. */
export interface IssuedCertificate {
  readonly name: string;
  readonly serialNumber: string;
  readonly notAfter: string;
}

/**
 * Makes the Secret of one leaf certificate so: issues it when it is missing, unreadable, signed by another CA, of other
 * names than wanted, or past two thirds of its life. Otherwise the certificate that is there stays, byte for byte.
 */
export async function ensureLeaf(
  dependencies: Dependencies,
  request: LeafRequest,
  signal: AbortSignal,
): Promise<Ensured<Secret>> {
  const { row, identity, owner } = request;
  const key = { namespace: identity.namespace, name: row.secretName };
  const existing = await readSecret(dependencies, key, signal);
  const obstacle =
    existing === undefined ? undefined : obstacleIn(dependencies.informers.secrets.type, existing, owner);
  if (obstacle !== undefined) return obstacle;
  const now = dependencies.clock.now();
  const texts = keptTexts(request, existing, now) ?? (await issuedTexts(request, now));
  const desired = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { ...key, labels: identity.labels },
    type: clusterSecretType,
    data: secretData(texts),
  };
  return ensureApplied<Secret>(dependencies, { informer: dependencies.informers.secrets, desired, owner }, signal);
}

/** Leaves that one component issues for its pods. */
export interface LeavesRequest extends Pick<LeafRequest, 'identity' | 'owner'> {
  readonly rows: readonly LeafRow[];
  /** The CA that signs a row, or the wait for it. */
  readonly authorityOf: (row: LeafRow) => Promise<CertificateAuthority | WaitResult> | CertificateAuthority;
}

/**
 * Makes the Secrets of several leaves so, in order, each with the CA that signed it as `ca.crt`. Answers with all of
 * them, or with the first wait.
 */
export async function ensureLeaves(
  dependencies: Dependencies,
  { rows, authorityOf, ...request }: LeavesRequest,
  signal: AbortSignal,
): Promise<readonly Secret[] | WaitResult> {
  const secrets: Secret[] = [];
  for (const row of rows) {
    const authority = await authorityOf(row);
    if ('next' in authority) return authority;
    const extra = { 'ca.crt': authority.certificate };
    const ensured = await ensureLeaf(dependencies, { ...request, row, authority, extra }, signal);
    if (ensured.state === 'blocked') return waitFor(ensured.reason, ensured.message, retryMs);
    secrets.push(ensured.object);
  }
  return secrets;
}

/** What status says of the certificates in some Secrets. */
export function certificatesIn(secrets: readonly Secret[]): readonly IssuedCertificate[] {
  return secrets.flatMap((secret) => certificateIn(secret) ?? []);
}

/** Serial number and expiry of the certificate in a Secret, plain or in a kubeconfig; undefined if there is none. */
export function certificateIn(secret: Secret): IssuedCertificate | undefined {
  const pem = readText(secret, 'tls.crt') ?? certificateOfKubeconfig(readText(secret, 'value') ?? '');
  if (pem === undefined) return undefined;
  const { serialNumber, notAfter } = describeCertificate(pem);
  return { name: secret.metadata.name ?? '', serialNumber, notAfter: formatTime(notAfter) };
}

function keptTexts(
  { row, authority, extra }: LeafRequest,
  existing: Secret | undefined,
  now: Date,
): Readonly<Record<string, string>> | undefined {
  if (existing === undefined) return undefined;
  const check = { ca: authority, spec: row.spec, now };
  if (row.kubeconfig !== undefined) {
    const value = readText(existing, 'value') ?? '';
    const finding = inspectKubeconfig(value, { ...check, kubeconfig: row.kubeconfig });
    return finding === undefined ? { value } : undefined;
  }
  const { certificate, privateKey } = readPem(existing);
  if (certificate === undefined || privateKey === undefined) return undefined;
  const finding = inspectCertificate({ certificate, privateKey }, check);
  return finding === undefined ? { 'tls.crt': certificate, 'tls.key': privateKey, ...extra } : undefined;
}

async function issuedTexts(
  { row, authority, extra }: LeafRequest,
  now: Date,
): Promise<Readonly<Record<string, string>>> {
  const pair: KeyPairPem = await issueCertificate(authority, row.spec, now);
  if (row.kubeconfig === undefined) return { 'tls.crt': pair.certificate, 'tls.key': pair.privateKey, ...extra };
  return { value: renderKubeconfig({ ...row.kubeconfig, caPem: authority.certificate, ...pair }) };
}
