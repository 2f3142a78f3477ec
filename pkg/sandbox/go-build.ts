import { join } from 'node:path';
import { families, binaries, type Program } from './binaries.ts';
import { runCommand } from './run-command.ts';

/** The oldest Go that Kubernetes' pinned go.mod accepts. */
const oldestGo = [1, 26] as const;

/**
 * Makes sure that a Go toolchain is there that can build the pinned modules.
 *
 * **Errors** one message that says what to install where `go` is missing or too old.
 */
export async function requireGo(signal: AbortSignal): Promise<void> {
  const wanted = `Go ${oldestGo.join('.')} or newer (as 'go' on the PATH) builds the sandbox's Kubernetes programs from source`;
  const version = await runCommand(['go', 'env', 'GOVERSION'], {}, signal).catch((error: unknown) => {
    signal.throwIfAborted();
    throw new Error(`${wanted}, and there is none: install it, see https://go.dev/doc/install`, { cause: error });
  });
  if (!isNewEnough(version.trim())) {
    throw new Error(`${wanted}, and this is ${version.trim()}: install a newer one, see https://go.dev/doc/install`);
  }
}

/** Whether `version` (as `go env GOVERSION` prints it: `go1.26.8`) can build the pinned modules. */
export function isNewEnough(version: string): boolean {
  const match = /(\d+)\.(\d+)/.exec(version);
  if (match === null) return version.startsWith('devel');
  const [major, minor] = [Number(match[1]), Number(match[2])];
  return major > oldestGo[0] || (major === oldestGo[0] && minor >= oldestGo[1]);
}

/**
 * Builds one program, statically linked, into the file `output`. Versions come from `modules/<family>/go.mod` and
 * go.sum, which nothing here changes; proxies and flags come from the user's Go environment.
 *
 * **Errors** the compiler's or the module download's last lines.
 */
export async function goBuild(program: Program, output: string, signal: AbortSignal): Promise<void> {
  const { family, package: goPackage } = binaries[program];
  const ldflags = ['-s -w', ...families[family].ldflags].join(' ');
  // -buildvcs: the go.mod lies in this project's repository, whose state says nothing about the program.
  await runCommand(
    ['go', 'build', '-trimpath', '-buildvcs=false', '-ldflags', ldflags, '-o', output, goPackage],
    { cwd: moduleFolder(family), env: { CGO_ENABLED: '0', GOWORK: 'off' } },
    signal,
  );
}

/** The folder with the pinned go.mod of a family. */
export function moduleFolder(family: keyof typeof families): string {
  return join(import.meta.dirname, 'modules', family);
}
