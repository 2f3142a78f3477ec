import { renderCliReference } from '../../capn/cli-reference.ts';
import { buildProgram } from '../../capn/program.ts';
import { processTerminal } from '../../capn/terminal.ts';
import { pageFile, type GeneratedFile } from '../generated-file.ts';

/** `cli.md`: the commands of `capn`, as they describe themselves. Nothing of it runs. */
export function cliPage(): GeneratedFile {
  const program = buildProgram({ terminal: processTerminal(), signal: AbortSignal.abort() });
  return pageFile('cli', 'cmd/capn', [renderCliReference(program).trimEnd()]);
}
