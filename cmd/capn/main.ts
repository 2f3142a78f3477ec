#!/usr/bin/env node
import { run } from './run.ts';
import { processTerminal } from './terminal.ts';

const stop = new AbortController();
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => stop.abort());
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // Whoever read our output (head, less) has enough.
  if (error.code === 'EPIPE') process.exit(0);
});
process.exitCode = await run(process.argv.slice(2), { terminal: processTerminal(), signal: stop.signal });
