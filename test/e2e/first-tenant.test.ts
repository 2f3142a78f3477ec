import { X509Certificate } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { controlPlaneNames } from '#apis';
import { runCommand } from '#sandbox';
import { eventually } from '../fixtures/eventually.ts';
import { superCluster, type SuperCluster } from '../fixtures/super-cluster.ts';
import { tenantKubectl, testNamespace } from '../fixtures/tenant.ts';

/** What a person finds after `npm run demo`: the tenant `team-a` in `default`. */
const tenant = { namespace: 'default', name: 'team-a' };
const image = 'ghcr.io/cluster-api-provider-nested/capn:v0.1.0';
let cluster: SuperCluster;

beforeAll(async () => {
  cluster = await superCluster();
});

async function tenantRun(...args: readonly string[]): Promise<string> {
  return tenantKubectl(cluster, tenant, args);
}

async function apiServerAddress(): Promise<string> {
  const { apiServer } = controlPlaneNames(tenant.name);
  return cluster.kubectl(['get', 'service', apiServer, '-o', 'jsonpath={.spec.clusterIP}']);
}

describe('the tenant', () => {
  it('is an ordinary cluster whose workload controllers run', async () => {
    expect(await tenantRun('get', 'namespaces', '-o', 'name')).toContain('namespace/kube-system');
    await tenantRun('create', 'deployment', 'web', '--image=registry.k8s.io/pause:3.10');
    await eventually(async () =>
      expect(await tenantRun('get', 'rs', '-o', 'jsonpath={.items[*].spec.replicas}')).toBe('1'),
    );
    await tenantRun('delete', 'deployment', 'web');
  });

  it('has default/kubernetes at the first address of its own slice, with a real endpoint', async () => {
    const cidr = await cluster.kubectl(['get', 'ncp', 'team-a', '-o', 'jsonpath={.status.serviceCIDR}']);
    const address = await tenantRun('get', 'service', 'kubernetes', '-o', 'jsonpath={.spec.clusterIP}');
    expect(address).toBe(cidr.replace('.0/24', '.1'));
    const selector = 'app.kubernetes.io/instance=team-a,app.kubernetes.io/component=kube-apiserver';
    const podIP = await cluster.kubectl(['get', 'pods', '-l', selector, '-o', 'jsonpath={.items[*].status.podIP}']);
    await eventually(async () => {
      const path = 'jsonpath={.items[?(@.metadata.name=="kubernetes")].endpoints[*].addresses[*]}';
      expect(await tenantRun('get', 'endpointslices', '-o', path)).toBe(podIP);
    });
    await tenantRun('create', 'service', 'clusterip', 'probe', '--tcp=80:80');
    const own = await tenantRun('get', 'service', 'probe', '-o', 'jsonpath={.spec.clusterIP}');
    expect(own.startsWith(cidr.replace('0/24', ''))).toBe(true);
    await tenantRun('delete', 'service', 'probe');
  });

  it('is reached from a pod in super at that address, with a certificate that verifies', async () => {
    const address = await apiServerAddress();
    const ca = await authorityPem();
    const script = `const https = require('node:https');
      const ask = (host, servername) => new Promise((resolve, reject) => https.get({ host, port: 443, path: '/version', servername, ca: process.env.CA }, (answer) => {
        let body = ''; answer.on('data', (part) => (body += part)); answer.on('end', () => resolve(JSON.parse(body).gitVersion)); }).on('error', reject));
      Promise.all([ask('${address}', ''), ask('team-a-apiserver.default.svc'), ask('${address}', 'kubernetes.default.svc')]).then((all) => console.log(all.join(' ')), (error) => { console.error(error.message); process.exit(1); });`;
    const pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'asks-tenant', namespace: 'default' },
      spec: {
        restartPolicy: 'Never',
        terminationGracePeriodSeconds: 0,
        containers: [
          { name: 'main', image, command: ['/usr/local/bin/node', '-e', script], env: [{ name: 'CA', value: ca }] },
        ],
      },
    };
    await cluster.kubectl(['apply', '-f', '-'], pod);
    await cluster
      .kubectl(['wait', 'pod/asks-tenant', '--for=jsonpath={.status.phase}=Succeeded', '--timeout=60s'])
      .catch(() => '');
    expect((await cluster.kubectl(['logs', 'asks-tenant'])).trim()).toBe('v1.36.3 v1.36.3 v1.36.3');
    await cluster.kubectl(['delete', 'pod', 'asks-tenant']);
  });

  it('signs certificate requests with its own CA', async () => {
    const { request } = await certificateRequest();
    await tenantKubectl(cluster, tenant, ['create', '-f', '-'], { input: request });
    await tenantRun('certificate', 'approve', 'alice');
    await eventually(async () => {
      const issued = await tenantRun('get', 'csr', 'alice', '-o', 'jsonpath={.status.certificate}');
      const certificate = new X509Certificate(Buffer.from(issued, 'base64'));
      expect(certificate.verify(new X509Certificate(await authorityPem()).publicKey)).toBe(true);
      expect(certificate.subject).toBe('O=devs\nCN=alice');
    });
    await tenantRun('delete', 'csr', 'alice');
  });

  it('gives the syncer an identity of its own, which can do nothing yet', async () => {
    const can = async (...args: readonly string[]) => {
      const words = ['auth', 'can-i', ...args, '--quiet'];
      return tenantKubectl(cluster, tenant, words, { user: 'syncer' }).then(
        () => 'yes',
        (error: unknown) => `no: ${String(error)}`,
      );
    };
    expect(
      await tenantKubectl(cluster, tenant, ['auth', 'whoami', '-o', 'jsonpath={.status.userInfo.username}'], {
        user: 'syncer',
      }),
    ).toBe('capn:syncer');
    expect(await can('get', '/readyz')).toBe('yes');
    expect(await can('list', 'secrets', '-A')).toMatch(/^no: .*status 1/s);
    expect(await can('create', 'pods')).toMatch(/^no: .*status 1/s);
  });

  it('serves under another name once the name is asked for', async () => {
    const patch = { spec: { apiServer: { extraSANs: ['team-a.example.org', '192.0.2.7'] } } };
    await cluster.kubectl(['patch', 'ncp', 'team-a', '--type=merge', '-p', JSON.stringify(patch)]);
    await eventually(async () => {
      expect(await servedNames()).toContain('DNS:team-a.example.org');
      expect(await servedNames()).toContain('IP Address:192.0.2.7');
    }, 90_000);
    await cluster.kubectl(['wait', 'ncp/team-a', '--for=condition=Available', '--timeout=120s']);
  });

  it('keeps system:masters out of every Secret', async () => {
    const { items } = JSON.parse(await cluster.kubectl(['get', 'secrets', '-n', 'default', '-o', 'json'])) as {
      items: { metadata: { name: string }; data?: Record<string, string> }[];
    };
    for (const { metadata, data = {} } of items) {
      const texts = Object.values(data).map((value) => Buffer.from(value, 'base64').toString());
      const embedded = texts.flatMap((text) =>
        [...text.matchAll(/client-certificate-data: (\S+)/g)].map((match) =>
          Buffer.from(match[1] ?? '', 'base64').toString(),
        ),
      );
      for (const pem of [...texts, ...embedded].filter((text) => text.startsWith('-----BEGIN CERTIFICATE'))) {
        expect(`${metadata.name}: ${new X509Certificate(pem).subject}`).not.toContain('system:masters');
      }
    }
  });
});

