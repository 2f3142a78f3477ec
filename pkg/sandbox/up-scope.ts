import type { Program } from './binaries.ts';
import type { ComponentName } from './components.ts';
import type { SandboxLayout } from './layout.ts';
import { runCommand } from './run-command.ts';

/** All that the steps of `up` need to know. */
export interface Scope {
  readonly layout: SandboxLayout;
  readonly paths: Readonly<Record<Program, string>>;
  readonly commands: Readonly<Record<ComponentName, readonly string[]>>;
  readonly port: number | undefined;
}

/** One step of `up`: finds out by itself whether there is something to do, does it, and returns what to say about it. */
export type Step = (scope: Scope, signal: AbortSignal) => Promise<string | undefined>;

/** Runs the sandbox's kubectl as administrator, through the forwarder. `input` is its standard input. */
export async function kubectl(
  { layout, paths }: Scope,
  args: readonly string[],
  signal: AbortSignal,
  input = '',
): Promise<string> {
  return runCommand([paths.kubectl, `--kubeconfig=${layout.kubeconfig}`, ...args], { input }, signal);
}
