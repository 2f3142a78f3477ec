import { expect, it } from 'vitest';
import { report } from './report.ts';

const nothing = { missing: [], different: [], stray: [] };
const found = { missing: ['crds/a.yaml'], different: ['crds/b.yaml'], stray: ['crds/c.yaml'] };

it('is silent and succeeds when all is as the code has it', () => {
  expect(report({ differences: nothing, isCheck: true, problems: [] })).toEqual({ lines: [], exitCode: 0 });
});

it('names each file that a check finds, and what to run', () => {
  expect(report({ differences: found, isCheck: true, problems: [] })).toEqual({
    lines: [
      'crds/a.yaml is missing',
      'crds/b.yaml differs',
      'crds/c.yaml is stray: no code writes it',
      'run npm run gen',
    ],
    exitCode: 1,
  });
});

it('succeeds when it put right what it found', () => {
  const { lines, exitCode } = report({ differences: found, isCheck: false, problems: [] });
  expect(exitCode).toBe(0);
  expect(lines).not.toContain('run npm run gen');
});

it('fails for a problem whether it writes or checks', () => {
  const problems = ['no test has [F-a] in its title'];
  for (const isCheck of [true, false]) {
    expect(report({ differences: nothing, isCheck, problems })).toEqual({ lines: problems, exitCode: 1 });
  }
});
