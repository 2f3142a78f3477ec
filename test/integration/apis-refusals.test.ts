import { ownedArgumentNames, ownedArguments, versionRows, type ComponentName } from '#apis';
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

/** Creates for real, not as a dry run: what is accepted is there afterwards. */
async function create(name: string, spec: object): Promise<string> {
  const input = JSON.stringify(nestedControlPlane(name, spec));
  return await kubectl(server.kubeconfigFile, ['create', '-f', '-'], input);
}

async function patch(name: string, change: object, ...flags: readonly string[]): Promise<string> {
  const args = ['patch', 'ncp', name, '--type=merge', '-p', JSON.stringify(change), ...flags];
  return await kubectl(server.kubeconfigFile, args);
}

const setRunning = async (name: string, version: string) =>
  await patch(name, { status: { version } }, '--subresource=status');

const sizes = ['ten', '-1Gi', '0', '0Gi', '1 Gi', '', '500m', '1e3', '512M', '511.9Mi', '1K'];
const ranges = ['10.96.7.0/16', '10.96.7.1/24', '10.96.700.0/24', 'fd00::/24', '10.96.7.0'];
const versions = ['v1.30.0', 'v2.36.0', 'latest', '1.36', '1.36.3', 'v1.36.3-rc.1', 'v1.36.03', 'v1.36.3\n'];
const components = Object.keys(ownedArguments) as ComponentName[];

describe('a Kubernetes version', () => {
  it.each(versions)(
    '[F-version-unsupported] %j is refused, and the answer lists what is supported',
    async (version) => {
      const refusal = expect(create('unsupported', { version })).rejects;
      await refusal.toThrow(`supported are v1.${versionRows[0].minor}.x, written like ${versionRows[0].tested}`);
    },
  );

  it('[F-version-downgrade] below the one that runs is refused; going back to the one that runs is not', async () => {
    await create('downgrade', { version: 'v1.36.5' });
    await setRunning('downgrade', 'v1.36.5');
    await expect(patch('downgrade', { spec: { version: 'v1.36.4' } })).rejects.toThrow(
      'spec.version: Invalid value: version v1.36.4 is lower than v1.36.5, which runs: Kubernetes does not support downgrades',
    );
    await patch('downgrade', { spec: { version: 'v1.36.9' } });
    await patch('downgrade', { spec: { version: 'v1.36.5' } });
  });

  it('[F-version-two-minors] two minors above the one that runs is refused; one is not', async () => {
    await create('two-minors', {});
    await setRunning('two-minors', 'v1.34.9');
    await expect(patch('two-minors', { spec: { version: 'v1.36.9' } })).rejects.toThrow(
      'version v1.36.9 is more than one minor above v1.34.9, which runs: upgrade one minor at a time',
    );
    await setRunning('two-minors', 'v1.35.0');
    await patch('two-minors', { spec: { version: 'v1.36.9' } });
  });

  it('[F-version-unsupported] is checked by its own rule alone when it has another form', async () => {
    await create('form', {});
    await setRunning('form', 'v1.36.3');
    const refusal = await patch('form', { spec: { version: 'latest' } }).catch((error: unknown) => String(error));
    expect(refusal).toContain('Kubernetes version latest is not supported');
    expect(refusal).not.toContain('downgrade');
    expect(refusal).not.toContain('rule evaluation');
  });

  it('[F-version-status] never makes a status write fail', async () => {
    await create('status', { version: 'v1.36.5' });
    for (const running of ['v1.36.5', 'v1.30.0', 'v1.99.0', 'v1.36.3+build', '']) await setRunning('status', running);
    await setRunning('status', 'v1.36.9');
    await patch('status', { metadata: { labels: { changed: 'yes' } } });
  });
});

describe('a version whose row was dropped', () => {
  const { minor } = versionRows[0];
  const later = crdTexts().map((text) => text.replaceAll(`v1.${minor}.`, 'v1.99.'));
  afterAll(async () => await server.installCrds(crdTexts()));

  it('[F-version-dropped] does not keep the controllers from status and finalizers', async () => {
    await create('dropped', {});
    await server.installCrds(later);
    // Only once the new rule is in force does the rest show anything.
    await vi.waitFor(async () => await expect(create('later', {})).rejects.toThrow('supported are v1.99.x'), 20_000);
    await setRunning('dropped', versionRows[0].tested);
    await patch('dropped', { metadata: { finalizers: ['example.org/hold'] } });
    await patch('dropped', { metadata: { finalizers: null } });
    await patch('dropped', { spec: { replicas: 2 } });
  });
});

describe('replicas', () => {
  it('[F-replicas-zero] 0 is refused, in the object and by kubectl scale', async () => {
    await expect(create('zero', { replicas: 0 })).rejects.toThrow('replicas must be at least 1');
    await create('scaled', {});
    const scale = kubectl(server.kubeconfigFile, ['scale', 'ncp/scaled', '--replicas=0']);
    await expect(scale).rejects.toThrow('cannot be scaled to nothing; delete it instead');
  });

  it('[F-etcd-replicas] 2 members of etcd are refused', async () => {
    await expect(create('etcd-two', { etcd: { replicas: 2 } })).rejects.toThrow(
      'spec.etcd.replicas: Invalid value: 2: etcd runs with exactly 1 member in this release; set replicas to 1',
    );
  });
});

