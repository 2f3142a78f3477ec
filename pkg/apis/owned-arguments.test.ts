import { expect, it } from 'vitest';
import { ownedArgumentNames, ownedArguments, type ComponentName } from './owned-arguments.ts';
import { ownedArgumentReasons } from './owned-argument-reasons.ts';

const components = Object.keys(ownedArguments) as ComponentName[];

it.each(components)('names each argument of %s once, as it is given in extraArgs', (component) => {
  const names = ownedArgumentNames(component);
  expect(names).toEqual([...new Set(names)].sort());
  for (const name of names) expect(name).toMatch(/^[a-z][a-z0-9-]{0,63}$/);
});

it.each(components)('has a reason for each group of %s, as a sentence', (component) => {
  const reasons: Readonly<Record<string, string>> = ownedArgumentReasons[component];
  expect(Object.keys(reasons)).toEqual(Object.keys(ownedArguments[component]));
  for (const reason of Object.values(reasons)) expect(reason).toMatch(/^[A-Z].*\.$/);
});
