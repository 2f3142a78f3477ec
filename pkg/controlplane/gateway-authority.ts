import { clusterSecretType, gatewayCASecretName, managedByLabel, managedByValue } from '#apis';
import {
  authorityLifetimeDays,
  generateCertificateAuthority,
  inspectAuthority,
  type CertificateAuthority,
} from '#certs';
import { isKubeError, resources, type Secret } from '#kube';
import type { WaitResult } from '#runtime';
import type { Dependencies } from './dependencies.ts';
import { readPem, secretData } from './secret-data.ts';
import { retryMs, waitFor } from './waits.ts';

/**
 * The CA that signs what API servers show to the gateway: one an installation, in the provider's own namespace, never
 * in a tenant's hands. Tenants can mint certificates of their own CAs at will, so no tenant's CA is trusted outside of
 * that tenant.
 *
 * Made at first use; replicas that start at once agree on the one that was created first. Answers with a wait when the
 * Secret is there and cannot serve.
 */
export async function readGatewayAuthority(
  dependencies: Dependencies,
  signal: AbortSignal,
): Promise<CertificateAuthority | WaitResult> {
  const { client, systemNamespace: namespace } = dependencies;
  const key = { namespace, name: gatewayCASecretName };
  const secret = (await client.get(resources.secrets, key, signal)) ?? (await create(dependencies, signal));
  const pem = readPem(secret);
  const { certificate, privateKey } = pem;
  const finding = inspectAuthority(pem, dependencies.clock.now());
  if (finding === undefined && certificate !== undefined && privateKey !== undefined)
    return { certificate, privateKey };
  return waitFor(
    'InvalidCertificateAuthority',
    `Secret ${namespace}/${gatewayCASecretName} cannot serve as the gateway's certificate authority: ${finding?.message ?? 'it is empty'}. Repair it, or delete it to have one made.`,
    retryMs,
  );
}

async function create(
  { client, clock, systemNamespace }: Dependencies,
  signal: AbortSignal,
): Promise<Secret | undefined> {
  const spec = { commonName: 'capn gateway', lifetimeDays: authorityLifetimeDays };
  const { certificate, privateKey } = await generateCertificateAuthority(spec, clock.now());
  const metadata = {
    name: gatewayCASecretName,
    namespace: systemNamespace,
    labels: { [managedByLabel]: managedByValue },
  };
  const data = secretData({ 'tls.crt': certificate, 'tls.key': privateKey });
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata, type: clusterSecretType, data };
  try {
    return await client.create<Secret>(resources.secrets, secret, signal);
  } catch (error) {
    if (!isKubeError(error, 'ALREADY_EXISTS')) throw error;
    return client.get(resources.secrets, { namespace: systemNamespace, name: gatewayCASecretName }, signal);
  }
}
