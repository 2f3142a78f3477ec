import { X509Certificate } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { controlPlaneNames, nestedControlPlanes, nestedEtcds, type NestedControlPlane, type NestedEtcd } from '#apis';
import { generateCertificateAuthority, generateServiceAccountKey, issueCertificate } from '#certs';
import {
  findCondition,
  resources,
  type KubeClient,
  type KubeObject,
  type PersistentVolumeClaim,
  type Secret,
} from '#kube';
import { claimNameFor } from '#manifests';
import { nestedControlPlane } from '../builders/nested-control-plane.ts';
import { startControllers, storageClass, type ControllersFixture } from '../fixtures/controllers.ts';
import { eventually } from '../fixtures/eventually.ts';

/**
 * What the controllers do with bad input and foreign objects, on a real API server without nodes: a control plane comes
 * as far as etcd's pods, which nobody starts here.
 */
const signal = AbortSignal.timeout(600_000);
let controllers: ControllersFixture;
let client: KubeClient;

beforeAll(async () => {
  controllers = await startControllers({}, signal);
  ({ client } = controllers);
});

afterAll(async () => {
  await controllers[Symbol.asyncDispose]();
});

async function createPlane(name: string, spec: object = {}): Promise<NestedControlPlane> {
  return client.create(nestedControlPlanes, nestedControlPlane(name, spec) as NestedControlPlane, signal);
}

async function conditionOf(name: string, type: string) {
  const found = await client.get(nestedControlPlanes, { namespace: 'default', name }, signal);
  return findCondition(found?.status?.conditions, type);
}

async function expectReason(name: string, reason: string, ...words: readonly string[]): Promise<void> {
  await eventually(async () => {
    const condition = await conditionOf(name, 'Available');
    expect(condition).toMatchObject({ status: 'False', reason });
    for (const word of words) expect(condition?.message).toContain(word);
  });
}

function secret(name: string, data: Readonly<Record<string, string>>, metadata: object = {}): Secret {
  const encoded = Object.fromEntries(
    Object.entries(data).map(([key, text]) => [key, Buffer.from(text).toString('base64')]),
  );
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, namespace: 'default', ...metadata },
    type: 'cluster.x-k8s.io/secret',
    data: encoded,
  };
}

const foreignOwner = {
  ownerReferences: [
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      name: 'somebody',
      uid: '11111111-1111-1111-1111-111111111111',
      controller: true,
    },
  ],
};
const held = { finalizers: ['example.test/hold'] };

async function release(
  type: typeof resources.secrets | typeof resources.services | typeof resources.persistentVolumeClaims,
  name: string,
): Promise<void> {
  const target = { type: type as typeof resources.secrets, key: { namespace: 'default', name } };
  await client.mergePatch(target, { metadata: { finalizers: null } }, {}, signal);
}

/** No garbage collector runs here: what holds a foreground deletion is released as it would. */
async function releaseForegroundDeletion(name: string): Promise<void> {
  const target = { type: nestedEtcds, key: { namespace: 'default', name } };
  const etcd = await client.get(nestedEtcds, target.key, signal);
  if (etcd?.metadata.finalizers?.includes('foregroundDeletion') !== true) return;
  await client.mergePatch(target, { metadata: { finalizers: null } }, {}, signal);
}

/** The control plane has come past everything that needs no nodes. */
async function expectWaitingForEtcdPods(name: string): Promise<void> {
  await expectReason(name, 'WaitingForEtcd', 'WaitingForPods');
}

