import { expect, it } from 'vitest';
import { renderData } from './render-data.ts';

const object = { metadata: { name: 'a', managedFields: [{ manager: 'x' }] }, spec: { version: 'v1.36.3' } };

it('prints JSON without managedFields', () => {
  expect(JSON.parse(renderData(object, 'json') ?? '')).toEqual({ metadata: { name: 'a' }, spec: object.spec });
});

it('prints YAML without managedFields', () => {
  expect(renderData(object, 'yaml')).toBe('metadata:\n  name: a\nspec:\n  version: v1.36.3\n');
});

it('leaves tables to the command', () => {
  expect([renderData(object, 'table'), renderData(object, 'wide')]).toEqual([undefined, undefined]);
});
