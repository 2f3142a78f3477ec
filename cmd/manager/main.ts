import { hostname } from 'node:os';
import { systemNamespace } from '#apis';
import { AppliedMemory, createControllers, createInformers, TenantConnections, type Dependencies } from '#controlplane';
import { createKubeClient, loadClusterConfig } from '#kube';
import { createLogger, createMetrics, flushLogger } from '#observe';
import { countRequests, runManager, systemClock } from '#runtime';
import { managerCommand, type ManagerFlags } from './flags.ts';

async function run(flags: ManagerFlags, signal: AbortSignal): Promise<void> {
  const logger = createLogger({ name: 'manager', level: flags.logLevel });
  const metrics = createMetrics();
  const config = await loadClusterConfig(flags.kubeconfig === undefined ? {} : { kubeconfigPath: flags.kubeconfig });
  await using client = countRequests(createKubeClient(config), metrics);
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
    applied: new AppliedMemory(),
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
  await flushLogger(logger);
}

const stopping = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stopping.abort());
try {
  await run(managerCommand().parse().opts<ManagerFlags>(), stopping.signal);
  process.exitCode = 0;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  // Whatever did not end in time must not keep the pod alive.
  setTimeout(() => process.exit(), 1000).unref();
}