describe('a control plane on a super cluster without nodes', () => {
  it('comes as far as the pods of etcd, and says so', async () => {
    await createPlane('plain');
    await expectWaitingForEtcdPods('plain');
    const plane = await client.get(nestedControlPlanes, { namespace: 'default', name: 'plain' }, signal);
    expect(findCondition(plane?.status?.conditions, 'CertificatesAvailable')?.status).toBe('True');
    expect(findCondition(plane?.status?.conditions, 'EndpointAvailable')?.status).toBe('True');
    expect(plane?.status?.serviceCIDR).toMatch(/^10\.96\.\d+\.0\/24$/);
    expect(plane?.spec.controlPlaneEndpoint).toEqual({ host: 'plain-apiserver.default.svc', port: 6443 });
    expect(plane?.status?.initialization).toBeUndefined();
  });

  it('writes nothing at rest', async () => {
    await expectWaitingForEtcdPods('plain');
    const versions = async () => {
      const lists = await Promise.all(
        [
          resources.secrets,
          resources.services,
          resources.statefulSets,
          resources.configMaps,
          nestedControlPlanes,
          nestedEtcds,
        ].map((type) => client.list<KubeObject>(type, { namespace: 'default' }, signal)),
      );
      return lists
        .flatMap(({ items }) => items.map((item) => `${item.metadata.uid} ${item.metadata.resourceVersion}`))
        .sort();
    };
    const before = await eventually(async () => {
      const first = await versions();
      await sleep(1500);
      expect(await versions()).toEqual(first);
      return first;
    });
    await sleep(4000);
    expect(await versions()).toEqual(before);
  });

  it('sends nothing at rest either, where the server writes what was sent in another way', async () => {
    const odd = { requests: { cpu: '1000m', memory: '1024Mi' } };
    await createPlane('odd', { etcd: { resources: odd, placement: { tolerations: [] } } });
    await expectWaitingForEtcdPods('odd');
    const target = { type: nestedEtcds, key: { namespace: 'default', name: 'odd' } };
    const settled = async () => {
      const before = await controllers.manager.writes();
      await client.mergePatch(target, { metadata: { annotations: { look: String(performance.now()) } } }, {}, signal);
      await sleep(1500);
      expect(await controllers.manager.writes()).toBe(before);
    };
    await eventually(settled);
    await settled();
  });

  it('claims different slices for control planes that are created at once', async () => {
    const names = Array.from({ length: 8 }, (_, at) => `many-${at}`);
    await Promise.all(names.map((name) => createPlane(name)));
    await Promise.all(names.map((name) => expectWaitingForEtcdPods(name)));
    const planes = await Promise.all(
      names.map((name) => client.get(nestedControlPlanes, { namespace: 'default', name }, signal)),
    );
    const slices = planes.map((plane) => plane?.status?.serviceCIDR ?? '');
    expect(new Set(slices).size).toBe(names.length);
    for (const [at, name] of names.entries()) {
      const service = await client.get(
        resources.services,
        { namespace: 'default', name: controlPlaneNames(name).apiServer },
        signal,
      );
      expect(service?.spec?.clusterIP).toBe(slices[at]?.replace('.0/24', '.1'));
    }
  });

  it('tells when a wanted Service range is not to be had', async () => {
    await createPlane('outside', { apiServer: { serviceCIDR: '192.168.7.0/24' } });
    await expectReason('outside', 'InvalidServiceCIDR', '192.168.7.0/24', '10.96.1.0-10.96.255.255');
    await createPlane('inside', { apiServer: { serviceCIDR: '10.96.200.0/24' } });
    await expectWaitingForEtcdPods('inside');
    await createPlane('inside-again', { apiServer: { serviceCIDR: '10.96.200.0/24' } });
    await expectReason('inside-again', 'InvalidServiceCIDR', 'claimed by another');
  });

  it('[F-name-63] works with a name of 63 characters', async () => {
    const name = `a${'b'.repeat(61)}c`;
    await createPlane(name);
    await expectWaitingForEtcdPods(name);
    const names = controlPlaneNames(name);
    for (const cut of [names.etcd, names.apiServer]) expect(cut.length).toBeLessThanOrEqual(52);
    expect(await client.get(resources.secrets, { namespace: 'default', name: `${name}-ca` }, signal)).toBeDefined();
  });

  it('[F-storage-class-missing] tells of a StorageClass that is not there, and goes on once it is', async () => {
    await createPlane('slow', { etcd: { storage: { storageClassName: 'gold' } } });
    await expectReason('slow', 'WaitingForEtcd', 'StorageClassNotFound', 'gold', 'standard');
    await client.apply(resources.storageClasses, storageClass('gold', false), { fieldManager: 'test' }, signal);
    await expectWaitingForEtcdPods('slow');
  });
});

