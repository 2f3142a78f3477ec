import { expect, it } from 'vitest';
import type { Pod } from '#kube';
import { foundNoData } from './lost-data.ts';

function etcd(status: object): Pod {
  return {
    metadata: { name: 'etcd-0' },
    status: { containerStatuses: [{ name: 'etcd', image: '', imageID: '', restartCount: 1, ready: false, ...status }] },
  };
}

const ended = (message: string) => ({ terminated: { exitCode: 1, message } });
const refused =
  '{"level":"fatal","msg":"discovery failed","error":"cannot fetch cluster info from peer urls: could not retrieve cluster information from the given URLs"}';

it('knows a member that found its volume empty, while it is ended and while it waits to be started again', () => {
  expect(foundNoData(etcd({ state: ended(refused) }))).toBe(true);
  expect(foundNoData(etcd({ state: { waiting: { reason: 'CrashLoopBackOff' } }, lastState: ended(refused) }))).toBe(
    true,
  );
});

it('does not take another crash for lost data', () => {
  expect(foundNoData(etcd({ state: ended('flag provided but not defined: -nonsense') }))).toBe(false);
  expect(foundNoData(etcd({ ready: true, lastState: ended(refused) }))).toBe(false);
  expect(foundNoData(etcd({ state: { running: {} } }))).toBe(false);
});
