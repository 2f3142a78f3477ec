import { Command, InvalidArgumentError } from 'commander';

/** What the command line says. */
export interface ManagerFlags {
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

/** The flags of the manager. */
export function managerCommand(): Command {
  return new Command('manager')
    .description('Runs the controllers that turn a NestedControlPlane into a tenant control plane.')
    .option('--namespace <name>', 'serve this namespace only; by default all')
    .option('--leader-elect', 'work only while holding the Lease; needed with more than one replica', false)
    .option('--health-port <port>', 'serves /livez, /readyz and /metrics', port, 9440)
    .option('--log-level <level>', 'trace, debug, info, warn or error', 'info')
    .option('--kubeconfig <path>', "the super cluster; by default the pod's own service account");
}
