import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import {
  addresses,
  buildImage,
  layoutOf,
  loadImage,
  runCommand,
  sandboxDown,
  sandboxImages,
  sandboxLogs,
  sandboxStatus,
  sandboxUp,
  type ComponentName,
  type SandboxInfo,
} from '#sandbox';

const { signal } = new AbortController();
const name = 'e2e-sandbox';
const beside = 'e2e-beside';
let before: MachineState;
let sandbox: SandboxInfo;

beforeAll(async () => {
  await sandboxDown({ name }, signal);
  await sandboxDown({ name: beside }, signal);
  before = await machineState();
  sandbox = await sandboxUp({ name }, signal);
});

afterAll(async () => {
  await sandboxDown({ name }, signal);
  await sandboxDown({ name: beside }, signal);
});

/** What a sandbox must not leave behind. */
interface MachineState {
  readonly mounts: readonly string[];
  readonly interfaces: string;
  readonly rules: string;
  readonly cgroups: readonly string[];
}

async function machineState(): Promise<MachineState> {
  const hierarchies = readdirSync('/sys/fs/cgroup').flatMap((entry) => {
    const path = join('/sys/fs/cgroup', entry);
    return entry.startsWith('capn-') ? [path] : foldersIn(path).filter((child) => child.startsWith('capn-'));
  });
  const mounts = readFileSync('/proc/self/mountinfo', 'utf8').split('\n');
  return {
    mounts: mounts.map((line) => line.split(' ')[4] ?? '').filter((path) => path.includes('e2e-')),
    interfaces: (await runCommand(['ip', '-o', 'link'], {}, signal)).replaceAll(/^\d+: ([^:]+).*$/gm, '$1'),
    rules: await runCommand(['nft', 'list', 'ruleset'], {}, signal),
    cgroups: hierarchies.filter((path) => path.includes('e2e-')),
  };
}

function foldersIn(path: string): string[] {
  try {
    return readdirSync(path, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
  } catch {
    return [];
  }
}

/** Command lines of all processes that name a sandbox's folder. */
function processesOf(dir: string): string[] {
  return readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return [];
    try {
      const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
      return line.includes(`${dir}/`) ? [line] : [];
    } catch {
      return [];
    }
  });
}

async function kubectl(args: readonly string[], input?: object, of: SandboxInfo = sandbox): Promise<string> {
  const options = input === undefined ? {} : { input: JSON.stringify(input) };
  return runCommand([of.kubectl, `--kubeconfig=${of.kubeconfig}`, ...args], options, signal);
}

interface PodOptions {
  readonly image?: string;
  readonly script?: string;
  readonly args?: readonly string[];
  readonly claim?: string;
}

function pod(podName: string, { image = sandboxImages.busybox, script, args, claim }: PodOptions): object {
  const volumes = claim === undefined ? [] : [{ name: 'data', persistentVolumeClaim: { claimName: claim } }];
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: podName, labels: { app: podName } },
    spec: {
      terminationGracePeriodSeconds: 0,
      restartPolicy: 'Never',
      volumes,
      containers: [
        {
          name: 'main',
          image,
          imagePullPolicy: 'IfNotPresent',
          ...(script === undefined ? {} : { command: ['sh', '-ec', script] }),
          ...(args === undefined ? {} : { args }),
          volumeMounts: volumes.map(() => ({ name: 'data', mountPath: '/data' })),
        },
      ],
    },
  };
}

async function applied(object: object): Promise<void> {
  await kubectl(['apply', '-f', '-'], object);
}

async function finished(podName: string): Promise<string> {
  await kubectl(['wait', `pod/${podName}`, '--for=jsonpath={.status.phase}=Succeeded', '--timeout=60s']);
  return kubectl(['logs', podName]);
}

async function killed(component: ComponentName): Promise<void> {
  const status = await sandboxStatus({ name }, signal);
  process.kill(status.components[component].pid ?? 0, 'SIGKILL');
  await expect
    .poll(async () => (await sandboxStatus({ name }, signal)).components[component].state, { timeout: 5000 })
    .toBe('stopped');
}

