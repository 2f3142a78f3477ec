import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { controlPlaneNames } from '#apis';
import { sandboxUp } from '#sandbox';
import { eventually } from '../fixtures/eventually.ts';
import { sharedSandbox, superCluster, type SuperCluster } from '../fixtures/super-cluster.ts';
import {
  applyTenant,
  deleteTenant,
  tenantAvailable,
  tenantInitialized,
  tenantKubectl,
  testNamespace,
  type Tenant,
} from '../fixtures/tenant.ts';

const { signal } = new AbortController();
let cluster: SuperCluster;

beforeAll(async () => {
  cluster = await superCluster();
});

async function writeNote(tenant: Tenant, text: string): Promise<void> {
  await tenantKubectl(cluster, tenant, ['create', 'configmap', 'note', `--from-literal=text=${text}`]);
}

async function readNote(tenant: Tenant): Promise<string> {
  return tenantKubectl(cluster, tenant, [
    'get',
    'configmap',
    'note',
    '--ignore-not-found',
    '-o',
    'jsonpath={.data.text}',
  ]);
}

async function availableReason({ namespace, name }: Tenant): Promise<string> {
  const path = `jsonpath={.status.conditions[?(@.type=="Available")].reason}: {.status.conditions[?(@.type=="Available")].message}`;
  return cluster.kubectl(['get', 'ncp', '-n', namespace, name, '-o', path]);
}

async function eventReasons({ namespace }: Tenant): Promise<string> {
  return cluster.kubectl(['get', 'events', '-n', namespace, '-o', 'jsonpath={.items[*].reason}']);
}

