import { createReadStream, existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { componentNames, isComponentName, type ComponentName } from './components.ts';
import { layoutOf } from './layout.ts';
import { logFileOf } from './node-processes.ts';

export interface SandboxLogsOptions {
  /** Default `default`. */
  readonly name?: string;
  readonly component: string;
  /** Only about the last so many bytes, from the start of a line; default all. */
  readonly tailBytes?: number;
}

/**
 * The output of one component, as text chunks.
 *
 * **Errors** a name that is no component (the message lists them), or a sandbox that is not there.
 */
export async function* sandboxLogs(options: SandboxLogsOptions, signal: AbortSignal): AsyncIterable<string> {
  const file = logFileOf(layoutOf(options.name), requireComponent(options.component));
  if (!existsSync(file))
    throw new Error(`sandbox '${options.name ?? 'default'}' has no log of ${options.component}: is it up?`);
  const { size } = await stat(file);
  const start = Math.max(0, size - (options.tailBytes ?? size));
  let isFirst = start > 0;
  for await (const chunk of createReadStream(file, { start, encoding: 'utf8', signal })) {
    const text = String(chunk);
    yield isFirst ? text.slice(text.indexOf('\n') + 1) : text;
    isFirst = false;
  }
}

function requireComponent(name: string): ComponentName {
  if (isComponentName(name)) return name;
  throw new Error(`'${name}' is no component of a sandbox: ${componentNames.join(', ')}`);
}
