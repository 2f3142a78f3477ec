import { beforeEach, describe, expect, it } from 'vitest';
import type { KubeObject } from '#kube';
import { ObjectStore } from './object-store.ts';

function object(name: string, { uid = `uid-${name}`, version = '1', owner = '' } = {}): KubeObject {
  const ownerReferences = owner === '' ? [] : [{ apiVersion: 'v1', kind: 'Owner', name: owner, uid: owner }];
  return { metadata: { namespace: 'default', name, uid, resourceVersion: version, ownerReferences } };
}

describe('ObjectStore', () => {
  let store: ObjectStore<KubeObject>;
  beforeEach(() => {
    store = new ObjectStore();
  });

  it('tells additions and updates', () => {
    const first = object('a');
    const second = object('a', { version: '2' });
    expect(store.put(first)).toEqual([{ kind: 'added', object: first }]);
    expect(store.put(second)).toEqual([{ kind: 'updated', object: second, previous: first }]);
    expect(store.get({ namespace: 'default', name: 'a' })).toBe(second);
  });

  it('tells nothing for the same state again', () => {
    store.put(object('a'));
    expect(store.put(object('a'))).toEqual([]);
  });

  it('tells another UID under the same name as a deletion and an addition', () => {
    const first = object('a', { uid: 'one' });
    const second = object('a', { uid: 'two', version: '9' });
    store.put(first);
    expect(store.put(second)).toEqual([
      { kind: 'deleted', object: first },
      { kind: 'added', object: second },
    ]);
  });

  it('tells a deletion once, with the last state', () => {
    store.put(object('a'));
    const last = object('a', { version: '2' });
    expect(store.remove(last)).toEqual([{ kind: 'deleted', object: last }]);
    expect(store.remove(last)).toEqual([]);
    expect(store.size).toBe(0);
  });

  it('replaces everything by telling the differences only', () => {
    const [stays, goes, renewed] = [object('stays'), object('goes'), object('renewed', { uid: 'one' })];
    for (const each of [stays, goes, renewed]) store.put(each);
    const [other, added] = [object('renewed', { uid: 'two' }), object('added')];
    expect(store.replace([stays, other, added])).toEqual([
      { kind: 'deleted', object: goes },
      { kind: 'deleted', object: renewed },
      { kind: 'added', object: other },
      { kind: 'added', object: added },
    ]);
  });

  it('tells equal resourceVersions as updates when history went back', () => {
    const before = object('a');
    store.put(before);
    const after = object('a', { owner: 'o' });
    expect(store.replace([after], 'nothing')).toEqual([{ kind: 'updated', object: after, previous: before }]);
  });

  it('finds by owner, through changes of ownership', () => {
    store.put(object('a', { owner: 'one' }));
    store.put(object('b', { owner: 'one' }));
    store.put(object('a', { owner: 'two', version: '2' }));
    store.remove(object('b', { owner: 'one' }));
    expect(store.byOwner('one')).toEqual([]);
    expect(store.byOwner('two').map(({ metadata }) => metadata.name)).toEqual(['a']);
  });

  it('lists by namespace', () => {
    store.put(object('a'));
    expect(store.list('default')).toHaveLength(1);
    expect(store.list('other')).toHaveLength(0);
    expect(store.list()).toHaveLength(1);
  });
});