describe('what a user brings', () => {
  const now = new Date();
  const longAgo = new Date(now.getTime() - 400 * 86_400_000);

  async function bring(name: string, pem: { certificate: string; privateKey: string }): Promise<void> {
    await client.create(
      resources.secrets,
      secret(name, { 'tls.crt': pem.certificate, 'tls.key': pem.privateKey }),
      signal,
    );
  }

  async function expectRefused(
    { name, suffix }: { readonly name: string; readonly suffix: string },
    pem: { certificate: string; privateKey: string },
    ...words: readonly string[]
  ) {
    await bring(`${name}-${suffix}`, pem);
    await createPlane(name);
    await expectReason(name, 'InvalidCertificateAuthority', `default/${name}-${suffix}`, ...words);
    const after = await client.get(resources.secrets, { namespace: 'default', name: `${name}-${suffix}` }, signal);
    expect(Buffer.from(after?.data?.['tls.crt'] ?? '', 'base64').toString()).toBe(pem.certificate);
  }

  const newCA = async (commonName: string, at = now) =>
    generateCertificateAuthority({ commonName, lifetimeDays: 30 }, at);

  it.each(['ca', 'etcd', 'proxy'])('[F-ca-expired] is refused as %s when it has expired', async (suffix) => {
    await expectRefused({ name: `expired-${suffix}`, suffix }, await newCA('old', longAgo), 'expired');
  });

  it.each(['ca', 'etcd', 'proxy'])('[F-ca-not-a-ca] is refused as %s when it is no CA', async (suffix) => {
    const leaf = await issueCertificate(
      await newCA('root'),
      { commonName: 'leaf', usages: ['server'], lifetimeDays: 10 },
      now,
    );
    await expectRefused({ name: `leafy-${suffix}`, suffix }, leaf, 'not a CA');
  });

  it.each(['ca', 'etcd', 'proxy'])(
    '[F-ca-key-mismatch] is refused as %s when its key does not match',
    async (suffix) => {
      const [one, other] = [await newCA('one'), await newCA('other')];
      const mixed = { certificate: one.certificate, privateKey: other.privateKey };
      await expectRefused({ name: `mixed-${suffix}`, suffix }, mixed, 'does not belong');
    },
  );

  it('[F-ca-key-mismatch] is refused as the ServiceAccount key when its halves do not match', async () => {
    const [one, other] = [await generateServiceAccountKey(), await generateServiceAccountKey()];
    const mixed = { certificate: one.publicKey, privateKey: other.privateKey };
    await expectRefused({ name: 'mixed-sa', suffix: 'sa' }, mixed, 'does not belong');
  });

  it('[F-ca-expired] is used as soon as it has been repaired', async () => {
    await bring('mended-ca-ca', await newCA('old', longAgo));
    await createPlane('mended-ca');
    await expectReason('mended-ca', 'InvalidCertificateAuthority', 'expired');
    const good = await newCA('new');
    const { data } = secret('x', { 'tls.crt': good.certificate, 'tls.key': good.privateKey });
    const target = { type: resources.secrets, key: { namespace: 'default', name: 'mended-ca-ca' } };
    await client.mergePatch(target, { data: { ...data } }, {}, signal);
    await expectWaitingForEtcdPods('mended-ca');
  });

  it('is told by the component, and never signs, once it was replaced by something else', async () => {
    await createPlane('swapped');
    await expectWaitingForEtcdPods('swapped');
    const target = { type: resources.secrets, key: { namespace: 'default', name: 'swapped-etcd' } };
    const { data } = secret('x', { 'tls.crt': 'garbage', 'tls.key': 'garbage' });
    await client.mergePatch(target, { data: { ...data } }, {}, signal);
    await eventually(async () => {
      const etcd = await client.get<NestedEtcd>(nestedEtcds, { namespace: 'default', name: 'swapped' }, signal);
      const ready = findCondition(etcd?.status?.conditions, 'Ready');
      expect(ready).toMatchObject({ status: 'False', reason: 'InvalidCertificateAuthority' });
    });
  });

  it('is used when it is sound, and stays when the control plane goes', async () => {
    const ca = await newCA('corp');
    await bring('brought-etcd', ca);
    await createPlane('brought');
    await expectWaitingForEtcdPods('brought');
    const server = await client.get(resources.secrets, { namespace: 'default', name: 'brought-etcd-server' }, signal);
    const leaf = new X509Certificate(Buffer.from(server?.data?.['tls.crt'] ?? '', 'base64'));
    expect(leaf.verify(new X509Certificate(ca.certificate).publicKey)).toBe(true);
    await client.delete(nestedControlPlanes, { namespace: 'default', name: 'brought' }, {}, signal);
    await eventually(async () => {
      await releaseForegroundDeletion('brought');
      expect(await conditionOf('brought', 'Available')).toBeUndefined();
    });
    const kept = await client.get(resources.secrets, { namespace: 'default', name: 'brought-etcd' }, signal);
    expect(kept?.metadata.ownerReferences).toBeUndefined();
    expect(kept?.metadata.deletionTimestamp).toBeUndefined();
  });
});

