import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Deployment, KubeObject } from '#kube';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { startApiServer, type ApiServerFixture } from '../fixtures/api-server.ts';
import { kubectl } from '../fixtures/kubectl.ts';

const config = fileURLToPath(new URL('../../config/', import.meta.url));

let server: ApiServerFixture;
let installation: readonly KubeObject[];
beforeAll(async () => {
  server = await startApiServer();
  const rendered = await run(['kustomize', `${config}default`]);
  installation = parseAllDocuments(rendered).map((document) => document.toJS() as KubeObject);
  await run(['apply', '--server-side', '-k', `${config}default`]);
  await run(['wait', '--for=condition=Established', 'crd', '-l', 'cluster.x-k8s.io/provider', '--timeout=30s']);
});
afterAll(async () => await server[Symbol.asyncDispose]());

async function run(args: readonly string[], input?: string): Promise<string> {
  return await kubectl(server.kubeconfigFile, args, input);
}

function ofKind(kind: string): readonly KubeObject[] {
  return installation.filter((object) => object.kind === kind);
}

/** The manager's Deployment. */
function manager(): Deployment {
  const [deployment, ...others] = ofKind('Deployment');
  if (deployment === undefined || others.length > 0) throw new Error('the installation has not exactly one Deployment');
  return deployment;
}

describe('the installation, as clusterctl reads it', () => {
  it('has one Namespace, and everything namespaced is in it', () => {
    expect(ofKind('Namespace').map(({ metadata }) => metadata.name)).toEqual(['capn-system']);
    const namespaces = installation.flatMap(({ metadata }) => metadata.namespace ?? []);
    expect(new Set(namespaces)).toEqual(new Set(['capn-system']));
  });

  it('labels everything with the provider', () => {
    const labels = installation.map(({ metadata }) => metadata.labels?.['cluster.x-k8s.io/provider']);
    expect(new Set(labels)).toEqual(new Set(['control-plane-nested']));
  });

  it('runs the manager in a container of that name, from an image with a version', () => {
    const [container] = manager().spec?.template.spec?.containers ?? [];
    expect(container?.name).toBe('manager');
    expect(container?.image).toMatch(/^ghcr\.io\/cluster-api-provider-nested\/capn:v\d+\.\d+\.\d+$/);
    expect(container?.imagePullPolicy).toBe('IfNotPresent');
  });

  it('uses the paths and the user of the Dockerfile', async () => {
    const dockerfile = await readFile(`${config}image/Dockerfile`, 'utf8');
    const pod = manager().spec?.template.spec;
    for (const path of pod?.containers[0]?.command ?? ['missing']) expect(dockerfile).toContain(`"${path}"`);
    expect(dockerfile).toContain(`USER ${pod?.securityContext?.runAsUser}:${pod?.securityContext?.runAsGroup}`);
  });
});

describe('Pod Security of the namespace', () => {
  function podWith(change: object): string {
    const template = manager().spec?.template;
    const metadata = { ...template?.metadata, name: 'trial', namespace: 'capn-system' };
    return JSON.stringify({ apiVersion: 'v1', kind: 'Pod', metadata, spec: { ...template?.spec, ...change } });
  }

  it("admits the manager's pod, and refuses the same pod with a host network", async () => {
    const tryPod = async (change: object) => await run(['create', '--dry-run=server', '-f', '-'], podWith(change));
    expect(await tryPod({})).toContain('pod/trial created');
    await expect(tryPod({ hostNetwork: true })).rejects.toThrow('violates PodSecurity "restricted:v1.36"');
  });
});

describe('rights', () => {
  const allowed = async (who: string, verb: string, what: string, ...flags: readonly string[]) =>
    (await run(['auth', 'can-i', verb, what, `--as=${who}`, ...flags]).catch(() => 'no')).trim() === 'yes';
  const account = 'system:serviceaccount:capn-system:capn-controller-manager';

  it('let the manager do its work, and not more', async () => {
    expect(await allowed(account, 'patch', 'nestedcontrolplanes', '--subresource=status', '-n', 'default')).toBe(true);
    expect(await allowed(account, 'create', 'statefulsets.apps', '-n', 'default')).toBe(true);
    expect(await allowed(account, 'create', 'pods', '-n', 'default')).toBe(false);
    expect(await allowed(account, 'create', 'clusterrolebindings')).toBe(false);
  });

  it('let the manager hold its Lease in its own namespace only', async () => {
    expect(await allowed(account, 'update', 'leases.coordination.k8s.io', '-n', 'capn-system')).toBe(true);
    expect(await allowed(account, 'update', 'leases.coordination.k8s.io', '-n', 'default')).toBe(false);
  });

  it('let people edit control planes, but not what the controllers report', async () => {
    await run(['create', 'rolebinding', 'ada', '-n', 'default', '--clusterrole=capn-system-edit', '--user=ada']);
    expect(await allowed('ada', 'create', 'nestedcontrolplanes', '-n', 'default')).toBe(true);
    expect(await allowed('ada', 'patch', 'nestedcontrolplanes', '--subresource=scale', '-n', 'default')).toBe(true);
    expect(await allowed('ada', 'patch', 'nestedcontrolplanes', '--subresource=status', '-n', 'default')).toBe(false);
  });
});

it('every sample applies as it is, and again without a change', async () => {
  const samples = (await readdir(`${config}samples`)).filter((name) => name.endsWith('.yaml'));
  expect(samples.length).toBeGreaterThanOrEqual(2);
  for (const sample of samples) {
    expect(await run(['apply', '-f', `${config}samples/${sample}`])).toContain('created');
    expect(await run(['apply', '-f', `${config}samples/${sample}`])).toContain('unchanged');
  }
});

it('applies again without a change', async () => {
  const before = await run([
    'get',
    'deployment',
    '-n',
    'capn-system',
    '-o',
    'jsonpath={.items[*].metadata.generation}',
  ]);
  await run(['apply', '--server-side', '-k', `${config}default`]);
  const after = await run(['get', 'deployment', '-n', 'capn-system', '-o', 'jsonpath={.items[*].metadata.generation}']);
  expect(after).toBe(before);
});