test('a second up finds what is up, in seconds, and changes nothing', async () => {
  const started = performance.now();
  const again = await sandboxUp({ name }, signal);
  expect(performance.now() - started).toBeLessThan(15_000);
  expect(again).toEqual(sandbox);
  expect(again.state).toBe('up');
});

test('server and kubectl are of the same version, and the node is ready', async () => {
  const versions = JSON.parse(await kubectl(['version', '-o', 'json'])) as Record<string, { gitVersion: string }>;
  expect(versions['serverVersion']?.gitVersion).toBe('v1.36.3');
  expect(versions['clientVersion']?.gitVersion).toBe('v1.36.3');
  expect(await kubectl(['get', 'nodes', '--no-headers'])).toMatch(/^capn-e2e-sandbox\s+Ready/);
});

test('a Service answers by address and by name: in a pod, and by address on the node', async () => {
  const script = 'mkdir /tmp/www; echo it-works > /tmp/www/index.html; exec httpd -f -p 8080 -h /tmp/www';
  await applied(pod('web', { script }));
  const ports = [{ port: 80, targetPort: 8080 }];
  const service = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'web' },
    spec: { selector: { app: 'web' }, ports },
  };
  await applied(service);
  await kubectl(['wait', 'pod/web', '--for=condition=Ready', '--timeout=60s']);
  const address = await kubectl(['get', 'service', 'web', '-o', 'jsonpath={.spec.clusterIP}']);
  const get = `printf 'GET / HTTP/1.0\\r\\n\\r\\n' | nc -w 5`;
  await applied(pod('client', { script: `nslookup web.default.svc.${addresses.clusterDomain}; ${get} ${address} 80` }));
  const seen = await finished('client');
  expect(seen).toContain(`Address: ${address}`);
  expect(seen).toContain('it-works');

  const script2 = `process.stdout.write(await (await fetch('http://${address}/')).text())`;
  const node = [process.execPath, '--input-type=module', '-e', script2] as const;
  expect(await runCommand(['nsenter', `--net=${sandbox.netns}`, ...node], {}, signal)).toBe('it-works\n');
  expect(await kubectl(['exec', 'web', '--', 'cat', '/tmp/www/index.html'])).toBe('it-works\n');
});

test('a claim is provisioned by default, and its data outlives the pod', async () => {
  await applied({
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'data' },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  });
  await applied(pod('writer', { script: 'echo kept > /data/file', claim: 'data' }));
  await finished('writer');
  await kubectl(['delete', 'pod', 'writer']);
  await applied(pod('reader', { script: 'cat /data/file', claim: 'data' }));
  expect(await finished('reader')).toBe('kept\n');
});

test('the images of tenants’ control planes run', async () => {
  await applied(pod('apiserver', { image: sandboxImages.kubeApiserver, args: ['--version'] }));
  await applied(pod('controllers', { image: sandboxImages.kubeControllerManager, args: ['--version'] }));
  await applied(pod('etcd', { image: sandboxImages.etcd, args: ['--version'] }));
  expect(await finished('apiserver')).toBe('Kubernetes v1.36.3\n');
  expect(await finished('controllers')).toBe('Kubernetes v1.36.3\n');
  expect(await finished('etcd')).toContain('etcd Version: 3.6.8');
});

test('an image of one’s own can be built and loaded', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'capn-e2e-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const tag = 'example.org/own:v1';
  const layers = [
    [{ kind: 'copy', path: '/bin/busybox', from: '/bin/busybox' }],
    [{ kind: 'text', path: '/greeting', content: 'hello from my image\n' }],
  ] as const;
  const entrypoint = ['/bin/busybox', 'cat', '/greeting'];
  await buildImage({ tags: [tag], layers, entrypoint, user: '65532:65532' }, join(folder, 'own.tar'), signal);
  await loadImage(sandbox, join(folder, 'own.tar'), signal);
  await applied(pod('own', { image: tag }));
  expect(await finished('own')).toBe('hello from my image\n');
});

