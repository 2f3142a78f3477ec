import { hostname } from 'node:os';
import { Command, InvalidArgumentError } from 'commander';
import { systemNamespace } from '#apis';
import { createControllers, createInformers, TenantConnections, type Dependencies } from '#controlplane';
import { createKubeClient, loadClusterConfig } from '#kube';
import { createLogger, createMetrics } from '#observe';
import { runManager, systemClock } from '#runtime';

interface Flags {
  readonly namespace?: string;
  readonly leaderElect: boolean;
  readonly healthPort: number;
  readonly logLevel: string;
  readonly kubeconfig?: string;
}

function port(text: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && number >= 0 && number < 65_536) return number;
  throw new InvalidArgumentError('a port is a whole number from 0 to 65535');
}

/** The flags of the manager, also read by `cmd/gen` for the reference. */
function managerCommand(): Command {
  return new Command('manager')
    .description('Runs the controllers that turn a NestedControlPlane into a tenant control plane.')
    .option('--namespace <name>', 'serve this namespace only; by default all')
    .option('--leader-elect', 'work only while holding the Lease; needed with more than one replica', false)
    .option('--health-port <port>', 'serves /livez, /readyz and /metrics', port, 9440)
    .option('--log-level <level>', 'trace, debug, info, warn or error', 'info')
    .option('--kubeconfig <path>', "the super cluster; by default the pod's own service account");
}

async function run(flags: Flags, signal: AbortSignal): Promise<void> {
  const logger = createLogger({ name: 'manager', level: flags.logLevel });
  const metrics = createMetrics();
  const config = await loadClusterConfig(flags.kubeconfig === undefined ? {} : { kubeconfigPath: flags.kubeconfig });
  await using client = createKubeClient(config);
  const informers = createInformers({
    client,
    ...(flags.namespace === undefined ? {} : { namespace: flags.namespace }),
    dependencies: { logger, metrics },
  });
  const ownNamespace = process.env['POD_NAMESPACE'] ?? systemNamespace;
  const dependencies: Dependencies = {
    client,
    informers,
    clock: systemClock,
    systemNamespace: ownNamespace,
    connect: createKubeClient,
  };
  await using connections = new TenantConnections(dependencies);
  await runManager(
    {
      client,
      identity: process.env['POD_NAME'] ?? hostname(),
      controllers: createControllers(dependencies, connections, { logger, metrics }),
      informers: Object.values(informers),
      ...(flags.leaderElect ? { leaderElection: { namespace: ownNamespace, name: 'capn-controller-manager' } } : {}),
      health: { port: flags.healthPort },
      logger,
      metrics,
    },
    signal,
  );
}

const stopping = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stopping.abort());
try {
  await run(managerCommand().parse().opts<Flags>(), stopping.signal);
  process.exitCode = 0;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  // Whatever did not end in time must not keep the pod alive.
  setTimeout(() => process.exit(), 1000).unref();
}