describe('a name', () => {
  const rule = 'metadata.name: Invalid value: the name must be a DNS label: at most 63 lower-case letters';

  it('[F-name-dot] with a dot is refused', async () => {
    await expect(create('team.a', {})).rejects.toThrow(rule);
  });

  it('[F-name-digit] that starts with a digit is refused', async () => {
    await expect(create('1team', {})).rejects.toThrow(rule);
  });

  it('[F-name-63] of 63 characters is accepted', async () => {
    expect(await create('a'.repeat(63), {})).toContain('created');
  });

  it('[F-name-too-long] of 64 characters is refused', async () => {
    await expect(create('a'.repeat(64), {})).rejects.toThrow(rule);
  });
});

describe('an extra argument', () => {
  const given = (component: ComponentName, ...extraArgs: readonly object[]) => ({ [component]: { extraArgs } });

  it.each(components)(
    '[F-argument-owned] that the control plane sets itself is refused: all of %s',
    async (component) => {
      for (const name of ownedArgumentNames(component)) {
        await expect(create('owned', given(component, { name, value: 'x' }))).rejects.toThrow(
          `spec.${component}.extraArgs[0].name: Forbidden: --${name} is set by the control plane`,
        );
      }
    },
  );

  it('[F-argument-owned] is not known by another spelling either', async () => {
    for (const name of ['--etcd-servers', 'etcd_servers', 'ETCD-SERVERS', 'etcd-servers=x', 'a\netcd-servers']) {
      const refusal = expect(create('spelled', given('apiServer', { name, value: 'x' }))).rejects;
      await refusal.toThrow('must be the name of an argument without leading dashes and without =');
    }
  });

  it('[F-argument-twice] given twice is refused', async () => {
    const twice = given('apiServer', { name: 'v', value: '2' }, { name: 'v', value: '4' });
    await expect(create('twice', twice)).rejects.toThrow('spec.apiServer.extraArgs[1]: Duplicate value: {"name":"v"}');
  });

  it('[F-argument-newline] with a newline in it is refused', async () => {
    for (const value of ['2\n--etcd-servers=x', '2\r', '2\n']) {
      const refusal = expect(create('newline', given('apiServer', { name: 'v', value }))).rejects;
      await refusal.toThrow('must be on one line');
    }
  });
});

describe('a quantity', () => {
  it.each(sizes)('[F-quantity] %j is refused as the size of etcd storage', async (size) => {
    const refusal = expect(create('size', { etcd: { storage: { size } } })).rejects;
    await refusal.toThrow('must be a quantity of at least 512Mi (the log alone takes 320 MB), such as 10Gi');
  });

  it.each(['512Mi', '536870912', '+1Gi', '.5Gi', '1e9', '1E', '1Pi'])('%j is a size of etcd storage', async (size) => {
    const name = `size-${Buffer.from(size).toString('hex')}`;
    expect(await create(name, { etcd: { storage: { size } } })).toContain('created');
  });

  it('[F-quantity] that is none is refused in resources', async () => {
    for (const cpu of ['lots', '-1', -1]) {
      const refusal = expect(create('cpu', { apiServer: { resources: { requests: { cpu } } } })).rejects;
      await refusal.toThrow('spec.apiServer.resources.requests[cpu]: Invalid value');
    }
  });
});

it.each(ranges)('[F-cidr] %j is refused as a Service range', async (serviceCIDR) => {
  await expect(create('range', { apiServer: { serviceCIDR } })).rejects.toThrow(
    'must be an IPv4 network of 256 addresses such as 10.96.7.0/24, with no host bits set',
  );
});

describe('a field that cannot change', () => {
  it('[F-immutable] keeps the size and the class of etcd storage', async () => {
    await create('storage', { etcd: { storage: { size: '2Gi', storageClassName: 'fast' } } });
    const change = async (storage: object) => await patch('storage', { spec: { etcd: { storage } } });
    await expect(change({ size: '4Gi' })).rejects.toThrow('the size of etcd storage cannot be changed after creation');
    for (const storageClassName of ['slow', null]) {
      const refusal = expect(change({ storageClassName })).rejects;
      await refusal.toThrow('the StorageClass of etcd cannot be changed after creation');
    }
  });

  it('[F-immutable] keeps the Service range, and whether one was given', async () => {
    await create('given', { apiServer: { serviceCIDR: '10.96.7.0/24' } });
    await create('free', {});
    const change = async (name: string, serviceCIDR: string | null) =>
      await patch(name, { spec: { apiServer: { serviceCIDR } } });
    await expect(change('given', '10.96.8.0/24')).rejects.toThrow('cannot be changed after creation');
    await expect(change('given', null)).rejects.toThrow('serviceCIDR can be given at creation only');
    await expect(change('free', '10.96.7.0/24')).rejects.toThrow('serviceCIDR can be given at creation only');
  });
});
