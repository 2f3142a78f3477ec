import { kindDefinitions, versionRows } from '#apis';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { nestedControlPlane } from '../builders/nested-control-plane.ts';
import { startApiServer, type ApiServerFixture } from '../fixtures/api-server.ts';
import { crdTexts } from '../fixtures/crds.ts';
import { kubectl } from '../fixtures/kubectl.ts';

let server: ApiServerFixture;
beforeAll(async () => {
  server = await startApiServer();
  await server.installCrds(crdTexts());
});
afterAll(async () => await server[Symbol.asyncDispose]());

const run = async (args: readonly string[], input?: string) => await kubectl(server.kubeconfigFile, args, input);

async function read(...args: readonly string[]): Promise<unknown> {
  return JSON.parse(await run(['get', ...args, '-o', 'json']));
}

const kinds = kindDefinitions.map((definition) => ({ kind: definition.type.kind, definition }));

it.each(kinds)('installs $kind: established, without a complaint about its schema', async ({ definition }) => {
  const { plural, apiVersion } = definition.type;
  const crd = await read('crd', `${plural}.${apiVersion.split('/')[0]}`);
  const { conditions } = (crd as { status: { conditions: { type: string; status: string }[] } }).status;
  expect(conditions.map(({ type, status }) => `${type}=${status}`).sort()).toEqual([
    'Established=True',
    'NamesAccepted=True',
  ]);
});

describe('the smallest object', () => {
  it('is accepted, and its defaults are filled in', async () => {
    await run(['create', '-f', '-'], JSON.stringify(nestedControlPlane('smallest')));
    expect(await read('ncp', 'smallest')).toMatchObject({
      spec: {
        version: 'v1.36.3',
        replicas: 1,
        deletionPolicy: 'Delete',
        etcd: { replicas: 1, storage: { size: '1Gi' } },
        apiServer: { service: { type: 'ClusterIP' } },
        controllerManager: {},
      },
    });
  });

  it('keeps a quantity as it was written, number or text', async () => {
    const requests = { cpu: 1, memory: '512Mi' };
    await run(
      ['create', '-f', '-'],
      JSON.stringify(nestedControlPlane('amounts', { etcd: { resources: { requests } } })),
    );
    expect(await read('ncp', 'amounts')).toMatchObject({ spec: { etcd: { resources: { requests } } } });
  });

  it('refuses a field that is not in the schema', async () => {
    const input = JSON.stringify(nestedControlPlane('unknown', { etcd: { sotrage: {} } }));
    await expect(run(['create', '-f', '-'], input)).rejects.toThrow('unknown field "spec.etcd.sotrage"');
  });
});

describe('the components', () => {
  const common = { controlPlaneName: 'parts', version: 'v1.36.3' };
  const etcd = { endpoints: ['https://parts-etcd-0.parts-etcd.default.svc:2379'], clientSecretName: 'parts-client' };
  const specs = {
    NestedEtcd: common,
    NestedAPIServer: {
      ...common,
      etcd,
      serviceCIDR: '10.96.7.0/24',
      serviceName: 'parts-apiserver',
      serviceAddress: '10.96.7.1',
      endpoint: { host: 'parts-apiserver.default.svc', port: 6443 },
    },
    NestedControllerManager: { ...common, serviceCIDR: '10.96.7.0/24', kubeconfigSecretName: 'parts-kubeconfig' },
  };
  const names = Object.keys(specs) as (keyof typeof specs)[];

  it.each(names)('%s is accepted with what a control plane gives it, and runs one replica', async (kind) => {
    const { apiVersion } = nestedControlPlane('parts');
    const object = { apiVersion, kind, metadata: { name: 'parts', namespace: 'default' }, spec: specs[kind] };
    await run(['create', '-f', '-'], JSON.stringify(object));
    expect(await read(kind, 'parts')).toMatchObject({ spec: { ...specs[kind], replicas: 1 } });
  });

  it.each(names)('%s refuses a version without a row', async (kind) => {
    const { apiVersion } = nestedControlPlane('parts');
    const spec = { ...specs[kind], version: 'v1.30.0' };
    const input = JSON.stringify({ apiVersion, kind, metadata: { name: 'old', namespace: 'default' }, spec });
    await expect(run(['create', '-f', '-'], input)).rejects.toThrow('supported are v1.36.x');
  });
});