describe.concurrent('data', () => {
  it('[F-etcd-killed] is there after the etcd pod was killed', async () => {
    await using _namespace = await testNamespace(cluster, 'fault-etcd');
    const tenant = { namespace: 'fault-etcd', name: 'kept' };
    await applyTenant(cluster, tenant);
    await tenantAvailable(cluster, tenant);
    await writeNote(tenant, 'remember');
    await cluster.kubectl([
      'delete',
      'pod',
      '-n',
      tenant.namespace,
      `${controlPlaneNames('kept').etcd}-0`,
      '--force',
      '--grace-period=0',
    ]);
    await tenantAvailable(cluster, tenant);
    await eventually(async () => expect(await readNote(tenant)).toBe('remember'), 60_000);
  });

  it('[F-owned-deleted] is there after every object of the control plane was deleted by hand, one after the other', async () => {
    await using _namespace = await testNamespace(cluster, 'fault-hands');
    const tenant = { namespace: 'fault-hands', name: 'mended' };
    const names = controlPlaneNames('mended');
    await applyTenant(cluster, tenant);
    await tenantAvailable(cluster, tenant);
    await writeNote(tenant, 'remember');
    const owned = [
      'nkcm/mended',
      'nkas/mended',
      'netcd/mended',
      `configmap/${names.etcdIdentity}`,
      `statefulset/${names.etcd}`,
      `deployment/${names.apiServer}`,
      `deployment/${names.controllerManager}`,
      `networkpolicy/${names.etcd}`,
      `secret/${names.secrets.etcdServer}`,
      `secret/${names.secrets.adminKubeconfig}`,
      `secret/${names.secrets.controllerManagerKubeconfig}`,
      `secret/${names.secrets.ca}`,
      `secret/${names.secrets.etcdCA}`,
    ];
    for (const object of owned) {
      const uid = async () =>
        cluster.kubectl([
          'get',
          '-n',
          tenant.namespace,
          object,
          '--ignore-not-found',
          '-o',
          'jsonpath={.metadata.uid}',
        ]);
      const before = await uid();
      expect(before, object).not.toBe('');
      await cluster.kubectl(['delete', '-n', tenant.namespace, object, '--timeout=120s']);
      await eventually(async () => {
        const after = await uid();
        expect(after, object).not.toBe('');
        expect(after, object).not.toBe(before);
      }, 120_000);
      await tenantAvailable(cluster, tenant);
    }
    await eventually(async () => expect(await readNote(tenant)).toBe('remember'), 120_000);
    expect(await eventReasons(tenant)).toContain('CertificateAuthorityReplaced');
  }, 900_000);

  it('[F-etcd-lost] that was lost is reported, and never replaced by an empty cluster', async () => {
    await using _namespace = await testNamespace(cluster, 'fault-lost');
    const tenant = { namespace: 'fault-lost', name: 'lost' };
    await applyTenant(cluster, tenant);
    await tenantAvailable(cluster, tenant);
    const claim = await cluster.kubectl([
      'get',
      'pvc',
      '-n',
      tenant.namespace,
      '-o',
      'jsonpath={.items[0].metadata.name}',
    ]);
    await cluster.kubectl(['delete', 'pvc', '-n', tenant.namespace, claim, '--wait=false']);
    await cluster.kubectl(['delete', 'pod', '-n', tenant.namespace, `${controlPlaneNames('lost').etcd}-0`]);
    await eventually(async () => expect(await availableReason(tenant)).toContain('DataLost'), 180_000);
    expect(await eventReasons(tenant)).toContain('DataLost');
  });

  it('[F-name-reused] of an earlier control plane of the same name is never seen again', async () => {
    await using _namespace = await testNamespace(cluster, 'fault-reuse');
    const tenant = { namespace: 'fault-reuse', name: 'again' };
    const clusterIDs = new Set<string>();
    for (let round = 0; round < 10; round += 1) {
      await applyTenant(cluster, tenant);
      await tenantInitialized(cluster, tenant);
      expect(await readNote(tenant)).toBe('');
      await writeNote(tenant, `round ${round}`);
      clusterIDs.add(
        await cluster.kubectl(['get', 'netcd', '-n', tenant.namespace, 'again', '-o', 'jsonpath={.status.clusterID}']),
      );
      await deleteTenant(cluster, tenant);
    }
    expect(clusterIDs.size).toBe(10);
  }, 900_000);

  it('[F-name-63] of a retained claim is left behind and not adopted, under a name of 63 characters', async () => {
    await using _namespace = await testNamespace(cluster, 'fault-retain');
    const tenant = { namespace: 'fault-retain', name: `a${'b'.repeat(61)}c` };
    await applyTenant(cluster, tenant, { deletionPolicy: 'Retain' });
    await tenantInitialized(cluster, tenant);
    await writeNote(tenant, 'old');
    await cluster.kubectl(['delete', 'ncp', '-n', tenant.namespace, tenant.name, '--timeout=120s']);
    const claims = async () =>
      (await cluster.kubectl(['get', 'pvc', '-n', tenant.namespace, '-o', 'name'])).trim().split('\n');
    expect(await claims()).toHaveLength(1);
    await applyTenant(cluster, tenant);
    await tenantInitialized(cluster, tenant);
    expect(await readNote(tenant)).toBe('');
    expect(await claims()).toHaveLength(2);
  });
});

describe.concurrent('namespaces', () => {
  it('[F-name-two-namespaces] hold control planes of one name, apart', async () => {
    await using _one = await testNamespace(cluster, 'fault-one');
    await using _two = await testNamespace(cluster, 'fault-two');
    const tenants = [
      { namespace: 'fault-one', name: 'same' },
      { namespace: 'fault-two', name: 'same' },
    ];
    await Promise.all(tenants.map((tenant) => applyTenant(cluster, tenant)));
    await Promise.all(tenants.map((tenant) => tenantAvailable(cluster, tenant)));
    await Promise.all(tenants.map((tenant) => writeNote(tenant, tenant.namespace)));
    for (const tenant of tenants) expect(await readNote(tenant)).toBe(tenant.namespace);
    const [revoking] = tenants;
    if (revoking !== undefined) await expectRevocable(revoking);
    const ranges = await cluster.kubectl(['get', 'ncp', '-A', '-o', 'jsonpath={.items[*].status.serviceCIDR}']);
    const all = ranges.split(' ');
    expect(new Set(all).size).toBe(all.length);
  });

  it('[F-namespace-deleted] take a bring-up with them', async () => {
    await using _namespace = await testNamespace(cluster, 'fault-gone');
    const tenant = { namespace: 'fault-gone', name: 'gone' };
    await applyTenant(cluster, tenant);
    await eventually(
      async () => expect(await cluster.kubectl(['get', 'pods', '-n', 'fault-gone', '-o', 'name'])).toContain('etcd'),
      60_000,
    );
    await cluster.kubectl(['delete', 'namespace', 'fault-gone', '--timeout=120s']);
    expect(await cluster.kubectl(['get', 'namespace', 'fault-gone', '--ignore-not-found'])).toBe('');
  });
});