/** The names in the certificate that the API server shows now, as OpenSSL prints them. */
async function servedNames(): Promise<string> {
  const address = await apiServerAddress();
  const script = `openssl s_client -connect ${address}:443 </dev/null 2>/dev/null | openssl x509 -noout -ext subjectAltName`;
  return runCommand(
    ['nsenter', `--net=${cluster.sandbox.netns}`, 'sh', '-c', script],
    {},
    new AbortController().signal,
  );
}

async function authorityPem(): Promise<string> {
  const secret = await cluster.kubectl(['get', 'secret', 'team-a-ca', '-o', 'jsonpath={.data.tls\\.crt}']);
  return Buffer.from(secret, 'base64').toString();
}

async function certificateRequest() {
  const { execFileSync } = await import('node:child_process');
  const pem = execFileSync(
    'openssl',
    [
      'req',
      '-new',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:P-256',
      '-nodes',
      '-subj',
      '/CN=alice/O=devs',
      '-keyout',
      '/dev/null',
    ],
    { stdio: ['ignore', 'pipe', 'ignore'] },
  );
  const request = {
    apiVersion: 'certificates.k8s.io/v1',
    kind: 'CertificateSigningRequest',
    metadata: { name: 'alice' },
    spec: {
      request: pem.toString('base64'),
      signerName: 'kubernetes.io/kube-apiserver-client',
      usages: ['client auth'],
      expirationSeconds: 3600,
    },
  };
  return { request };
}