describe('kubectl', () => {
  it('lists all four kinds by their short names and by category', async () => {
    await run(['create', '-f', '-'], JSON.stringify(nestedControlPlane('listed')));
    expect(await run(['get', 'ncp,netcd,nkas,nkcm', '-A'])).toMatch(/nestedcontrolplane\S*\/listed/);
    expect(await run(['get', 'capn', '-A'])).toMatch(/nestedcontrolplane\S*\/listed/);
    expect(await run(['get', 'capi', '-A'])).toMatch(/nestedcontrolplane\S*\/listed/);
  });

  it('shows the columns, and all of them with -o wide', async () => {
    await run(['create', '-f', '-'], JSON.stringify(nestedControlPlane('columns')));
    const headings = async (...flags: readonly string[]) =>
      (await run(['get', 'ncp', 'columns', ...flags]))
        .split('\n', 1)[0]
        ?.trim()
        .split(/\s{2,}/);
    const columns = kindDefinitions[0]?.columns ?? [];
    const names = (shown: typeof columns) => ['NAME', ...shown.map(({ name }) => name.toUpperCase())];
    expect(await headings()).toEqual(names(columns.filter(({ wide }) => wide !== true)));
    expect(await headings('-o', 'wide')).toEqual(names(columns));
  });

  it('explains fields as documentation', async () => {
    // The API server publishes the schemas of new kinds a moment after they serve.
    await vi.waitFor(
      async () => {
        const text = (await run(['explain', 'ncp.spec.etcd'])).replaceAll(/\s+/g, ' ');
        expect(text).toContain('It runs as a StatefulSet on a claim of its own');
        expect(text).toContain('storage <Object> The volume that etcd keeps its data on.');
      },
      { timeout: 20_000, interval: 500 },
    );
    expect(await run(['explain', 'nkas.spec.extraArgs.value'])).toContain('on one line');
  });

  it.each([
    ['ncp.spec.version', `Supported: v1.${versionRows[0].minor}.x.`],
    ['nkas.spec.version', `Supported: v1.${versionRows[0].minor}.x.`],
    ['ncp.spec.replicas', '1 (default) to 7'],
    ['ncp.spec.controlPlaneEndpoint', 'It goes into the certificate and into the kubeconfig. By default the DNS name'],
    ['ncp.spec.etcd.imageRepository', 'the image is `registry.example:5000/mirror/etcd:'],
    ['ncp.spec.controllerManager.imageRepository', '`registry.example:5000/mirror/kube-controller-manager:'],
    ['ncp.status.readyReplicas', 'API servers that are ready.'],
    ['nkcm.status.readyReplicas', 'Pods of kube-controller-manager that are ready.'],
  ])('explains %s: %s', async (field, words) => {
    const explain = async () => (await run(['explain', field])).replaceAll(/\s+/g, ' ');
    await vi.waitFor(async () => expect(await explain()).toContain(words), { timeout: 20_000, interval: 500 });
  });

  it('knows certificates in the status of those kinds that issue some', async () => {
    const explain = async (kind: string) => await run(['explain', `${kind}.status.certificates`]);
    for (const kind of ['ncp', 'netcd', 'nkas']) expect(await explain(kind)).toContain('that this object issued');
    await expect(explain('nkcm')).rejects.toThrow('field "certificates" does not exist');
  });

  it('scales, and finds the pods by the selector in status', async () => {
    await run(['create', '-f', '-'], JSON.stringify(nestedControlPlane('scaled')));
    const status = JSON.stringify({ status: { replicas: 1, selector: 'app=scaled' } });
    await run(['patch', 'ncp', 'scaled', '--subresource=status', '--type=merge', '-p', status]);
    await run(['scale', 'ncp/scaled', '--replicas=3']);
    expect(await read('ncp', 'scaled', '--subresource=scale')).toMatchObject({
      spec: { replicas: 3 },
      status: { replicas: 1, selector: 'app=scaled' },
    });
  });

  it('applies two managers of one list side by side: arguments merge by name', async () => {
    const apply = async (manager: string, name: string) => {
      const input = JSON.stringify(nestedControlPlane('merged', { apiServer: { extraArgs: [{ name, value: '1' }] } }));
      await run(['apply', '--server-side', `--field-manager=${manager}`, '-f', '-'], input);
    };
    await apply('one', 'audit-log-maxage');
    await apply('two', 'audit-log-maxbackup');
    const { spec } = (await read('ncp', 'merged')) as { spec: { apiServer: { extraArgs: { name: string }[] } } };
    expect(spec.apiServer.extraArgs.map(({ name }) => name)).toEqual(['audit-log-maxage', 'audit-log-maxbackup']);
  });
});
