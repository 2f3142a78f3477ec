import { expect, it } from 'vitest';
import { createPhases } from './phases.ts';

it('tells what it does and how long each part took', async () => {
  const said: string[] = [];
  const phases = createPhases((line) => said.push(line));
  expect(await phases.run('Super cluster', async () => 'up')).toBe('up');
  await expect(phases.run('Provider', async () => await Promise.reject(new Error('no image')))).rejects.toThrow(
    'no image',
  );
  expect(said).toEqual(['\nSuper cluster', '\nProvider']);
  expect(phases.summary()).toMatch(/^Super cluster \d\.\d s, total \d\.\d s$/);
});
