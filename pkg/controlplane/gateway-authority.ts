import { clusterSecretType, gatewayCASecretName, managedByLabel, managedByValue } from '#apis';
import { authorityLifetimeDays, generateCertificateAuthority, type CertificateAuthority } from '#certs';
import { isKubeError, resources, type Secret } from '#kube';
import type { Dependencies } from './dependencies.ts';
import { readPem, secretData } from './secret-data.ts';

/**
 * The CA that signs what API servers show to the gateway: one an installation, in the provider's own namespace, never
 * in a tenant's hands. Tenants can mint certificates of their own CAs at will, so no tenant's CA is trusted outside of
 * that tenant.
 *
 * Made at first use and kept in memory; replicas that start at once agree on the one that was created first.
 */
export class GatewayAuthority {
  readonly #dependencies: Pick<Dependencies, 'client' | 'clock' | 'systemNamespace'>;
  #known: CertificateAuthority | undefined;

  constructor(dependencies: Pick<Dependencies, 'client' | 'clock' | 'systemNamespace'>) {
    this.#dependencies = dependencies;
  }

  async get(signal: AbortSignal): Promise<CertificateAuthority> {
    this.#known ??= (await this.#read(signal)) ?? (await this.#create(signal));
    return this.#known;
  }

  async #read(signal: AbortSignal): Promise<CertificateAuthority | undefined> {
    const { client, systemNamespace: namespace } = this.#dependencies;
    const secret = await client.get(resources.secrets, { namespace, name: gatewayCASecretName }, signal);
    const { certificate, privateKey } = readPem(secret);
    return certificate === undefined || privateKey === undefined ? undefined : { certificate, privateKey };
  }

  async #create(signal: AbortSignal): Promise<CertificateAuthority> {
    const { client, clock, systemNamespace: namespace } = this.#dependencies;
    const made = await generateCertificateAuthority(
      { commonName: 'capn gateway', lifetimeDays: authorityLifetimeDays },
      clock.now(),
    );
    const secret = {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: gatewayCASecretName, namespace, labels: { [managedByLabel]: managedByValue } },
      type: clusterSecretType,
      data: secretData({ 'tls.crt': made.certificate, 'tls.key': made.privateKey }),
    };
    try {
      await client.create<Secret>(resources.secrets, secret, signal);
      return made;
    } catch (error) {
      if (!isKubeError(error, 'ALREADY_EXISTS')) throw error;
      const first = await this.#read(signal);
      if (first === undefined) throw error;
      return first;
    }
  }
}
