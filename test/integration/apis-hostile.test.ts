import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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

/** As a dry run: the API server checks all the same, and names stay free. */
async function create(spec: object): Promise<string> {
  const input = JSON.stringify(nestedControlPlane('hostile', spec));
  return await kubectl(server.kubeconfigFile, ['create', '--dry-run=server', '-f', '-'], input);
}

/** What the controllers make of accepted settings has to be accepted too. */
async function createDeployment(pod: object): Promise<string> {
  const labels = { app: 'x' };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'x', image: 'x' }], ...pod } };
  const deployment = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'hostile', namespace: 'default' },
    spec: { selector: { matchLabels: labels }, template },
  };
  const args = ['create', '--dry-run=server', '-f', '-'];
  return await kubectl(server.kubeconfigFile, args, JSON.stringify(deployment));
}

const apiServer = (settings: object) => ({ apiServer: settings });
const placed = (placement: object) => apiServer({ placement });

const label = 'a'.repeat(63);
const addresses = ['192.0.2.7', '2001:db8::7', '::1', '2001:0DB8:0:0::7'];
const names = ['localhost', 'api.example.org', 'API.example.org', 'xn--bcher-kva.example', '1.2.3.a', `${label}.a`];
const notNames = ['...', 'a..b', '.a', 'a.', 'a-', '-a', 'a.-b', 'a_b', 'a b', 'a\n', 'a/b', 'a:80', 'https://a', ''];
const notAddresses = [
  ':::',
  '999.1.1.1',
  '1.2.3',
  '1',
  'a.0x1',
  '01.2.3.4',
  '1.2.3.4.5',
  '[::1]',
  'fe80::1%eth0',
  '::g',
];
const tooLong = [`${label}a.example.org`, Array.from({ length: 5 }, () => label).join('.')];
const notHosts = [...notNames, ...notAddresses, ...tooLong];
const wildcards = ['*', '*.', '*.*.a', 'a.*', 'a*.b', '*a.b', '*.1.2.3'];

describe('a further name of the API server', () => {
  it.each([...notHosts, ...wildcards])('[F-san] %j is refused', async (name) => {
    const refusal = expect(create(apiServer({ extraSANs: ['good.example.org', name] }))).rejects;
    await refusal.toThrow(/extraSANs\[1\]: (Invalid value: .*must be an IP address|Too long)/);
  });

  it('[F-san] is an address of either family, a name or a wildcard', async () => {
    const extraSANs = [...addresses, ...names, '*.example.org', '*.a'];
    expect(await create(apiServer({ extraSANs }))).toContain('created');
  });
});

describe('the endpoint', () => {
  it.each([...notHosts, '*.example.org'])('[F-endpoint] %j is refused as its host', async (host) => {
    const refusal = expect(create({ controlPlaneEndpoint: { host, port: 6443 } })).rejects;
    await refusal.toThrow(/controlPlaneEndpoint\.host: (Invalid value: .*(must be an IP|at least 1)|Too long)/);
  });

  it.each([...addresses, ...names])('[F-endpoint] %j is accepted', async (host) => {
    expect(await create({ controlPlaneEndpoint: { host, port: 6443 } })).toContain('created');
  });
});

describe('an image', () => {
  const sha = `sha256:${'0'.repeat(64)}`;
  const good = ['etcd', 'etcd:3.6.8-0', 'r.example:5000/x/etcd:v1', `r.example/etcd@${sha}`, `a/b:c@${sha}`, 'a__b'];
  const bad = ['', 'a b', 'a:', 'a@', ':a', '/a', 'a//b', 'a:b:c', 'A/', 'r.example/Etcd', 'a@sha256:12', 'a\n', '-a'];
  const tagged = ['etcd:3.6.8-0', 'r.example:5000/x:v1', 'r.example/x:5000', `r.example/x@${sha}`, 'https://r.example'];
  const repositories = [
    'registry.k8s.io',
    'registry.example:5000',
    'registry.example:5000/x',
    'r.example/x/y/',
    'mirror',
  ];

  it('[F-image] is a name with tag or digest', async () => {
    for (const image of good) expect(await create(apiServer({ image }))).toContain('created');
  });

  it.each(bad)('[F-image] %j is refused', async (image) => {
    await expect(create({ etcd: { image } })).rejects.toThrow('must be an image name such as registry.k8s.io/etcd:');
  });

  it('[F-image] comes from a repository, with a port or a path', async () => {
    for (const imageRepository of repositories) {
      expect(await create(apiServer({ imageRepository }))).toContain('created');
    }
  });

  it.each([...tagged, '', 'a b', 'r.example//x', 'r.example/\n'])('[F-image] %j is no repository', async (given) => {
    const refusal = expect(create(apiServer({ imageRepository: given }))).rejects;
    await refusal.toThrow('must be a registry, with a path or without, such as registry.example:5000/mirror: no tag');
  });
});

