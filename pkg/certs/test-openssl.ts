import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { requireOpenssl } from '../../test/fixtures/require-openssl.ts';

const run = promisify(execFile);

/** A folder with files, in which the openssl program runs: a judge of certificates that shares no code with ours. */
export interface OpensslFolder extends AsyncDisposable {
  /** Runs `openssl <words>`; the result is what it prints. Throws if it fails. */
  readonly openssl: (...words: string[]) => Promise<string>;
  readonly write: (files: Readonly<Record<string, string>>) => Promise<void>;
}

/** Makes a folder that goes with its `await using`. **Errors** one message when openssl is not installed. */
export async function opensslFolder(): Promise<OpensslFolder> {
  await requireOpenssl();
  const cwd = await mkdtemp(join(tmpdir(), 'capn-certs-'));
  return {
    openssl: async (...words) => (await run('openssl', words, { cwd })).stdout,
    write: async (files) => {
      for (const [name, text] of Object.entries(files)) await writeFile(join(cwd, name), text);
    },
    [Symbol.asyncDispose]: () => rm(cwd, { recursive: true }),
  };
}
