import { issueCertificate, type CertificateAuthority } from '#certs';
import type { KubeClient } from '#kube';
import type { Dependencies } from './dependencies.ts';
import type { Endpoint } from './children.ts';
import type { ControlPlaneIdentity } from './identity.ts';

/** Of the group that no RBAC rule can lock out; such a certificate is made in memory and never written anywhere. */
const mastersGroup = 'system:masters';
const lifetimeDays = 1;
const renewAfterMs = 12 * 60 * 60 * 1000;

interface Connection {
  readonly client: KubeClient;
  readonly fingerprint: string;
  readonly since: number;
}

/** The manager's connections to tenants' API servers: one a control plane, replaced when CA or endpoint change. */
export class TenantConnections implements AsyncDisposable {
  readonly #dependencies: Pick<Dependencies, 'connect' | 'clock'>;
  readonly #connections = new Map<string, Connection>();

  constructor(dependencies: Pick<Dependencies, 'connect' | 'clock'>) {
    this.#dependencies = dependencies;
  }

  /** A client with full rights in the tenant; cheap when nothing changed. */
  async to(identity: ControlPlaneIdentity, endpoint: Endpoint, ca: CertificateAuthority): Promise<KubeClient> {
    const { clock, connect } = this.#dependencies;
    const fingerprint = `${endpoint.host}:${endpoint.port}\n${ca.certificate}`;
    const known = this.#connections.get(identity.uid);
    const isFresh = known !== undefined && clock.monotonicMs() - known.since < renewAfterMs;
    if (isFresh && known.fingerprint === fingerprint) return known.client;
    const spec = {
      commonName: 'capn-manager',
      organizations: [mastersGroup],
      usages: ['client' as const],
      lifetimeDays,
    };
    const pair = await issueCertificate(ca, spec, clock.now());
    const client = connect({
      server: `https://${endpoint.host}:${endpoint.port}`,
      caData: ca.certificate,
      certData: pair.certificate,
      keyData: pair.privateKey,
    });
    this.#connections.set(identity.uid, { client, fingerprint, since: clock.monotonicMs() });
    await known?.client[Symbol.asyncDispose]();
    return client;
  }

  /** Closes the connection of a control plane that is gone. */
  async drop(controlPlaneUid: string): Promise<void> {
    const known = this.#connections.get(controlPlaneUid);
    this.#connections.delete(controlPlaneUid);
    await known?.client[Symbol.asyncDispose]();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const open = [...this.#connections.keys()];
    await Promise.all(open.map((uid) => this.drop(uid)));
  }
}
