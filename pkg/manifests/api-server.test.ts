import { describe, expect, it } from 'vitest';
import { renderAPIServer, renderAPIServerService } from './index.ts';
import { expectGolden } from './test-golden.ts';
import { allSettings, nestedAPIServer, planeIdentity } from './test-inputs.ts';

const identity = planeIdentity();
const render = (apiServer = nestedAPIServer()) => renderAPIServer({ apiServer, identity, configHash: 'c0ffee' });
const podOf = (objects = render()) => objects.deployment.spec?.template.spec;
const containerOf = (objects = render()) => podOf(objects)?.containers[0];

describe('renderAPIServer', () => {
  it('renders what the golden file shows', async () => {
    const { deployment, networkPolicy } = render();
    await expectGolden('api-server', [deployment, networkPolicy]);
  });

  it('renders every setting as the golden file shows', async () => {
    const apiServer = nestedAPIServer({ ...allSettings, replicas: 3, service: { type: 'LoadBalancer' } });
    const { deployment, networkPolicy } = render(apiServer);
    await expectGolden('api-server-all-settings', [deployment, networkPolicy]);
  });

  it("adds the user's arguments after its own", () => {
    const args = containerOf(render(nestedAPIServer({ extraArgs: [{ name: 'audit-log-maxage', value: '3' }] })))?.args;
    expect(args?.at(-1)).toBe('--audit-log-maxage=3');
  });

  it('reads files only from Secrets that it mounts', () => {
    const sources = podOf()?.volumes?.[0]?.projected?.sources ?? [];
    const paths = sources.flatMap(
      (source) => source.secret?.items?.map(({ path }) => `/etc/kubernetes/pki/${path}`) ?? [],
    );
    const named = (containerOf()?.args ?? []).flatMap((argument) => argument.match(/=(\/.*)$/)?.[1] ?? []);
    expect(named.filter((path) => !paths.includes(path))).toEqual([]);
    expect(paths.filter((path) => !named.includes(path))).toEqual([]);
  });

  it("never mounts the key of one of the tenant's authorities", () => {
    const sources = podOf()?.volumes?.[0]?.projected?.sources ?? [];
    for (const name of ['team-a-ca', 'team-a-proxy']) {
      const source = sources.find(({ secret }) => secret?.name === name);
      expect(source?.secret?.items?.map(({ key }) => key)).toEqual(['tls.crt']);
    }
  });

  it('gives requests in flight their minute after the delay', () => {
    const delay = containerOf()?.args?.find((argument) => argument.startsWith('--shutdown-delay-duration='));
    const seconds = Number(/=(\d+)s$/.exec(delay ?? '')?.[1]);
    expect(podOf()?.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(seconds + 60);
  });

  it('closes the port to others behind a ClusterIP, and opens it behind what is there to be reached from outside', () => {
    const peersOf = (type: string) => render(nestedAPIServer({ service: { type } })).networkPolicy.spec?.ingress?.[0];
    expect(peersOf('ClusterIP')).toHaveProperty('from');
    expect(peersOf('NodePort')).toEqual({ ports: [{ port: 6443, protocol: 'TCP' }] });
    expect(peersOf('LoadBalancer')).toEqual({ ports: [{ port: 6443, protocol: 'TCP' }] });
  });
});

describe('renderAPIServerService', () => {
  it('selects the pods of the Deployment, on both ports', async () => {
    const service = renderAPIServerService({
      name: 'team-a-apiserver',
      namespace: 'tenants',
      labels: identity.labels,
      instance: identity.base,
      type: 'ClusterIP',
      annotations: { 'example.com/internal': 'true' },
      clusterIP: '10.96.7.1',
    });
    await expectGolden('api-server-service', [service]);
    const podLabels = render().deployment.spec?.template.metadata?.labels;
    expect(podLabels).toMatchObject(service.spec?.selector ?? { none: '' });
    expect(service.spec?.ports?.every(({ targetPort }) => targetPort === 6443)).toBe(true);
  });
});
