import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  generateCertificateAuthority,
  generateServiceAccountKey,
  issueCertificate,
  type CertificateSpec,
  type KeyPairPem,
} from '#certs';
import { addresses } from './addresses.ts';
import type { SandboxLayout } from './layout.ts';

/** A sandbox is thrown away, never renewed. */
const lifetimeDays = 3650;

const authorities = ['ca', 'front-proxy-ca'] as const;

type Leaf = CertificateSpec & { readonly authority: (typeof authorities)[number] };

/** Every certificate of a sandbox's super cluster. The names in them are those that Kubernetes' authorizers expect. */
export function leafCertificates(nodeName: string): Record<string, Leaf> {
  const serviceName = 'kubernetes.default.svc';
  return {
    'kube-apiserver': {
      ...server('kube-apiserver'),
      dnsNames: [
        'localhost',
        'kubernetes',
        'kubernetes.default',
        serviceName,
        `${serviceName}.${addresses.clusterDomain}`,
      ],
      ipAddresses: ['127.0.0.1', addresses.node, addresses.kubernetesService],
    },
    'kubelet-server': { ...server(nodeName), dnsNames: [nodeName], ipAddresses: [addresses.node] },
    'kube-apiserver-kubelet-client': client('kube-apiserver-kubelet-client', 'system:masters'),
    'front-proxy-client': { ...client('front-proxy-client'), authority: 'front-proxy-ca' },
    admin: client('sandbox-admin', 'system:masters'),
    'kube-controller-manager': client('system:kube-controller-manager'),
    'kube-scheduler': client('system:kube-scheduler'),
    'kube-proxy': client('system:kube-proxy'),
    kubelet: client(`system:node:${nodeName}`, 'system:nodes'),
  };
}

function client(commonName: string, ...organizations: readonly string[]): Leaf {
  return { commonName, organizations, usages: ['client'], lifetimeDays, authority: 'ca' };
}

function server(commonName: string): Leaf {
  return { commonName, usages: ['server'], lifetimeDays, authority: 'ca' };
}

/**
 * Makes what is missing of the sandbox's authorities, certificates (valid for ten years) and the ServiceAccount key, as
 * `<name>.crt` and `<name>.key` in the certificates' folder. What is there stays.
 */
export async function ensureCertificates(layout: SandboxLayout): Promise<void> {
  const { certificates: folder } = layout;
  const now = new Date();
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const name of authorities) {
    const commonName = `capn-sandbox-${layout.name}-${name}`;
    await ensurePair(join(folder, name), () => generateCertificateAuthority({ commonName, lifetimeDays }, now));
  }
  for (const [name, leaf] of Object.entries(leafCertificates(layout.nodeName))) {
    const path = join(folder, name);
    await ensurePair(path, () => issueCertificate(readPair(join(folder, leaf.authority)), leaf, now));
  }
  await ensureServiceAccountKey(join(folder, 'service-account'));
}

/** The certificate is written last: where it is, its key is too. */
async function ensurePair(path: string, make: () => Promise<KeyPairPem>): Promise<void> {
  if (existsSync(`${path}.crt`)) return;
  const pair = await make();
  writeWhole(`${path}.key`, pair.privateKey, 0o600);
  writeWhole(`${path}.crt`, pair.certificate, 0o644);
}

/** Reads the pair that was written as `<path>.crt` and `<path>.key`. */
export function readPair(path: string): KeyPairPem {
  return { certificate: readFileSync(`${path}.crt`, 'utf8'), privateKey: readFileSync(`${path}.key`, 'utf8') };
}

async function ensureServiceAccountKey(path: string): Promise<void> {
  if (existsSync(`${path}.pub`)) return;
  const pair = await generateServiceAccountKey();
  writeWhole(`${path}.key`, pair.privateKey, 0o600);
  writeWhole(`${path}.pub`, pair.publicKey, 0o644);
}

function writeWhole(path: string, content: string, mode: number): void {
  writeFileSync(`${path}.new`, content, { mode });
  renameSync(`${path}.new`, path);
}
