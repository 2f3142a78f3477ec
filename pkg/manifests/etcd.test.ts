import { describe, expect, it } from 'vitest';
import { claimNameFor, renderEtcd } from './index.ts';
import { expectGolden } from './test-golden.ts';
import { allSettings, nestedEtcd, planeIdentity } from './test-inputs.ts';

const render = (etcd = nestedEtcd(), identity = planeIdentity()) =>
  renderEtcd({ etcd, identity, configHash: 'c0ffee' });
const templateOf = (objects = render()) => objects.statefulSet.spec?.template.spec;
const argumentsOf = (objects = render()) => templateOf(objects)?.containers[0]?.args ?? [];

describe('renderEtcd', () => {
  it('renders what the golden file shows', async () => {
    const { service, statefulSet, networkPolicy } = render();
    await expectGolden('etcd', [service, statefulSet, networkPolicy]);
  });

  it('renders every setting as the golden file shows', async () => {
    const storage = { size: '20Gi', storageClassName: 'fast' };
    const { statefulSet } = render(nestedEtcd({ ...allSettings, storage }));
    await expectGolden('etcd-all-settings', [statefulSet]);
  });

  it('reports the member URLs that it gives to etcd itself', () => {
    const { endpoints } = render();
    expect(endpoints).toEqual(['https://team-a-etcd-0.team-a-etcd.tenants.svc:2379']);
    const own = endpoints.map((url) => url.replace('team-a-etcd-0', '$(POD_NAME)'));
    expect(argumentsOf()).toContain(`--advertise-client-urls=${own[0]}`);
  });

  it('gives control planes of one name and different UIDs different claims and cluster tokens', () => {
    const [first, second] = [planeIdentity('team-a', 'uid-1'), planeIdentity('team-a', 'uid-2')];
    const nameOf = (identity: typeof first) =>
      render(nestedEtcd(), identity).statefulSet.spec?.volumeClaimTemplates?.[0]?.metadata?.name;
    expect(nameOf(first)).toMatch(/^data-[0-9a-f]{8}$/);
    expect(nameOf(first)).not.toBe(nameOf(second));
    expect(claimNameFor(first, 0)).toBe(`${nameOf(first)}-team-a-etcd-0`);
    expect(argumentsOf(render(nestedEtcd(), second))).toContain('--initial-cluster-token=uid-2');
  });

  it('marks the claim with the UID that it is judged by', () => {
    const [claim] = render().statefulSet.spec?.volumeClaimTemplates ?? [];
    expect(claim?.metadata?.labels?.['tenancy.x-k8s.io/control-plane-uid']).toBe(planeIdentity().uid);
  });

  it('lets the claim outlive a StatefulSet that is deleted by hand', () => {
    const policy = render().statefulSet.spec?.persistentVolumeClaimRetentionPolicy;
    expect(policy).toEqual({ whenDeleted: 'Retain', whenScaled: 'Retain' });
  });

  it("reads the cluster's state from outside at each start, and never as an argument, which would win", () => {
    const env = templateOf()?.containers[0]?.env?.find(({ name }) => name === 'ETCD_INITIAL_CLUSTER_STATE');
    expect(env?.valueFrom?.configMapKeyRef).toEqual({ name: 'team-a-etcd-identity', key: 'state' });
    expect(argumentsOf().join(' ')).not.toContain('--initial-cluster-state');
  });

  it('keeps the names of a long control plane within what Kubernetes takes', () => {
    const { statefulSet, service } = render(nestedEtcd(), planeIdentity('a'.repeat(63)));
    // A pod's `controller-revision-hash` label is the StatefulSet's name, a dash and 10 characters.
    expect(statefulSet.metadata.name?.length).toBeLessThanOrEqual(52);
    expect(service.metadata.name?.length).toBeLessThanOrEqual(63);
  });

  it('lets nobody but the API server, the provider and other members in', () => {
    const rules = render().networkPolicy.spec?.ingress ?? [];
    expect(rules.every((rule) => 'from' in rule)).toBe(true);
  });
});
