import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { binaries, families, type Program } from './binaries.ts';
import { Estimate } from './build-estimate.ts';
import { every } from './every.ts';
import { goBuild, requireGo } from './go-build.ts';
import { cacheFolder } from './layout.ts';
import { acquireLock } from './lock.ts';
import type { OnProgress } from './progress.ts';

export interface EnsureBinariesOptions<P extends Program = Program> {
  readonly programs: readonly P[];
  /** Default: `cacheFolder()`. */
  readonly cacheDir?: string;
  readonly onProgress?: OnProgress;
}

/**
 * Makes sure that `programs` are in the cache, building what is missing from pinned Go modules, and returns their paths:
 * `<cache>/bin/<family>-<version>/<program>`.
 *
 * A program appears in the cache whole or not at all, one by one, so an interrupted run goes on where it stopped; Go's
 * own build cache keeps finished packages besides. One process builds at a time, others wait for it. From nothing it
 * takes about 12 minutes on two cores, then milliseconds.
 *
 * **Errors** Go missing or too old (only when something has to be built); a failed build; an aborted `signal`.
 */
export async function ensureBinaries<P extends Program>(
  options: EnsureBinariesOptions<P>,
  signal: AbortSignal,
): Promise<Record<P, string>> {
  const { programs, cacheDir = cacheFolder() } = options;
  const paths = Object.fromEntries(programs.map((program) => [program, binaryPath(program, cacheDir)]));
  if ((await missing(programs, cacheDir)).length > 0) await buildMissing(options, cacheDir, signal);
  return paths as Record<P, string>;
}

/** Where a program is, or will be, in the cache. */
export function binaryPath(program: Program, cacheDir: string): string {
  const { family } = binaries[program];
  return join(cacheDir, 'bin', `${family}-${families[family].version}`, program);
}

async function missing(programs: readonly Program[], cacheDir: string): Promise<Program[]> {
  const there = await Promise.all(
    programs.map(async (program) => (await stat(binaryPath(program, cacheDir)).catch(() => undefined)) !== undefined),
  );
  return programs.filter((_, index) => there[index] !== true);
}

async function buildMissing(options: EnsureBinariesOptions, cacheDir: string, signal: AbortSignal): Promise<void> {
  const step = 'Kubernetes programs built from source';
  const started = performance.now();
  const onWait = (holder: string): void =>
    options.onProgress?.({
      kind: 'advanced',
      step,
      fraction: 0,
      etaSeconds: totalSeconds(options.programs),
      detail: `process ${holder} is building, waiting for it`,
    });
  await using _lock = await acquireLock(`build ${cacheDir}`, { onWait }, signal);
  const todo = await missing(options.programs, cacheDir);
  if (todo.length === 0) return;
  await requireGo(signal);
  options.onProgress?.({ kind: 'started', step, estimateSeconds: totalSeconds(todo) });
  const estimate = new Estimate(totalSeconds(todo));
  for (const [index, program] of todo.entries()) {
    const report = (): void =>
      options.onProgress?.({
        kind: 'advanced',
        step,
        ...estimate.now(),
        detail: `${program} (${index + 1} of ${todo.length})`,
      });
    await using _ticker = every(1000, report);
    await buildOne(program, cacheDir, signal);
    estimate.finished(binaries[program].buildSeconds);
  }
  options.onProgress?.({ kind: 'done', step, seconds: (performance.now() - started) / 1000 });
}

async function buildOne(program: Program, cacheDir: string, signal: AbortSignal): Promise<void> {
  const target = binaryPath(program, cacheDir);
  const folder = dirname(target);
  await mkdir(folder, { recursive: true });
  // We hold the lock, so whatever has such a name was left by a run that died.
  const leftovers = (await readdir(folder)).filter((name) => name.startsWith(`.${basename(target)}.`));
  await Promise.all(leftovers.map((name) => rm(join(folder, name), { force: true })));
  const temporary = join(folder, `.${program}.${process.pid}`);
  await goBuild(program, temporary, signal);
  await rename(temporary, target);
}

function totalSeconds(programs: readonly Program[]): number {
  return programs.reduce((sum, program) => sum + binaries[program].buildSeconds, 0);
}
