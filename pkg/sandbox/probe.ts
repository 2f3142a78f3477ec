import { join } from 'node:path';
import type { SandboxLayout } from './layout.ts';
import { insideNamespaces } from './namespaces.ts';
import { runCommand } from './run-command.ts';

/** What each asked component answered: `null` when it is well, else what was wrong at last. */
export type ProbeAnswers<N extends string> = Readonly<Record<N, string | null>>;

/**
 * Asks health URLs from inside the sandbox, each until it answers 200 or `timeoutMs` is over (0: once).
 * Does not reject when something is unwell: the answers say so.
 */
export async function probe<N extends string>(
  layout: SandboxLayout,
  { urls, timeoutMs }: { readonly urls: Readonly<Record<N, string>>; readonly timeoutMs: number },
  signal: AbortSignal,
): Promise<ProbeAnswers<N>> {
  const pairs = Object.entries(urls).map(([name, url]) => `${name}=${String(url)}`);
  const program = join(import.meta.dirname, 'probe-main.ts');
  const output = await runCommand(
    [...insideNamespaces(layout), process.execPath, '--no-warnings', program, String(timeoutMs), ...pairs],
    {},
    signal,
  );
  return JSON.parse(output) as ProbeAnswers<N>;
}