describe('an object of the wanted name that is not ours', () => {
  it('[F-secret-foreign] is left alone when it is a Secret', async () => {
    await client.create(resources.secrets, secret('taken-ca', { mine: 'yes' }, foreignOwner), signal);
    await createPlane('taken');
    await expectReason('taken', 'NameTaken', 'Secret default/taken-ca');
    const after = await client.get(resources.secrets, { namespace: 'default', name: 'taken-ca' }, signal);
    expect(after?.data).toEqual({ mine: Buffer.from('yes').toString('base64') });
  });

  it('[F-secret-deleting] is waited for when it is a Secret that is being deleted', async () => {
    await client.create(resources.secrets, secret('leaving-etcd-server', { mine: 'yes' }, held), signal);
    await client.delete(resources.secrets, { namespace: 'default', name: 'leaving-etcd-server' }, {}, signal);
    await createPlane('leaving');
    await expectReason('leaving', 'WaitingForEtcd', 'Secret default/leaving-etcd-server');
    await release(resources.secrets, 'leaving-etcd-server');
    await expectWaitingForEtcdPods('leaving');
  });

  it('[F-service-foreign] is left alone when it is a Service', async () => {
    const service = {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'busy-apiserver', namespace: 'default' },
      spec: { ports: [{ port: 80 }] },
    };
    const before = await client.create(resources.services, service, signal);
    await createPlane('busy');
    await expectReason('busy', 'NameTaken', 'Service default/busy-apiserver');
    const after = await client.get(resources.services, { namespace: 'default', name: 'busy-apiserver' }, signal);
    expect(after?.metadata.resourceVersion).toBe(before.metadata.resourceVersion);
  });

  it('[F-service-deleting] is waited for when it is a Service that is being deleted', async () => {
    const service = {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'going-apiserver', namespace: 'default', ...held },
      spec: { ports: [{ port: 80 }] },
    };
    await client.create(resources.services, service, signal);
    await client.delete(resources.services, { namespace: 'default', name: 'going-apiserver' }, {}, signal);
    await createPlane('going');
    await expectReason('going', 'WaitingForDeletion', 'Service default/going-apiserver');
    await release(resources.services, 'going-apiserver');
    await expectWaitingForEtcdPods('going');
  });
});

