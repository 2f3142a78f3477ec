import { Command, InvalidArgumentError, Option } from 'commander';
import {
  componentNames,
  formatSeconds,
  renderProgress,
  sandboxLogs,
  sandboxStatus,
  sandboxUp,
  type SandboxInfo,
} from '#sandbox';
import { takeDown } from '../take-down.ts';

interface Flags {
  readonly name: string;
  readonly output?: 'json';
}

/** `capn sandbox`: a whole real cluster on this machine, for trying things out and for tests. */
export function sandboxCommand(): Command {
  const command = new Command('sandbox').description('a real super cluster on this Linux machine, without Docker');
  command.addCommand(upCommand()).addCommand(downCommand()).addCommand(statusCommand()).addCommand(logsCommand());
  return command;
}

function upCommand(): Command {
  return subcommand('up', 'start the sandbox, or repair what does not run; needs root')
    .option('--port <number>', 'port of the API server on 127.0.0.1 (default: a free one)', parsePort)
    .action(async (flags: Flags & { port?: number }) => {
      const { name, port } = flags;
      const options = { name, onProgress: renderProgress(process.stderr), ...(port === undefined ? {} : { port }) };
      const started = performance.now();
      const info = await untilInterrupted((signal) => sandboxUp(options, signal));
      print(flags, info, () => upText(info, (performance.now() - started) / 1000));
    });
}

function downCommand(): Command {
  return subcommand('down', 'remove the sandbox and all that is in it').action(async (flags: Flags) => {
    const onProgress = renderProgress(process.stderr);
    const removed = await untilInterrupted((signal) => takeDown(flags.name, onProgress, signal));
    const text = removed ? `sandbox '${flags.name}' is removed` : `there is no sandbox '${flags.name}'`;
    print(flags, { name: flags.name, removed }, () => text);
  });
}

function statusCommand(): Command {
  return subcommand('status', "say how the sandbox's components are").action(async (flags: Flags) => {
    const info = await untilInterrupted((signal) => sandboxStatus({ name: flags.name }, signal));
    print(flags, info, () => statusText(info));
  });
}

function logsCommand(): Command {
  return new Command('logs')
    .description("print the log of one of the sandbox's components")
    .argument('<component>', componentNames.join(', '))
    .option('--name <name>', 'which sandbox', 'default')
    .action(async (component: string, { name }: Flags) => {
      await untilInterrupted(async (signal) => {
        for await (const chunk of sandboxLogs({ name, component }, signal)) process.stdout.write(chunk);
      });
    });
}

function subcommand(name: string, description: string): Command {
  return new Command(name)
    .description(description)
    .option('--name <name>', 'which sandbox', 'default')
    .addOption(new Option('-o, --output <format>', 'print the result for programs').choices(['json']));
}

function print(flags: Flags, value: unknown, text: () => string): void {
  console.log(flags.output === 'json' ? JSON.stringify(value, undefined, 2) : text());
}

function upText(info: SandboxInfo, seconds: number): string {
  return [
    `sandbox '${info.name}' is up (${formatSeconds(seconds)}); its API server: ${info.server ?? ''}`,
    `  export KUBECONFIG=${info.kubeconfig}`,
    `  ${info.kubectl} get pods -A`,
  ].join('\n');
}

function statusText(info: SandboxInfo): string {
  const rows = Object.entries(info.components).map(([name, component]) => {
    const process = component.pid === undefined ? '' : ` (process ${component.pid})`;
    return `  ${name.padEnd(24)} ${component.state}${process}${component.detail === undefined ? '' : `: ${component.detail}`}`;
  });
  const head = `sandbox '${info.name}' is ${info.state}`;
  if (info.state === 'down') return head;
  return [head, ...rows, `  kubeconfig: ${info.kubeconfig}`].join('\n');
}

function parsePort(text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
  throw new InvalidArgumentError('a port is a whole number from 1 to 65535');
}

/** Runs `work` with a signal that Ctrl-C aborts: what is running ends cleanly, and the same command goes on later. */
async function untilInterrupted<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const interrupt = new AbortController();
  const abort = (): void => interrupt.abort(new Error('interrupted; run the same command again to go on'));
  process.once('SIGINT', abort).once('SIGTERM', abort);
  try {
    return await work(interrupt.signal);
  } finally {
    process.off('SIGINT', abort).off('SIGTERM', abort);
  }
}
