import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { allPrograms, binaries, families } from './binaries.ts';
import { moduleFolder } from './go-build.ts';

describe.each(Object.entries(families))('family %s', (name, { version, module }) => {
  const family = name as keyof typeof families;
  const goMod = readFileSync(join(moduleFolder(family), 'go.mod'), 'utf8');

  // Pause is our own source: the version only says which image it stands in for.
  if (family !== 'pause') {
    test('its go.mod pins the version that the cache folder is named after', () => {
      expect(goMod).toMatch(new RegExp(`^(require )?\\s*${module} ${version.replaceAll('.', '\\.')}$`, 'm'));
    });
  }

  test('has programs', () => {
    expect(allPrograms.some((program) => binaries[program].family === family)).toBe(true);
  });
});

test("Kubernetes' own modules are all replaced by the version that belongs to it", () => {
  const goMod = readFileSync(join(moduleFolder('kubernetes'), 'go.mod'), 'utf8');
  const staged = families.kubernetes.version.replace('v1.', 'v0.');
  const replaced = new Map([...goMod.matchAll(/^replace (\S+) => (\S+) (\S+)$/gm)].map((match) => [match[1], match]));
  expect(replaced.size).toBeGreaterThan(30);
  for (const [, from, to, version] of replaced.values()) expect([to, version]).toEqual([from, staged]);
  const unreleased = [...goMod.matchAll(/^\s(k8s\.io\/\S+) v0\.0\.0 /gm)].map((match) => match[1]);
  expect(unreleased.filter((module) => !replaced.has(module))).toEqual([]);
});
