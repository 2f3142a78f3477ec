import { expect, it } from 'vitest';
import { renderCliReference } from './cli-reference.ts';
import { buildProgram } from './program.ts';
import { processTerminal } from './terminal.ts';

const page = renderCliReference(buildProgram({ terminal: processTerminal(), signal: AbortSignal.timeout(1000) }));

it('has a section for each command and subcommand, and none for hidden ones', () => {
  const headings = [...page.matchAll(/^### (.*)$/gm)].map(([, heading]) => heading);
  expect(headings).toEqual([
    'capn create',
    'capn list',
    'capn describe',
    'capn kubeconfig',
    'capn connect',
    'capn delete',
    'capn version',
    'capn sandbox',
    'capn sandbox up',
    'capn sandbox down',
    'capn sandbox status',
    'capn sandbox logs',
  ]);
});

it('shows defaults as they are typed, and the exit codes', () => {
  expect(page).toContain('| `--timeout <duration>` | how long to wait | 10m |');
  expect(page).toContain('| 5 | refused |');
});
