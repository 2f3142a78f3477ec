import { Argument, Command } from 'commander';
import {
  componentNames,
  formatSeconds,
  renderProgress,
  sandboxLogs,
  sandboxStatus,
  sandboxUp,
  type OnProgress,
  type SandboxInfo,
} from '#sandbox';
import { CliError } from '../cli-error.ts';
import { handDownFlags, outputOption, withTalkFlags, type TalkFlags } from '../common-flags.ts';
import { renderData, type OutputFormat } from '../output/render-data.ts';
import { portOption } from '../parse-port.ts';
import type { CliContext } from '../session.ts';
import { takeDown } from '../take-down.ts';

interface Flags extends TalkFlags {
  readonly name: string;
  readonly output: OutputFormat;
}

/** `capn sandbox`: a whole real cluster on this machine, for trying things out and for tests. */
export function sandboxCommand(context: CliContext): Command {
  return handDownFlags(withTalkFlags(new Command('sandbox')))
    .description('A real super cluster on this Linux machine, without Docker')
    .addCommand(upCommand(context))
    .addCommand(downCommand(context))
    .addCommand(statusCommand(context))
    .addCommand(logsCommand(context));
}

function upCommand(context: CliContext): Command {
  return withOutput(subcommand('up', 'Start the sandbox, or repair what does not run; needs root'))
    .addOption(portOption('of the API server on 127.0.0.1', 'the one it had, or a free one'))
    .action(async (flags: Flags & { readonly port: number }) => {
      const { name, port } = flags;
      const options = { name, onProgress: progressOf(flags, context), ...(port === 0 ? {} : { port }) };
      const started = performance.now();
      const info = await untilInterrupted(context, async (signal) => await sandboxUp(options, signal));
      print(flags, context, info, () => upText(info, (performance.now() - started) / 1000));
    });
}

function downCommand(context: CliContext): Command {
  return withOutput(subcommand('down', 'Remove the sandbox and all that is in it')).action(async (flags: Flags) => {
    const { name } = flags;
    const onProgress = progressOf(flags, context);
    const removed = await untilInterrupted(context, async (signal) => await takeDown(name, onProgress, signal));
    const text = removed ? `sandbox '${name}' is removed` : `there is no sandbox '${name}'`;
    print(flags, context, { name, removed }, () => text);
  });
}

function statusCommand(context: CliContext): Command {
  return withOutput(subcommand('status', "Say how the sandbox's components are")).action(async (flags: Flags) => {
    const info = await sandboxStatus({ name: flags.name }, context.signal);
    print(flags, context, info, () => statusText(info));
  });
}

function logsCommand({ terminal, signal }: CliContext): Command {
  return subcommand('logs', "Print the log of one of the sandbox's components")
    .addArgument(new Argument('<component>', 'which component').choices(componentNames))
    .action(async (component: string, { name }: Flags) => {
      for await (const chunk of sandboxLogs({ name, component }, signal)) terminal.out(chunk);
    });
}

function subcommand(name: string, description: string): Command {
  return withTalkFlags(new Command(name).description(description).option('--name <name>', 'which sandbox', 'default'));
}

function withOutput(command: Command): Command {
  return command.addOption(outputOption(['table', 'json', 'yaml']));
}

function progressOf({ quiet }: Flags, { terminal }: CliContext): OnProgress {
  return quiet === true ? () => undefined : renderProgress({ isTTY: terminal.isLive, write: terminal.raw });
}

function print({ output }: Flags, { terminal }: CliContext, value: unknown, text: () => string): void {
  terminal.out(renderData(value, output) ?? `${text()}\n`);
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

/** What Ctrl-C stops half-way ends cleanly. **Errors** `interrupted`, with how to go on. */
async function untilInterrupted<T>({ signal }: CliContext, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  try {
    return await work(signal);
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new CliError('interrupted', 'interrupted', 'run the same command again: it goes on from here', error);
  }
}