test.each(['kubelet', 'kube-apiserver', 'forwarder', 'containerd'] as const)(
  '[F-sandbox-killed] after kill -9 of %s, up repairs it',
  async (component) => {
    await killed(component);
    expect((await sandboxStatus({ name }, signal)).state).toBe('partial');
    const repaired = await sandboxUp({ name }, signal);
    expect(repaired.state).toBe('up');
    expect(repaired.server).toBe(sandbox.server);
    await applied(pod(`after-${component}`, { script: 'echo runs' }));
    expect(await finished(`after-${component}`)).toBe('runs\n');
  },
);

test('[F-sandbox-beside] another sandbox beside it: an up that was killed is taken up again, and each has its own cluster', async () => {
  const door = join(import.meta.dirname, '..', '..', 'pkg', 'sandbox', 'index.ts');
  const script = `const { sandboxUp } = await import(${JSON.stringify(door)});
    await sandboxUp({ name: '${beside}' }, new AbortController().signal);`;
  for (const afterMs of [900, 4000]) {
    const up = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'ignore' });
    await Promise.race([once(up, 'exit'), sleep(afterMs)]);
    up.kill('SIGKILL');
  }
  const [one, two] = await Promise.all([sandboxUp({ name: beside }, signal), sandboxUp({ name: beside }, signal)]);
  expect(one).toEqual(two);
  expect(one.state).toBe('up');
  expect(one.server).not.toBe(sandbox.server);
  expect(await kubectl(['get', 'nodes', '-o', 'name'], undefined, one)).toBe('node/capn-e2e-beside\n');
  expect(await kubectl(['get', 'nodes', '-o', 'name'])).toBe('node/capn-e2e-sandbox\n');
  expect(await kubectl(['get', 'pods', '-o', 'name'], undefined, one)).toBe('');

  await expect(sandboxDown({ name: beside }, signal)).resolves.toBe(true);
  expect(processesOf(one.dir)).toEqual([]);
  expect((await sandboxUp({ name }, signal)).components).toEqual((await sandboxStatus({ name }, signal)).components);
  await applied(pod('unharmed', { script: 'echo runs' }));
  expect(await finished('unharmed')).toBe('runs\n');
});

test('wrong use is answered with what to do', async () => {
  const port = Number(new URL(sandbox.server ?? '').port);
  const asked = sandboxUp({ name: 'UPPER' }, signal);
  await expect(asked).rejects.toThrow("sandbox name 'UPPER': use at most 30 lower case letters");
  const log = async (component: string, of = name): Promise<void> => {
    for await (const chunk of sandboxLogs({ name: of, component }, signal)) if (chunk !== '') return;
  };
  await expect(log('docker')).rejects.toThrow(/'docker' is no component of a sandbox: etcd, kube-apiserver/);
  await expect(log('etcd', 'e2e-none')).rejects.toThrow("sandbox 'e2e-none' has no log of etcd: is it up?");
  await expect(log('kubelet')).resolves.toBeUndefined();
  await expect(sandboxDown({ name: 'e2e-none' }, signal)).resolves.toBe(false);
  expect((await sandboxStatus({ name: 'e2e-none' }, signal)).state).toBe('down');

  onTestFinished(async () => void (await sandboxDown({ name: beside }, signal)));
  await expect(sandboxUp({ name: beside, port }, signal)).rejects.toThrow(`port ${port} on 127.0.0.1 cannot be used`);
});

test('down leaves nothing: no process, mount, interface, rule, cgroup or folder', async () => {
  await expect(sandboxDown({ name }, signal)).resolves.toBe(true);
  expect(await machineState()).toEqual(before);
  expect(processesOf(layoutOf(name).dir)).toEqual([]);
  expect(existsSync(layoutOf(name).dir)).toBe(false);
  expect(existsSync(layoutOf(name).trash)).toBe(false);
  await expect(fetch(`${sandbox.server}/readyz`)).rejects.toThrow();
});
