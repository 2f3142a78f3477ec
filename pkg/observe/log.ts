import { createRequire } from 'node:module';
import { type DestinationStream, pino, type Logger as PinoLogger } from 'pino';
import { redactFields, redactText } from './redact.ts';

/** A structured logger: `logger.info({ controller, key }, 'Creating Service')`. */
export type Logger = PinoLogger;

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

export interface LoggerOptions {
  /** The program or part that speaks. */
  readonly name: string;
  /** One of {@link logLevels}; default `info`. */
  readonly level?: string;
  /** Lines for people instead of JSON; default: only when stdout is a terminal. Needs pino-pretty, else JSON stays. */
  readonly pretty?: boolean;
  /** Where lines go; default stdout, written at once, so that nothing is lost when the process ends. */
  readonly destination?: { write(text: string): void };
}

/**
 * Makes a logger that blots out secrets, both by field name at any depth and by their looks in any text.
 * **Errors** throws for a level that is not one of {@link logLevels}.
 */
export function createLogger({ name, level = 'info', pretty, destination }: LoggerOptions): Logger {
  requireLevel(level);
  const options = {
    name,
    level,
    errorKey: 'error',
    serializers: { error: (error: unknown) => error, err: (error: unknown) => error },
    formatters: {
      level: (label: string) => ({ level: label }),
      log: redactRecord,
      bindings: redactRecord,
    },
    timestamp: pino.stdTimeFunctions.isoTime,
    hooks: { streamWrite: redactText },
  };
  return redactChildren(pino(options, destination ?? standardOutput(pretty ?? process.stdout.isTTY)));
}

/** Waits until what was logged has been written. Call it last before the process ends. */
export async function flushLogger(logger: Logger): Promise<void> {
  await new Promise<void>((resolve) => {
    logger.flush(() => resolve());
  });
}

function requireLevel(level: string): void {
  if ((logLevels as readonly string[]).includes(level)) return;
  throw new Error(`'${level}' is not a log level; use one of ${logLevels.join(', ')}`);
}

type MakeChild = (this: Logger, bindings: object, options?: object) => Logger;

/** pino formats the bindings of the first logger only. Children inherit from it, and so does their `child`. */
function redactChildren(logger: Logger): Logger {
  const makeChild = Reflect.get(logger, 'child') as unknown as MakeChild;
  const child: MakeChild = function child(bindings, options) {
    return makeChild.call(this, redactRecord(bindings), options);
  };
  return Object.assign(logger, { child });
}

function redactRecord(record: object): Record<string, unknown> {
  return redactFields(record) as Record<string, unknown>;
}

function standardOutput(pretty: boolean): DestinationStream {
  return (pretty ? prettyOutput() : undefined) ?? pino.destination({ fd: 1, sync: true });
}

/** pino-pretty is a development dependency: images go without it. */
function prettyOutput(): DestinationStream | undefined {
  try {
    const load = createRequire(import.meta.url)('pino-pretty') as (options: object) => DestinationStream;
    return load({ sync: true, errorLikeObjectKeys: ['error'], translateTime: 'SYS:HH:MM:ss', ignore: 'pid,hostname' });
  } catch {
    return undefined;
  }
}
