import type { ClusterConfig } from './cluster-config.ts';
import { KubeError } from './errors.ts';
import type { Kubeconfig } from './kubeconfig.ts';

/**
 * Asks the credential plug-in that a kubeconfig's user names (`exec`, OIDC and other auth providers), by client-node.
 * Loaded only when needed: the library takes over a second and 90 MB.
 * **Errors** `UNAUTHORIZED` when the plug-in fails.
 */
export async function pluginCredentials(
  config: Kubeconfig,
  context: string | undefined,
): Promise<Pick<ClusterConfig, 'token' | 'certData' | 'keyData'>> {
  const { KubeConfig } = await import('@kubernetes/client-node');
  const loader = new KubeConfig();
  loader.loadFromString(JSON.stringify(config));
  if (context !== undefined) loader.setCurrentContext(context);
  const applied: { headers?: Record<string, string>; cert?: unknown; key?: unknown } = {};
  try {
    await loader.applyToHTTPSOptions(applied as Parameters<typeof loader.applyToHTTPSOptions>[0]);
  } catch (cause) {
    const said = cause instanceof Error ? cause.message.trim().slice(0, 500) : 'unknown failure';
    throw new KubeError(`the kubeconfig's credential plug-in failed: ${said}`, { code: 'UNAUTHORIZED', cause });
  }
  const token = applied.headers?.['Authorization']?.replace(/^Bearer /, '').trim();
  return {
    ...(token === undefined ? {} : { token }),
    ...(applied.cert === undefined ? {} : { certData: textOf(applied.cert) }),
    ...(applied.key === undefined ? {} : { keyData: textOf(applied.key) }),
  };
}

function textOf(value: unknown): string {
  return Buffer.isBuffer(value) ? value.toString('utf8') : String(value);
}
