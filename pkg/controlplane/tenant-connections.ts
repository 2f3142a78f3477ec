import { LRUCache } from 'lru-cache';
import { issueCertificate, type CertificateAuthority } from '#certs';
import type { KubeClient } from '#kube';
import type { Endpoint } from './children.ts';
import type { Dependencies } from './dependencies.ts';
import type { ControlPlaneIdentity } from './identity.ts';

/** Of the group that no RBAC rule can lock out; such a certificate is made in memory and never written anywhere. */
const mastersGroup = 'system:masters';
const lifetimeDays = 1;

/** Half of a certificate's life. */
const renewAfterMs = 12 * 60 * 60 * 1000;

/** Connections kept open at once; the one that was idle longest is closed first. */
const largestNumber = 500;

interface Connection {
  readonly client: KubeClient;
  /** What the connection was made for: another endpoint or CA needs another. */
  readonly fingerprint: string;
}

/** The manager's connections to tenants' API servers: one a control plane, replaced when CA or endpoint change. */
export class TenantConnections implements AsyncDisposable {
  readonly #dependencies: Pick<Dependencies, 'connect' | 'clock'>;
  readonly #closing = new Set<Promise<void>>();
  readonly #connections = new LRUCache<string, Connection>({
    max: largestNumber,
    ttl: renewAfterMs,
    dispose: ({ client }) => this.#close(client),
  });

  constructor(dependencies: Pick<Dependencies, 'connect' | 'clock'>) {
    this.#dependencies = dependencies;
  }

  /** A client with full rights in the tenant; cheap when nothing changed. */
  async to(identity: ControlPlaneIdentity, endpoint: Endpoint, ca: CertificateAuthority): Promise<KubeClient> {
    const fingerprint = `${endpoint.host}:${endpoint.port}\n${ca.certificate}`;
    const known = this.#connections.get(identity.uid);
    if (known?.fingerprint === fingerprint) return known.client;
    const client = await this.#open(endpoint, ca);
    this.#connections.set(identity.uid, { client, fingerprint });
    return client;
  }

  /** Closes the connection of a control plane that is gone. */
  drop(controlPlaneUid: string): void {
    this.#connections.delete(controlPlaneUid);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#connections.clear();
    await Promise.all(this.#closing);
  }

  async #open({ host, port }: Endpoint, ca: CertificateAuthority): Promise<KubeClient> {
    const { clock, connect } = this.#dependencies;
    const spec = {
      commonName: 'capn-manager',
      organizations: [mastersGroup],
      usages: ['client' as const],
      lifetimeDays,
    };
    const { certificate, privateKey } = await issueCertificate(ca, spec, clock.now());
    const caData = ca.certificate;
    return connect({ server: `https://${host}:${port}`, caData, certData: certificate, keyData: privateKey });
  }

  /** Closing waits for requests in flight; nobody has to wait for that but the end of the program. */
  #close(client: KubeClient): void {
    const closed = Promise.resolve(client[Symbol.asyncDispose]()).catch(() => undefined);
    this.#closing.add(closed);
    void closed.then(() => this.#closing.delete(closed));
  }
}
