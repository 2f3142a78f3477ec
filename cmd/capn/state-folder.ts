import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** Where this program remembers things between runs: `CAPN_STATE_DIR`, or `capn` in the XDG state folder. */
export function stateFolder(env: NodeJS.ProcessEnv = process.env): string {
  const xdg = env['XDG_STATE_HOME'] ?? join(homedir(), '.local', 'state');
  return resolve(env['CAPN_STATE_DIR'] ?? join(xdg, 'capn'));
}
