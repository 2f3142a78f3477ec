import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { renderKubeconfig } from '#certs';
import { readPair } from './certificates.ts';
import type { SandboxLayout } from './layout.ts';

export interface KubeconfigOptions {
  readonly path: string;
  /** URL of the API server. */
  readonly server: string;
  /** Name of the client certificate in the certificates' folder. */
  readonly user: string;
}

/** Writes a kubeconfig with certificates and key in it, readable by its owner only; replaces the file as a whole. */
export function writeKubeconfig(layout: SandboxLayout, { path, server, user }: KubeconfigOptions): void {
  const content = renderKubeconfig({
    clusterName: `capn-sandbox-${layout.name}`,
    userName: user,
    server,
    caPem: readFileSync(join(layout.certificates, 'ca.crt'), 'utf8'),
    ...readPair(join(layout.certificates, user)),
  });
  writeFileSync(`${path}.new`, content, { mode: 0o600 });
  renameSync(`${path}.new`, path);
}
