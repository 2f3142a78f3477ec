import { clusterSecretType, type NestedControlPlane } from '#apis';
import {
  authorityLifetimeDays,
  generateCertificateAuthority,
  generateServiceAccountKey,
  inspectAuthority,
  inspectServiceAccountKey,
  type CertificateAuthority,
} from '#certs';
import { recordEvent, resources, type Secret } from '#kube';
import { proceed, type StepResult, type WaitResult } from '#runtime';
import { fieldManager, type Dependencies } from './dependencies.ts';
import { ensureCreated, obstacleIn } from './ensure.ts';
import { readPem, secretData } from './secret-data.ts';
import type { ControlPlaneIdentity } from './identity.ts';
import { retryMs, waitFor } from './waits.ts';

/** The authorities of one control plane, keys included. They never leave the manager's memory but for their Secrets. */
export interface Authorities {
  readonly ca: CertificateAuthority;
  readonly etcd: CertificateAuthority;
  readonly frontProxy: CertificateAuthority;
}

/** Whose authorities: a part of every scope. */
export interface AuthorityOwner {
  readonly dependencies: Dependencies;
  readonly controlPlane: NestedControlPlane;
  readonly identity: ControlPlaneIdentity;
}

/** Which Secret holds which authority. */
export function authoritySecrets({ names }: ControlPlaneIdentity): Readonly<Record<keyof Authorities, string>> {
  return { ca: names.secrets.ca, etcd: names.secrets.etcdCA, frontProxy: names.secrets.frontProxyCA };
}

/**
 * The Secret as the cache or, for one that a user brought without our labels, the server knows it.
 */
export async function readSecret(
  { client, informers }: Pick<Dependencies, 'client' | 'informers'>,
  key: { readonly namespace: string; readonly name: string },
  signal: AbortSignal,
): Promise<Secret | undefined> {
  return informers.secrets.get(key) ?? (await client.get(resources.secrets, key, signal));
}

/**
 * Makes the CAs and the ServiceAccount key that are missing. Secrets that a user brought are used as they are (Cluster
 * API contract, "Certificate management"), after a look at whether they can work.
 */
export async function ensureAuthorities(owner: AuthorityOwner, signal: AbortSignal): Promise<StepResult> {
  const { identity } = owner;
  const rows = [
    ...Object.entries(authoritySecrets(identity)).map(([use, name]) => ({
      name,
      make: () => newAuthority(owner, use),
    })),
    { name: identity.names.secrets.serviceAccount, make: newServiceAccountKey },
  ];
  for (const row of rows) {
    const result = await ensureOne(owner, row, signal);
    if (result.next !== 'continue') return result;
  }
  return proceed();
}

interface Row {
  readonly name: string;
  readonly make: () => Promise<Readonly<Record<string, string>>>;
}

async function ensureOne(owner: AuthorityOwner, { name, make }: Row, signal: AbortSignal): Promise<StepResult> {
  const { dependencies, controlPlane, identity } = owner;
  const { namespace } = identity;
  const existing = await readSecret(dependencies, { namespace, name }, signal);
  if (existing !== undefined) return judgeAuthority(owner, existing) ?? proceed();
  const desired = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, namespace, labels: identity.labels },
    type: clusterSecretType,
    data: secretData(await make()),
  };
  const ensured = await ensureCreated<Secret>(
    dependencies,
    { informer: dependencies.informers.secrets, desired, owner: controlPlane },
    signal,
  );
  if (ensured.state === 'blocked') return waitFor(ensured.reason, ensured.message, retryMs);
  if (ensured.state === 'applied') await tellReplaced(owner, name, signal);
  return proceed();
}

/** A CA that is made anew later was lost: everything is issued again, and people need new kubeconfigs and tokens. */
async function tellReplaced(
  { dependencies, controlPlane }: AuthorityOwner,
  name: string,
  signal: AbortSignal,
): Promise<void> {
  if (controlPlane.status?.initialization?.controlPlaneInitialized !== true) return;
  const record = {
    object: controlPlane,
    type: 'Warning',
    reason: 'CertificateAuthorityReplaced',
    action: 'Reconcile',
    note: `Secret ${name} was gone and has been made anew: certificates are issued again, earlier kubeconfigs and tokens no longer work`,
    reportingController: fieldManager,
  } as const;
  await recordEvent(dependencies.client, record, signal);
}

/**
 * Why a Secret cannot serve as the authority (or ServiceAccount key) of its name; undefined if it can. One that a user
 * brought, with no controller, is used as it is if it is sound.
 */
export function judgeAuthority(
  { dependencies, controlPlane, identity }: AuthorityOwner,
  secret: Secret,
): WaitResult | undefined {
  const name = secret.metadata.name ?? '';
  const isBrought = !(secret.metadata.ownerReferences ?? []).some((reference) => reference.controller === true);
  const obstacle =
    isBrought && secret.metadata.deletionTimestamp === undefined
      ? undefined
      : obstacleIn(resources.secrets, secret, controlPlane);
  if (obstacle !== undefined) return waitFor(obstacle.reason, obstacle.message, retryMs);
  const pem = readPem(secret);
  const isKey = name === identity.names.secrets.serviceAccount;
  // kube-controller-manager's signer reads one certificate only, so the tenant's own CA cannot be a chain.
  const chain = name !== identity.names.secrets.ca;
  const finding = isKey
    ? inspectServiceAccountKey({
        ...(pem.certificate === undefined ? {} : { publicKey: pem.certificate }),
        ...(pem.privateKey === undefined ? {} : { privateKey: pem.privateKey }),
      })
    : inspectAuthority(pem, dependencies.clock.now(), { chain });
  if (finding === undefined) return undefined;
  const what = isKey ? 'ServiceAccount key' : 'certificate authority';
  const advice = isKey
    ? 'a key pair (tls.crt is the public key)'
    : 'a valid CA certificate and the key that belongs to it';
  return waitFor(
    'InvalidCertificateAuthority',
    `Secret ${identity.namespace}/${name} cannot serve as a ${what}: ${finding.message}. Replace its tls.crt and tls.key with ${advice}, or delete the Secret to have one made.`,
    retryMs,
  );
}

async function newAuthority(
  { dependencies, identity }: AuthorityOwner,
  use: string,
): Promise<Readonly<Record<string, string>>> {
  const { certificate, privateKey } = await generateCertificateAuthority(
    { commonName: `${identity.base} ${use}`.slice(0, 64), lifetimeDays: authorityLifetimeDays },
    dependencies.clock.now(),
  );
  return { 'tls.crt': certificate, 'tls.key': privateKey };
}

async function newServiceAccountKey(): Promise<Readonly<Record<string, string>>> {
  const { publicKey, privateKey } = await generateServiceAccountKey();
  return { 'tls.crt': publicKey, 'tls.key': privateKey };
}
