import { readFile } from 'node:fs/promises';
import { isIPv6 } from 'node:net';
import type { ClusterConfig } from './cluster-config.ts';
import { KubeError } from './errors.ts';

const folder = '/var/run/secrets/kubernetes.io/serviceaccount';

/** Whether the kubelet has told us of an API server: we run in a pod. */
export function isInCluster(): boolean {
  return (process.env['KUBERNETES_SERVICE_HOST'] ?? '') !== '';
}

/**
 * The service account of the pod that we run in. The kubelet renews the token file; reading again gives the new one.
 * **Errors** `INVALID` outside a pod, or without a mounted service account token.
 */
export async function inClusterConfig(): Promise<ClusterConfig> {
  const { KUBERNETES_SERVICE_HOST: host = '', KUBERNETES_SERVICE_PORT: port = '443' } = process.env;
  if (!isInCluster()) throw invalid('this is no pod: KUBERNETES_SERVICE_HOST is not set');
  const [caData, token, namespace] = await Promise.all(
    ['ca.crt', 'token', 'namespace'].map(async (name) => await readMounted(name)),
  );
  return {
    server: `https://${isIPv6(host) ? `[${host}]` : host}:${port}`,
    ...(caData === undefined ? {} : { caData }),
    ...(token === undefined ? {} : { token }),
    ...(namespace === undefined ? {} : { namespace }),
  };
}

async function readMounted(name: string): Promise<string> {
  try {
    return (await readFile(`${folder}/${name}`, 'utf8')).trim();
  } catch (cause) {
    throw new KubeError(`the pod has no service account token mounted: ${folder}/${name} cannot be read`, {
      code: 'INVALID',
      cause,
    });
  }
}

function invalid(message: string): KubeError {
  return new KubeError(message, { code: 'INVALID' });
}
