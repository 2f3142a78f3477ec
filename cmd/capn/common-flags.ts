import { Option, type Command } from 'commander';
import { outputFormats, type OutputFormat } from './output/render-data.ts';

/** The flags that every command which talks to a super cluster takes. */
export interface CommonFlags {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly namespace?: string;
  readonly output: OutputFormat;
  readonly quiet?: true;
  readonly debug?: true;
}

/** Adds the {@link CommonFlags} to a command. */
export function withCommonFlags(command: Command): Command {
  return command
    .option(
      '--kubeconfig <file>',
      "the super cluster's kubeconfig (default: KUBECONFIG, ~/.kube/config, a running sandbox)",
    )
    .option('--context <name>', 'context in that kubeconfig (default: its current context)')
    .option('-n, --namespace <name>', "namespace of the control plane (default: the context's)")
    .addOption(new Option('-o, --output <format>', 'how to print the result').choices(outputFormats).default('table'))
    .option('-q, --quiet', 'print results and errors only')
    .option('--debug', 'print where an error comes from');
}