describe('a claim of the wanted name', () => {
  const paused = 'cluster.x-k8s.io/paused';

  /** Creates a paused control plane, so that the claim can be there first. Answers with the claim's name. */
  async function createPaused(name: string): Promise<{ readonly claim: string; readonly uid: string }> {
    const object = nestedControlPlane(name) as NestedControlPlane;
    const metadata = { ...object.metadata, annotations: { [paused]: '' } };
    const plane = await client.create(nestedControlPlanes, { ...object, metadata }, signal);
    const uid = plane.metadata.uid ?? '';
    const identity = { namespace: 'default', base: name, uid, names: controlPlaneNames(name), labels: {} };
    await eventually(async () => expect(await conditionOf(name, 'Paused')).toMatchObject({ status: 'True' }));
    return { claim: claimNameFor(identity, 0), uid };
  }

  async function unpause(name: string): Promise<void> {
    const target = { type: nestedControlPlanes, key: { namespace: 'default', name } };
    await client.mergePatch(target, { metadata: { annotations: { [paused]: null } } }, {}, signal);
  }

  async function createClaim(name: string, metadata: object): Promise<PersistentVolumeClaim> {
    const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
    const claim = {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name, namespace: 'default', ...metadata },
      spec,
    };
    return client.create<PersistentVolumeClaim>(resources.persistentVolumeClaims, claim, signal);
  }

  const statefulSetOf = (name: string) =>
    client.get(resources.statefulSets, { namespace: 'default', name: controlPlaneNames(name).etcd }, signal);

  it('[F-claim-foreign] is left alone when it was made for something else', async () => {
    const { claim } = await createPaused('squat');
    const before = await createClaim(claim, { labels: { app: 'other' } });
    await unpause('squat');
    await expectReason('squat', 'WaitingForEtcd', 'NameTaken', claim);
    expect(await statefulSetOf('squat')).toBeUndefined();
    const after = await client.get(resources.persistentVolumeClaims, { namespace: 'default', name: claim }, signal);
    expect(after?.metadata.resourceVersion).toBe(before.metadata.resourceVersion);
  });

  it('[F-claim-deleting] is waited for when it is being deleted', async () => {
    const { claim, uid } = await createPaused('shrink');
    await createClaim(claim, { ...held, labels: { 'tenancy.x-k8s.io/control-plane-uid': uid } });
    await client.delete(resources.persistentVolumeClaims, { namespace: 'default', name: claim }, {}, signal);
    await unpause('shrink');
    await expectReason('shrink', 'WaitingForEtcd', 'WaitingForDeletion', claim);
    expect(await statefulSetOf('shrink')).toBeUndefined();
    await release(resources.persistentVolumeClaims, claim);
    await expectWaitingForEtcdPods('shrink');
  });
});

describe('an owned object', () => {
  it('[F-owned-deleted] is made again when it is deleted by hand', async () => {
    await createPlane('mended');
    await expectWaitingForEtcdPods('mended');
    const { etcd, apiServer, secrets } = controlPlaneNames('mended');
    for (const [type, name] of [
      [resources.statefulSets, etcd],
      [resources.services, etcd],
      [resources.services, apiServer],
      [resources.secrets, secrets.etcdServer],
    ] as const) {
      const key = { namespace: 'default', name };
      const before = await client.get<KubeObject>(type, key, signal);
      await client.delete<KubeObject>(type, key, {}, signal);
      await eventually(async () => {
        const after = await client.get<KubeObject>(type, key, signal);
        expect(after?.metadata.uid).toBeDefined();
        expect(after?.metadata.uid).not.toBe(before?.metadata.uid);
      });
    }
    const plane = await client.get(nestedControlPlanes, { namespace: 'default', name: 'mended' }, signal);
    const service = await client.get(resources.services, { namespace: 'default', name: apiServer }, signal);
    expect(service?.spec?.clusterIP).toBe(plane?.status?.serviceCIDR?.replace('.0/24', '.1'));
  });

  it('[F-owned-edited] is put right when it is edited by hand', async () => {
    await createPlane('edited');
    await expectWaitingForEtcdPods('edited');
    const { etcd } = controlPlaneNames('edited');
    const target = { type: resources.services, key: { namespace: 'default', name: etcd } };
    const wanted = await client.get(resources.services, target.key, signal);
    await client.mergePatch(target, { spec: { selector: { app: 'evil' } } }, {}, signal);
    await eventually(async () => {
      const after = await client.get(resources.services, target.key, signal);
      expect(after?.spec?.selector).toEqual(expect.objectContaining({ ...wanted?.spec?.selector }));
    });
    const set = { type: resources.statefulSets, key: { namespace: 'default', name: etcd } };
    await client.mergePatch(set, { spec: { replicas: 0 } }, {}, signal);
    await eventually(async () =>
      expect((await client.get(resources.statefulSets, set.key, signal))?.spec?.replicas).toBe(1),
    );
  });
});

