import { createKubeClient, loadClusterConfig, type ClusterConfig, type KubeClient } from '#kube';
import type { CommonFlags } from './common-flags.ts';
import { findKubeconfig, type KubeconfigSource } from './kubeconfig-source.ts';
import { renderData, type OutputFormat } from './output/render-data.ts';
import type { Terminal } from './terminal.ts';

/** What the program gives to its commands. */
export interface CliContext {
  readonly terminal: Terminal;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
}

/** One run of a command against a super cluster. Disposing it closes the connections. */
export interface Session extends AsyncDisposable, CliContext {
  readonly client: KubeClient;
  readonly config: ClusterConfig;
  readonly source: KubeconfigSource;
  readonly namespace: string;
  readonly output: OutputFormat;
  readonly isQuiet: boolean;
  /** Says something to the user on stderr, unless --quiet. */
  readonly note: (line: string) => void;
  /** Prints a result: `data` for programs, or the text for people. */
  readonly print: (data: unknown, text: (wide: boolean) => string) => void;
}

/** Finds the kubeconfig and opens a client. No request is made yet. **Errors** when there is no kubeconfig or it is wrong. */
export async function openSession(flags: CommonFlags, context: CliContext): Promise<Session> {
  const { terminal } = context;
  const { output = 'table' } = flags;
  const source = await findKubeconfig(flags.kubeconfig);
  const note = (line: string): void => (flags.quiet === true ? undefined : terminal.note(line));
  if (source.kind === 'sandbox') note(`using the sandbox '${source.name}': ${source.path}`);
  const config = await loadClusterConfig({
    ...(source.kind === 'usual' ? {} : { kubeconfigPath: source.path }),
    ...(flags.context === undefined ? {} : { context: flags.context }),
  });
  const client = createKubeClient(config);
  return {
    ...context,
    client,
    config,
    source,
    namespace: flags.namespace ?? config.namespace ?? 'default',
    output,
    isQuiet: flags.quiet === true,
    note,
    print: (data, text) => terminal.out(renderData(data, output) ?? text(output === 'wide')),
    [Symbol.asyncDispose]: async () => await client[Symbol.asyncDispose](),
  };
}

/** Opens a session, runs `work` in it, and closes it whatever happens. */
export async function inSession(
  flags: CommonFlags,
  context: CliContext,
  work: (session: Session) => Promise<void>,
): Promise<void> {
  await using session = await openSession(flags, context);
  await work(session);
}
