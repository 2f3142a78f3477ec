import type { Duplex } from 'node:stream';
import type { NestedControlPlane } from '#apis';
import { isKubeError, portForward, type ClusterConfig, type KubeClient } from '#kube';
import { CliError } from '../cli-error.ts';
import { baseNameOf } from '../control-plane.ts';
import { chooseApiServerPod } from './choose-pod.ts';

export interface TenantWay {
  readonly client: KubeClient;
  readonly config: ClusterConfig;
  readonly controlPlane: NestedControlPlane;
}

/**
 * A function that opens a stream to a ready API server pod of the tenant through the super cluster's API server.
 * Credentials that were renewed meanwhile are read again once they are refused.
 * **Errors** `unreachable` when no pod is ready; those of `portForward`.
 */
export function tenantStreamOpener({
  client,
  config,
  controlPlane,
}: TenantWay): (signal: AbortSignal) => Promise<Duplex> {
  const { namespace = '', name = '' } = controlPlane.metadata;
  let current = config;
  return async (signal) => {
    const target = await chooseApiServerPod(client, { namespace, baseName: baseNameOf(controlPlane) }, signal);
    if (target === undefined) throw noReadyPod(namespace, name);
    try {
      return await portForward({ config: current, ...target }, signal);
    } catch (error) {
      if (!isKubeError(error, 'UNAUTHORIZED') || config.reload === undefined) throw error;
      current = await config.reload();
      return await portForward({ config: current, ...target }, signal);
    }
  };
}

function noReadyPod(namespace: string, name: string): CliError {
  return new CliError(
    'unreachable',
    `no API server pod of control plane ${namespace}/${name} is ready`,
    `see what it waits for with: capn describe ${name} -n ${namespace}`,
  );
}
