import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exitCodes, type ExitName } from './exit-codes.ts';
import { run } from './run.ts';
import { processTerminal } from './terminal.ts';

// Those that need an API server (0, 3, 4, 5, 7 and 8 among them) are in test/integration/capn.test.ts.

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'capn-run-'));
});
afterAll(async () => await rm(folder, { recursive: true }));

/** A kubeconfig for a server that listens on a port of this machine, or that nobody listens on. */
async function kubeconfigFor(port: number): Promise<string> {
  const file = join(folder, `${port}.kubeconfig`);
  const cluster = { name: 'c', cluster: { server: `http://127.0.0.1:${port}` } };
  const context = { name: 'c', context: { cluster: 'c', user: 'c' } };
  const users = [{ name: 'c', user: { token: 'test' } }];
  await writeFile(file, JSON.stringify({ clusters: [cluster], contexts: [context], users, 'current-context': 'c' }));
  return file;
}

async function ends(args: readonly string[]): Promise<{ readonly code: number; readonly notes: string }> {
  const notes: string[] = [];
  const terminal = { ...processTerminal(), out: () => undefined, note: (line: string) => void notes.push(line) };
  const code = await run(args, { terminal, signal: AbortSignal.timeout(20_000) });
  return { code, notes: notes.join('\n') };
}

describe('exit codes', () => {
  it.each<[args: string, exit: ExitName, message: string]>([
    ['version --client', 'ok', ''],
    ['--help', 'ok', ''],
    ['sandbox status --name no-such-one', 'ok', ''],
    ['sandbox logs etcd --name no-such-one', 'failed', "sandbox 'no-such-one' has no log of etcd: is it up?"],
    ['lst', 'wrongUse', 'Did you mean list?'],
    ['sandbox', 'wrongUse', 'Usage: capn sandbox'],
    ['sandbox logs docker', 'wrongUse', 'Allowed choices are etcd, kube-apiserver'],
    ['sandbox up --port 0', 'wrongUse', 'use a number from 1 to 65535'],
    ['connect team-a --port 70000', 'wrongUse', 'use a number from 1 to 65535'],
    ['connect team-a -o json', 'wrongUse', "unknown option '-o'"],
  ])('capn %s: %s', async (args, exit, message) => {
    const { code, notes } = await ends(args.split(' '));
    expect(code).toBe(exitCodes[exit].code);
    expect(notes).toContain(message);
  });

  it('a server that nobody listens on: unreachable', async () => {
    const { code, notes } = await ends(['list', '--kubeconfig', await kubeconfigFor(1)]);
    expect(code).toBe(exitCodes.unreachable.code);
    expect(notes).toContain('check that the super cluster runs');
  });

  it('Ctrl-C while the server keeps silent: interrupted', async () => {
    await using server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const kubeconfig = await kubeconfigFor((server.address() as AddressInfo).port);
    const program = join(import.meta.dirname, 'main.ts');
    const asked = once(server, 'connection');
    const child = spawn(process.execPath, [program, 'list', '--kubeconfig', kubeconfig], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const said = text(child.stderr);
    const [socket] = (await asked) as [{ destroy(): void }];
    child.kill('SIGINT');
    const [code] = (await once(child, 'exit')) as [number | null];
    socket.destroy();
    expect({ code, said: await said }).toEqual({ code: exitCodes.interrupted.code, said: 'capn: interrupted\n' });
  });

  it('Ctrl-C while a sandbox comes up: interrupted, and how to go on', async () => {
    const notes: string[] = [];
    const terminal = { ...processTerminal(), note: (line: string) => void notes.push(line), raw: () => undefined };
    const code = await run(['sandbox', 'up', '--name', 'unit'], { terminal, signal: AbortSignal.abort() });
    expect(code).toBe(exitCodes.interrupted.code);
    expect(notes.join('\n')).toBe('capn: interrupted\n  run the same command again: it goes on from here');
  });
});
