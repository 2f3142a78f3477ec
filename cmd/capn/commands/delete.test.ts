import { expect, it } from 'vitest';
import type { NestedControlPlane } from '#apis';
import type { ControlPlaneView } from '../describe/read-control-plane.ts';
import { whatGoes } from './delete.ts';

const view = (deletionPolicy: 'Delete' | 'Retain'): ControlPlaneView => ({
  controlPlane: {
    metadata: { namespace: 'default', name: 'team-a' },
    spec: { deletionPolicy },
  } as unknown as NestedControlPlane,
  components: [{ kind: 'NestedEtcd', metadata: { name: 'team-a-etcd' }, spec: { version: 'v1.36.3' } }],
  pods: [{ metadata: { name: 'team-a-etcd-0' } }],
  warnings: [],
  claims: [{ metadata: { name: 'data-team-a-etcd-0' } }],
});

it('names what goes, the data included', () => {
  expect(whatGoes(view('Delete'))).toEqual([
    'this deletes NestedControlPlane default/team-a and with it:',
    '  NestedEtcd team-a-etcd',
    '  1 pod: team-a-etcd-0',
    '  its certificates and kubeconfigs: everyone who uses the tenant loses access',
    "  claim data-team-a-etcd-0: the tenant's data, for good (deletionPolicy Delete)",
  ]);
});

it('names what is kept', () => {
  expect(whatGoes(view('Retain')).at(-1)).toBe(
    '  kept: claim data-team-a-etcd-0 (deletionPolicy Retain); a later control plane of this name never adopts it',
  );
});
