import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { daemonsCgroup, findHierarchies } from './cgroups.ts';
import type { ComponentName } from './components.ts';
import { listenOnHost, startForwarder } from './forwarder.ts';
import type { SandboxLayout } from './layout.ts';
import { findProcess, startProcess, stopProcess, type FoundProcess, type ProcessSpec } from './managed-process.ts';
import { insideNamespaces } from './namespaces.ts';
import { systemPath } from './preflight.ts';
import { readRecord, writeRecord } from './record.ts';

/** How to run a component of this sandbox: inside its namespaces and its cgroup, with an environment of its own. */
export function processSpec(layout: SandboxLayout, name: ComponentName, command: readonly string[]): ProcessSpec {
  return {
    name,
    command: [...insideNamespaces(layout), ...command],
    pidFile: pidFileOf(layout, name),
    logFile: logFileOf(layout, name),
    cgroupProcs: join(daemonsCgroup(layout.cgroup, findHierarchies()), 'cgroup.procs'),
    fingerprint: fingerprintOf(layout, command),
    // Nothing of the caller's environment: a proxy set there must not come between components.
    env: { PATH: systemPath, HOME: '/' },
  };
}

/** Where the running process of a component is written down. */
export function pidFileOf(layout: SandboxLayout, name: ComponentName): string {
  return join(layout.pids, name);
}

/** Where a component's output is. */
export function logFileOf(layout: SandboxLayout, name: ComponentName): string {
  return join(layout.logs, `${name}.log`);
}

/** The component's process, if it runs. */
export function findComponent(layout: SandboxLayout, name: ComponentName): FoundProcess | undefined {
  return findProcess(pidFileOf(layout, name));
}

/**
 * Makes sure that the component runs with this command: starts it, or starts it anew when its command or its
 * configuration changed. Says whether it did something.
 */
export async function ensureProcess(spec: ProcessSpec, signal: AbortSignal): Promise<boolean> {
  if (findProcess(spec.pidFile)?.fingerprint === spec.fingerprint) return false;
  await stopProcess(spec.pidFile, {}, signal);
  startProcess(spec);
  return true;
}

/**
 * Makes sure that the forwarder serves on the wanted port (default: the recorded one, or a free one), and records it.
 *
 * **Errors** the port asked for is taken by somebody else.
 */
export async function ensureForwarder(
  layout: SandboxLayout,
  { spec, port }: { readonly spec: ProcessSpec; readonly port: number | undefined },
  signal: AbortSignal,
): Promise<number> {
  const recorded = readRecord(layout)?.port;
  const running = findProcess(spec.pidFile);
  if (running?.fingerprint === spec.fingerprint && recorded !== undefined && recorded === (port ?? recorded))
    return recorded;
  await stopProcess(spec.pidFile, { graceMs: 500 }, signal);
  const listening = await listenOnHost(port ?? recorded ?? 0).catch((error: unknown) => {
    if (port === undefined) return listenOnHost(0);
    throw new Error(
      `port ${port} on 127.0.0.1 cannot be used: choose another one with --port, or leave it out for a free one`,
      { cause: error },
    );
  });
  writeRecord(layout, { port: listening.port });
  await startForwarder(spec, listening.server, signal);
  return listening.port;
}

/** Covers the command and the content of every file of the sandbox that it names, since those are read only at start. */
function fingerprintOf(layout: SandboxLayout, command: readonly string[]): string {
  const hash = createHash('sha256').update(JSON.stringify(command));
  for (const argument of command) {
    const file = argument.slice(argument.indexOf('=') + 1);
    if (file.startsWith(layout.config) || file.startsWith(layout.certificates)) hash.update(readFileSync(file));
  }
  return hash.digest('hex').slice(0, 16);
}
