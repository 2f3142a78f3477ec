import type { NestedAPIServer } from '#apis';
import { apiServerCertificates, type CertificateAuthority, type LeafRow } from '#certs';
import type { Secret } from '#kube';
import { renderAPIServer } from '#manifests';
import { proceed, type ReconcileContext, type StepResult, type Steps, type WaitResult } from '#runtime';
import { authoritySecrets, readSecret } from '../authorities.ts';
import { readAuthority } from '../read-authority.ts';
import type { ComponentScope } from '../component-reconciler.ts';
import { configHashOf } from '../config-hash.ts';
import { readGatewayAuthority } from '../gateway-authority.ts';
import { certificatesIn, ensureLeaves } from '../leaf-secrets.ts';
import { observeDeployment } from '../observe-deployment.ts';
import { applyDeployment, waitForRollout } from '../rollout.ts';

/** A NestedAPIServer's scope; the steps hand on what they found. */
export type APIServerScope = ComponentScope<NestedAPIServer>;

/** The steps of a NestedAPIServer, in order. */
export const apiServerSteps = {
  ensureCertificates,
  applyAPIServer,
  waitForRollout: ({ dependencies, identity, component, appliedGeneration }: APIServerScope) =>
    waitForRollout(observeAPIServer(dependencies, identity), { wanted: component.spec.replicas, appliedGeneration }),
} satisfies Steps<APIServerScope>;

/** The Deployment's counters, and its pods. */
export function observeAPIServer(dependencies: APIServerScope['dependencies'], identity: APIServerScope['identity']) {
  return observeDeployment(dependencies, identity, { name: identity.names.apiServer, component: 'kube-apiserver' });
}

async function ensureCertificates(scope: APIServerScope, { signal }: ReconcileContext): Promise<StepResult> {
  const { dependencies, identity, component: owner } = scope;
  const authorityOf = (row: LeafRow) => authorityFor(scope, row, signal);
  const secrets = await ensureLeaves(dependencies, { rows: rowsFor(scope), authorityOf, identity, owner }, signal);
  if ('next' in secrets) return secrets;
  scope.extra = { ...scope.extra, certificates: certificatesIn(secrets) };
  scope.configHash = configHashOf([...secrets, ...(await inputs(scope, signal))]);
  return proceed();
}

function rowsFor({ identity, component }: APIServerScope): readonly LeafRow[] {
  const { serviceAddress, endpoint, extraSANs } = component.spec;
  return apiServerCertificates({
    names: identity.names,
    namespace: identity.namespace,
    controlPlaneUid: identity.uid,
    serviceAddress,
    endpointHost: endpoint.host,
    ...(extraSANs === undefined ? {} : { extraSANs }),
  });
}

async function authorityFor(
  scope: APIServerScope,
  { signedBy }: LeafRow,
  signal: AbortSignal,
): Promise<CertificateAuthority | WaitResult> {
  if (signedBy === 'gateway') return readGatewayAuthority(scope.dependencies, signal);
  return readAuthority(scope, signedBy, signal);
}

/** Secrets that the pods read but others made: CAs, the ServiceAccount key, etcd's client certificate. */
async function inputs(
  { dependencies, identity, component }: APIServerScope,
  signal: AbortSignal,
): Promise<readonly Secret[]> {
  const { namespace, names } = identity;
  const wanted = [
    ...Object.values(authoritySecrets(identity)),
    names.secrets.serviceAccount,
    component.spec.etcd.clientSecretName,
  ];
  const found = await Promise.all(wanted.map((name) => readSecret(dependencies, { namespace, name }, signal)));
  return found.filter((secret) => secret !== undefined);
}

async function applyAPIServer(scope: APIServerScope, { signal }: ReconcileContext): Promise<StepResult> {
  const { dependencies, identity, component, configHash = '' } = scope;
  const { systemNamespace } = dependencies;
  const objects = renderAPIServer({ apiServer: component, identity, configHash, systemNamespace });
  return applyDeployment(scope, objects, signal);
}
