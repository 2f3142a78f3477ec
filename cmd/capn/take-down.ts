import { sandboxDown, sandboxStatus, type OnProgress } from '#sandbox';
import { stopForwarders } from './connection/stop-forwarders.ts';

/** Ends the port-forwards into a sandbox and removes it with all that is in it. Says whether anything was there. */
export async function takeDown(name: string, onProgress: OnProgress, signal: AbortSignal): Promise<boolean> {
  const { server } = await sandboxStatus({ name }, signal);
  const matches = (record: { readonly superServer: string }): boolean => record.superServer === server;
  const ended = await stopForwarders({ matches, forget: true }, signal);
  const wasThere = await sandboxDown({ name, onProgress }, signal);
  return wasThere || ended.length > 0;
}