/** A tenant that takes the admins' binding away has revoked the admin kubeconfig; nobody puts it back. */
async function expectRevocable(tenant: Tenant): Promise<void> {
  const { namespace, name } = tenant;
  await tenantKubectl(cluster, tenant, ['delete', 'clusterrolebinding', 'capn:cluster-admins']);
  await cluster.kubectl(['annotate', 'ncp', '-n', namespace, name, 'example.test/look=again']);
  await eventually(async () => {
    await expect(tenantKubectl(cluster, tenant, ['get', 'nodes'])).rejects.toThrow(/Forbidden|forbidden/);
  });
  await sleep(3000);
  await expect(tenantKubectl(cluster, tenant, ['get', 'nodes'])).rejects.toThrow(/Forbidden|forbidden/);
}

/** Processes of the shared sandbox's pods whose command line holds `words`. */
function processes(words: string): readonly number[] {
  return readdirSync('/proc').flatMap((pid) => {
    try {
      const isOurs = readFileSync(`/proc/${pid}/cgroup`, 'utf8').includes(`/capn-${sharedSandbox}/`);
      return isOurs && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(words) ? [Number(pid)] : [];
    } catch {
      return [];
    }
  });
}

describe('during a bring-up', () => {
  /** SIGKILL, then a new pod at once instead of the kubelet's growing pauses. */
  async function killManager(): Promise<void> {
    const [pid] = await eventually(() => {
      const found = processes('/app/manager.mjs');
      expect(found.length).toBeGreaterThan(0);
      return found;
    });
    process.kill(pid ?? 0, 'SIGKILL');
    await cluster.kubectl(['delete', 'pods', '-n', 'capn-system', '--all', '--force', '--grace-period=0']);
  }

  it('[F-manager-killed] the manager can be killed at any moment', async () => {
    await using _namespace = await testNamespace(cluster, 'fault-manager');
    const tenant = { namespace: 'fault-manager', name: 'stubborn' };
    const moments = [
      'secret/stubborn-ca',
      'netcd/stubborn',
      'secret/stubborn-etcd-server',
      'nkas/stubborn',
      'nkcm/stubborn',
    ];
    await applyTenant(cluster, tenant);
    for (const moment of moments) {
      await eventually(async () => cluster.kubectl(['get', '-n', tenant.namespace, moment]), 120_000);
      await killManager();
    }
    await tenantAvailable(cluster, tenant);
    await writeNote(tenant, 'alive');
    expect(await readNote(tenant)).toBe('alive');
    await deleteTenant(cluster, tenant);
  }, 600_000);

  it("[F-super-restarted] super's API server can be killed and come back", async () => {
    await using _namespace = await testNamespace(cluster, 'fault-super');
    const tenant = { namespace: 'fault-super', name: 'patient' };
    await applyTenant(cluster, tenant);
    await eventually(async () => cluster.kubectl(['get', '-n', tenant.namespace, 'netcd/patient']), 60_000);
    process.kill(cluster.sandbox.components['kube-apiserver'].pid ?? 0, 'SIGKILL');
    await sleep(2000);
    await sandboxUp({ name: sharedSandbox }, signal);
    await tenantAvailable(cluster, tenant);
    await deleteTenant(cluster, tenant);
  }, 600_000);
});
