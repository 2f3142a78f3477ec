import { describe, expect, expectTypeOf, it } from 'vitest';
import { int32, list, object, oneOf, optional, quantity, string, type Infer } from './schema.ts';

const name = string({ description: 'A name.', maxLength: 8 });

describe('object', () => {
  const schema = object(
    {
      name,
      note: optional(name),
      size: int32({ description: 'A size.', default: 3 }),
      mode: oneOf(['fast', 'safe'], { description: 'A mode.', default: 'safe' }),
    },
    { description: 'An object.' },
  );

  it('requires fields that are neither optional nor have a default', () => {
    expect(schema.json.required).toEqual(['name']);
  });

  it('gives the type of what an API server answers: defaults are there, optional fields may be missing', () => {
    type Value = Infer<typeof schema>;
    expectTypeOf<Value['size']>().toEqualTypeOf<number>();
    expectTypeOf<Value['mode']>().toEqualTypeOf<'fast' | 'safe'>();
    expectTypeOf<{ name: string; size: 3; mode: 'fast' }>().toExtend<Value>();
    expectTypeOf<{ name: string; size: 3; mode: 'other' }>().not.toExtend<Value>();
  });
});

describe('list', () => {
  it('says by which keys a map list merges, and only then', () => {
    const item = object({ name }, { description: 'An item.' });
    const bounds = { description: 'Items.', maxItems: 2 } as const;
    expect(list(item, { ...bounds, kind: 'map', keys: ['name'] }).json).toMatchObject({
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
    });
    expect(list(item, { ...bounds, kind: 'atomic' }).json).not.toHaveProperty('x-kubernetes-list-map-keys');
  });
});

it('lets a quantity be a number on the wire', () => {
  expect(quantity({ description: 'An amount.' }).json).toMatchObject({ 'x-kubernetes-int-or-string': true });
});