describe('what others write', () => {
  it('keeps the Service although its label was taken away', async () => {
    await createPlane('bare');
    await expectWaitingForEtcdPods('bare');
    const target = { type: resources.services, key: { namespace: 'default', name: 'bare-apiserver' } };
    const before = await client.get(resources.services, target.key, signal);
    await client.mergePatch(target, { metadata: { labels: { 'app.kubernetes.io/managed-by': null } } }, {}, signal);
    await eventually(async () => {
      const after = await client.get(resources.services, target.key, signal);
      expect(after?.metadata.labels).toHaveProperty(['app.kubernetes.io/managed-by']);
      expect(after?.metadata.uid).toBe(before?.metadata.uid);
    });
    await expectWaitingForEtcdPods('bare');
  });

  it('does not rename a control plane whose label was changed', async () => {
    await createPlane('named');
    await expectWaitingForEtcdPods('named');
    const target = { type: nestedControlPlanes, key: { namespace: 'default', name: 'named' } };
    const label = 'cluster.x-k8s.io/cluster-name';
    await client.mergePatch(target, { metadata: { labels: { [label]: 'other' } } }, {}, signal);
    await eventually(async () => {
      const plane = await client.get(nestedControlPlanes, target.key, signal);
      expect(plane?.metadata.labels?.[label]).toBe('named');
    });
    expect(await client.get(resources.secrets, { namespace: 'default', name: 'other-ca' }, signal)).toBeUndefined();
  });

  it('gives a component of another name nothing, although it names the control plane as its owner', async () => {
    const plane = await createPlane('victim');
    await expectWaitingForEtcdPods('victim');
    const etcd = await client.get<NestedEtcd>(nestedEtcds, { namespace: 'default', name: 'victim' }, signal);
    const { apiVersion = '', kind = '', metadata } = plane;
    const owner = { apiVersion, kind, name: 'victim', uid: metadata.uid ?? '', controller: true };
    const evil = {
      apiVersion: nestedEtcds.apiVersion,
      kind: 'NestedEtcd',
      metadata: { name: 'evil', namespace: 'default', ownerReferences: [owner] },
      spec: { ...etcd?.spec, controlPlaneName: 'victim', image: 'registry.example/evil:1' },
    };
    await client.apply(nestedEtcds, evil, { fieldManager: 'test' }, signal);
    await eventually(async () => {
      const found = await client.get<NestedEtcd>(nestedEtcds, { namespace: 'default', name: 'evil' }, signal);
      expect(findCondition(found?.status?.conditions, 'Ready')).toMatchObject({ reason: 'WaitingForControlPlane' });
    });
    const set = await client.get(resources.statefulSets, { namespace: 'default', name: 'victim-etcd' }, signal);
    expect(set?.spec?.template.spec?.containers[0]?.image).toContain('registry.k8s.io/etcd');
  });
});

describe('deletion', () => {
  it('ends although nothing of the tenant ever ran', async () => {
    await createPlane('short');
    await expectWaitingForEtcdPods('short');
    await client.delete(nestedControlPlanes, { namespace: 'default', name: 'short' }, {}, signal);
    await eventually(async () => {
      await releaseForegroundDeletion('short');
      expect(await client.get(nestedControlPlanes, { namespace: 'default', name: 'short' }, signal)).toBeUndefined();
    }, 20_000);
    expect(await client.get(resources.secrets, { namespace: 'default', name: 'short-ca' }, signal)).toBeUndefined();
    expect(
      await client.get(resources.services, { namespace: 'default', name: 'short-apiserver' }, signal),
    ).toBeUndefined();
  });
});