describe('the super cluster', () => {
  it('shows all of it with kubectl', async () => {
    const table = await cluster.kubectl(['get', 'ncp,netcd,nkas,nkcm', '-A']);
    for (const kind of ['nestedcontrolplane', 'nestedetcd', 'nestedapiserver', 'nestedcontrollermanager']) {
      expect(table).toMatch(new RegExp(`${kind}\\S*/team-a +.*True`));
    }
    const explained = await cluster.kubectl(['explain', 'ncp.spec.etcd']);
    for (const field of ['storage', 'replicas', 'extraArgs', 'imageRepository']) expect(explained).toContain(field);
  });

  it('follows kubectl scale, both ways', async () => {
    const scaled = async (replicas: number) => {
      await cluster.kubectl(['scale', 'ncp', 'team-a', `--replicas=${replicas}`]);
      await eventually(async () => {
        const status = await cluster.kubectl([
          'get',
          'ncp',
          'team-a',
          '-o',
          'jsonpath={.status.replicas} {.status.readyReplicas} {.status.upToDateReplicas}',
        ]);
        expect(status).toBe(`${replicas} ${replicas} ${replicas}`);
      }, 120_000);
      await cluster.kubectl(['wait', 'ncp/team-a', '--for=condition=Available', '--timeout=120s']);
    };
    await scaled(2);
    await eventually(async () =>
      expect(
        (await tenantRun('get', 'endpointslices', 'kubernetes', '-o', 'jsonpath={.endpoints[*].addresses[*]}')).split(
          ' ',
        ),
      ).toHaveLength(2),
    );
    await scaled(1);
  });

  it('runs pods that pass Pod Security restricted', async () => {
    await using _namespace = await testNamespace(cluster, 'restricted-check');
    await cluster.kubectl(['label', 'namespace', 'restricted-check', 'pod-security.kubernetes.io/enforce=restricted']);
    const { items } = JSON.parse(
      await cluster.kubectl(['get', 'pods', '-l', 'app.kubernetes.io/instance=team-a', '-o', 'json']),
    ) as { items: { metadata: { labels: Record<string, string> }; spec: object }[] };
    // Pods that were scaled away may still be on their way out.
    const components = new Set(items.map(({ metadata }) => metadata.labels['app.kubernetes.io/component']));
    expect([...components].sort()).toEqual(['etcd', 'kube-apiserver', 'kube-controller-manager']);
    for (const { spec } of items) {
      const metadata = { generateName: 'probe-', namespace: 'restricted-check' };
      const pod = {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata,
        spec: { ...spec, nodeName: null, serviceAccountName: null },
      };
      expect(await cluster.kubectl(['create', '--dry-run=server', '-o', 'name', '-f', '-'], pod)).toContain(
        'pod/probe-',
      );
      expect(spec).toMatchObject({ automountServiceAccountToken: false });
    }
    const rootful = { containers: [{ name: 'x', image: 'x' }] };
    const refused = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'x', namespace: 'restricted-check' },
      spec: rootful,
    };
    await expect(cluster.kubectl(['create', '--dry-run=server', '-f', '-'], refused)).rejects.toThrow(/PodSecurity/);
  });

  it('says in its status when the API server is down, and when it is back', async () => {
    const selector = 'app.kubernetes.io/instance=team-a,app.kubernetes.io/component=kube-apiserver';
    await cluster.kubectl(['delete', 'pods', '-l', selector, '--force', '--grace-period=0']);
    await cluster.kubectl(['wait', 'ncp/team-a', '--for=condition=Available=False', '--timeout=30s']);
    await cluster.kubectl(['wait', 'ncp/team-a', '--for=condition=Available', '--timeout=120s']);
    expect(
      await cluster.kubectl([
        'get',
        'ncp',
        'team-a',
        '-o',
        'jsonpath={.status.initialization.controlPlaneInitialized}',
      ]),
    ).toBe('true');
  });

  it('restarts no pod of a control plane at rest', async () => {
    const counts = await cluster.kubectl([
      'get',
      'pods',
      '-l',
      'app.kubernetes.io/instance=team-a',
      '-o',
      'jsonpath={.items[*].status.containerStatuses[*].restartCount}',
    ]);
    expect(new Set(counts.split(' '))).toEqual(new Set(['0']));
  });
});
