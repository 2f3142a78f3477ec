import { Option, type Command } from 'commander';
import type { OutputFormat } from './output/render-data.ts';

/** What every command takes. */
export interface TalkFlags {
  readonly quiet?: true;
  readonly debug?: true;
}

/** What every command that talks to a super cluster takes. */
export interface CommonFlags extends TalkFlags {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly namespace?: string;
  /** Absent where a command has nothing to print for programs. */
  readonly output?: OutputFormat;
}

/** Adds the {@link TalkFlags} to a command. */
export function withTalkFlags(command: Command): Command {
  return command
    .option('-q, --quiet', 'print results and errors only')
    .option('--debug', 'print where an error comes from');
}

/** Adds the {@link CommonFlags} to a command, but for `--output`: see {@link outputOption}. */
export function withCommonFlags(command: Command): Command {
  command
    .option(
      '--kubeconfig <file>',
      "the super cluster's kubeconfig (default: KUBECONFIG, ~/.kube/config, a running sandbox)",
    )
    .option('--context <name>', 'context in that kubeconfig (default: its current context)')
    .option('-n, --namespace <name>', "namespace of the control plane (default: the context's)");
  return withTalkFlags(command);
}

/** `--output`, with the formats that a command has; the first is its default. */
export function outputOption(formats: readonly [OutputFormat, ...OutputFormat[]]): Option {
  return new Option('-o, --output <format>', 'how to print the result').choices(formats).default(formats[0]);
}

/**
 * Lets the flags of `command` stand before the verb too, as with kubectl: what was given there is handed down as if it
 * stood behind the verb, where the same flag given again wins. **Errors** commander's, when the verb has no such flag.
 */
export function handDownFlags(command: Command): Command {
  return command.enablePositionalOptions().hook('preSubcommand', (above, below) => {
    const given = above.options.filter((option) => above.getOptionValueSource(option.attributeName()) === 'cli');
    for (const option of given) handDown(option, above.getOptionValue(option.attributeName()), below);
  });
}

function handDown({ long = '' }: Option, value: unknown, below: Command): void {
  const { unknown } = below.parseOptions([value === true ? long : `${long}=${String(value)}`]);
  if (unknown.length === 0) return;
  below.error(`error: '${below.name()}' has no option '${long}'`, { code: 'commander.unknownOption' });
}
