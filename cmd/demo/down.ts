import { sandboxDown, sandboxStatus, type OnProgress } from '#sandbox';
import { stopForwarders } from '../capn/connection/stop-forwarders.ts';

/** Ends the demo's port-forwards and removes its sandbox with all that is in it. */
export async function takeDown(name: string, onProgress: OnProgress, signal: AbortSignal): Promise<string> {
  const { server } = await sandboxStatus({ name }, signal);
  const ended = await stopForwarders((record) => record.superServer === server, signal);
  const wasThere = await sandboxDown({ name, onProgress }, signal);
  if (!wasThere && ended.length === 0) return `nothing to take down: there is no sandbox '${name}'`;
  return `the sandbox '${name}' is gone; what was built stays in the cache, so that the next run is fast`;
}
