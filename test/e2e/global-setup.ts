import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { layoutOf } from '#sandbox';
import { requireOpenssl } from '../fixtures/require-openssl.ts';
import { sharedSandbox, superCluster } from '../fixtures/super-cluster.ts';

const demoProgram = new URL('../../cmd/demo/main.ts', import.meta.url).pathname;

/** Runs `npm run demo`, so that what people run first is what every end-to-end test stands on. */
async function demo(...args: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, [demoProgram, '--name', sharedSandbox, ...args], { stdio: 'inherit' });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0)
    throw new Error(
      `the demo ended with ${code ?? 'a signal'}: npm run demo -- --name ${sharedSandbox} ${args.join(' ')}`,
    );
}

export async function setup(): Promise<void> {
  await requireOpenssl();
  await demo();
}

/** Takes it down and looks at what is left; `CAPN_KEEP_SANDBOX=1` keeps it for the next run. */
export async function teardown(): Promise<void> {
  await expectNoBugs();
  if (process.env['CAPN_KEEP_SANDBOX'] === '1') return;
  await demo('--down');
  const left = leftovers();
  if (left.length > 0) throw new Error(`the demo left something behind:\n${left.join('\n')}`);
}

/** Whatever the tests did to it, the manager never met an error that it does not know (`capn_panics_total`). */
async function expectNoBugs(): Promise<void> {
  const cluster = await superCluster();
  const pods = await cluster.kubectl(['get', 'pods', '-n', 'capn-system', '-o', 'jsonpath={.items[*].metadata.name}']);
  for (const pod of pods.split(' ').filter((name) => name !== '')) {
    const path = `/api/v1/namespaces/capn-system/pods/${pod}:9440/proxy/metrics`;
    const counts = [...(await cluster.kubectl(['get', '--raw', path])).matchAll(/^capn_panics_total\{.*\} (\d+)$/gm)];
    if (counts.length === 0) throw new Error(`${pod} does not count its panics`);
    if (counts.some(([, count]) => count !== '0')) throw new Error(`${pod} met a bug; see its log for 'panic'`);
  }
}

function leftovers(): readonly string[] {
  const { dir } = layoutOf(sharedSandbox);
  const mounts = readFileSync('/proc/self/mountinfo', 'utf8')
    .split('\n')
    .filter((line) => line.includes(`${dir}/`));
  const processes = readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && commandLine(pid).includes(`${dir}/`));
  const cgroups = readdirSync('/sys/fs/cgroup')
    .map((hierarchy) => join('/sys/fs/cgroup', hierarchy, `capn-${sharedSandbox}`))
    .filter((path) => existsSync(path));
  const folder = existsSync(dir) ? [dir] : [];
  return [...mounts, ...processes.map((pid) => `process ${pid}: ${commandLine(pid)}`), ...cgroups, ...folder];
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}
