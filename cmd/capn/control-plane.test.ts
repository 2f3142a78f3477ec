import { expect, it } from 'vitest';
import type { NestedControlPlane } from '#apis';
import { notFound } from './control-plane.ts';

const planes = (...keys: readonly string[]): readonly NestedControlPlane[] =>
  keys.map((key) => {
    const [namespace = '', name = ''] = key.split('/');
    return { metadata: { namespace, name } } as NestedControlPlane;
  });

it.each([
  ['the same name elsewhere', planes('shop/team-a', 'default/team-b'), 'one of that name is in shop: add -n shop'],
  ['a near name', planes('default/team-b'), 'did you mean team-b?'],
  ['nothing near', planes('default/production'), 'capn list shows those in this namespace'],
  ['nothing at all', planes('shop/web'), 'capn list -A shows those in all namespaces'],
])('says what to do when there is %s', (_what, others, advice) => {
  const error = notFound({ namespace: 'default', name: 'team-a' }, others);
  expect(error).toMatchObject({ exit: 'notFound', advice });
});
