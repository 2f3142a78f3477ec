import type { ControlPlaneNames } from '#apis';
import { kubeconfigCertificates } from '#certs';
import { proceed, type StepResult } from '#runtime';
import { readAuthority } from '../read-authority.ts';
import { certificateIn, ensureLeaf } from '../leaf-secrets.ts';
import { retryMs, waitFor } from '../waits.ts';
import type { ControlPlaneScope } from './scope.ts';

type KubeconfigName = Extract<keyof ControlPlaneNames['secrets'], `${string}Kubeconfig`>;

/** Makes one kubeconfig Secret so (Cluster API contract, "Control plane: kubeconfig": key `value`). */
export async function publishKubeconfig(
  scope: ControlPlaneScope,
  name: KubeconfigName,
  signal: AbortSignal,
): Promise<StepResult> {
  const { dependencies, controlPlane, identity, endpoint } = scope;
  if (endpoint === undefined) return waitFor('Reconciling', 'the endpoint is not known yet');
  const authority = await readAuthority(scope, 'ca', signal);
  if ('next' in authority) return authority;
  const row = kubeconfigCertificates({
    names: identity.names,
    namespace: identity.namespace,
    clusterName: identity.base,
    endpointHost: endpoint.host,
    endpointPort: endpoint.port,
  }).find(({ secretName }) => secretName === identity.names.secrets[name]);
  if (row === undefined) throw new Error(`the table of certificates has no row for ${name}`);
  const ensured = await ensureLeaf(dependencies, { row, authority, identity, owner: controlPlane }, signal);
  if (ensured.state === 'blocked') return waitFor(ensured.reason, ensured.message, retryMs);
  const issued = certificateIn(ensured.object);
  const others = scope.certificates.filter((certificate) => certificate.name !== row.secretName);
  scope.certificates = issued === undefined ? others : [...others, issued].sort((a, b) => a.name.localeCompare(b.name));
  return proceed();
}