describe('where pods run', () => {
  it('[F-placement] takes what a pod takes', async () => {
    const tolerations = [
      { operator: 'Exists' },
      { key: 'example.org/dedicated', operator: 'Equal', value: 'tenants', effect: 'NoSchedule' },
      { key: 'dedicated' },
      { key: 'dedicated', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 60 },
    ];
    const nodeSelector = { 'example.org/pool': 'a', disktype: '' };
    const placement = { tolerations, nodeSelector, priorityClassName: 'tenants' };
    expect(await create(placed(placement))).toContain('created');
    expect(await createDeployment(placement)).toContain('created');
  });

  it.each([
    [{ nodeSelector: { 'a b': 'x' } }, 'each key must be the name of a label'],
    [{ nodeSelector: { ['a'.repeat(64)]: 'x' } }, 'each key must be the name of a label'],
    [{ nodeSelector: { a: 'x y' } }, 'must be a label value'],
    [{ tolerations: [{}] }, 'a toleration without a key needs operator Exists'],
    [{ tolerations: [{ key: 'a/b/c' }] }, 'must be the name of a taint'],
    [{ tolerations: [{ key: '' }] }, 'should be at least 1 chars long'],
    [{ tolerations: [{ key: 'a', value: '-' }] }, 'must be a label value'],
    [{ tolerations: [{ key: 'a', operator: 'Exists', value: 'b' }] }, 'Exists takes no value'],
    [{ tolerations: [{ key: 'a', operator: 'In' }] }, 'supported values: "Exists", "Equal"'],
    [{ tolerations: [{ key: 'a', effect: 'Never' }] }, 'supported values: "NoSchedule"'],
    [{ tolerations: [{ key: 'a', tolerationSeconds: 5 }] }, 'tolerationSeconds needs effect NoExecute'],
    [{ tolerations: [{ key: 'a', unknown: 'b' }] }, 'unknown field'],
    [{ priorityClassName: 'High Priority' }, 'must be the name of a PriorityClass'],
    [{ priorityClassName: '' }, 'should be at least 1 chars long'],
  ])('[F-placement] refuses %j', async (placement, message) => {
    await expect(create(placed(placement))).rejects.toThrow(message);
  });
});

describe('annotations of the Service', () => {
  const annotated = (key: string) => apiServer({ service: { annotations: { [key]: 'x' } } });

  it.each([
    'tenancy.x-k8s.io/applied-hash',
    'cluster.x-k8s.io/paused',
    'controlplane.cluster.x-k8s.io/x',
    'clusterctl.cluster.x-k8s.io/block-move',
  ])('[F-annotation] %s is refused: it is ours', async (key) => {
    await expect(create(annotated(key))).rejects.toThrow('are set by the control plane; remove them');
  });

  it.each(['a b', '/a', 'a/', 'Example.org/a', 'a/b/c', 'x'.repeat(64)])(
    '[F-annotation] %j is refused: no name of an annotation',
    async (key) => {
      await expect(create(annotated(key))).rejects.toThrow('each key must be the name of an annotation');
    },
  );

  it.each(['service.beta.kubernetes.io/aws-load-balancer-type', 'a', 'mytenancy.x-k8s.io/a', 'x-k8s.io/a'])(
    '[F-annotation] %s is accepted',
    async (key) => {
      expect(await create(annotated(key))).toContain('created');
    },
  );
});

describe('resources', () => {
  const of = (resources: object) => ({ controllerManager: { resources } });

  it('[F-resources] of other names are refused', async () => {
    for (const name of ['cpus', 'nvidia.com/gpu', 'hugepages-2Mi', 'a b']) {
      const refusal = expect(create(of({ requests: { [name]: '1' } }))).rejects;
      await refusal.toThrow('allowed are cpu, memory, ephemeral-storage');
    }
  });

  it('[F-resources] with a request above the limit are refused', async () => {
    const pairs = [
      { requests: { cpu: 2 }, limits: { cpu: '1500m' } },
      { requests: { memory: '2Gi' }, limits: { memory: '2G' } },
    ];
    for (const pair of pairs) {
      await expect(create(of(pair))).rejects.toThrow('a request must not be above the limit of the same name');
    }
    expect(await create(of({ requests: { cpu: 1, memory: '1Gi' }, limits: { cpu: '1000m' } }))).toContain('created');
  });

  it('[F-resources] that are no quantity are told so, and nothing else', async () => {
    const refusal = await create(of({ requests: { cpu: 'x' }, limits: { cpu: 1 } })).catch(String);
    expect(refusal).toContain('must be a quantity such as 500m');
    expect(refusal).not.toContain('rule evaluation');
  });
});

it.each(['Fast', 'a b', 'a/b', '-'])('[F-class-name] %j is refused as a StorageClass', async (storageClassName) => {
  const refusal = expect(create({ etcd: { storage: { storageClassName } } })).rejects;
  await refusal.toThrow('must be the name of a StorageClass');
});

it('[F-pull-secret] a pull Secret of an impossible name is refused', async () => {
  const refusal = expect(create({ etcd: { imagePullSecrets: [{ name: '../ca' }] } })).rejects;
  await refusal.toThrow('must be the name of a Secret');
});

it('[F-env] a variable may have several lines, but no NUL character', async () => {
  const given = (value: string) => apiServer({ extraEnv: [{ name: 'A', value }] });
  expect(await create(given('a\nb'))).toContain('created');
  await expect(create(given('a\u0000b'))).rejects.toThrow('must not hold a NUL character');
});
