import { createInterface } from 'node:readline/promises';
import { styleText } from 'node:util';

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

/** Where a command writes and reads. Results go to `out`, everything said to the user goes to `note`. */
export interface Terminal {
  /** Writes to stdout, as it is. */
  readonly out: (text: string) => void;
  /** Writes a line to stderr. */
  readonly note: (line: string) => void;
  /** Writes to stderr without a line end (spinner). */
  readonly raw: (text: string) => void;
  /** Whether stderr is a terminal, so that lines may be overwritten. */
  readonly isLive: boolean;
  /** Whether a question can be asked: stdin and stderr are terminals. */
  readonly canAsk: boolean;
  /** Columns of stderr; 80 where unknown. */
  readonly columns: number;
  /** Colours on stdout; plain text when it is no terminal or `NO_COLOR` is set. */
  readonly style: (style: Style, text: string) => string;
  /** Asks on stderr and returns the line that was typed. */
  readonly ask: (question: string, signal: AbortSignal) => Promise<string>;
}

/** The terminal of this process. */
export function processTerminal(): Terminal {
  return {
    out: (text) => void process.stdout.write(text),
    note: (line) => void process.stderr.write(`${line}\n`),
    raw: (text) => void process.stderr.write(text),
    isLive: process.stderr.isTTY,
    canAsk: process.stdin.isTTY && process.stderr.isTTY,
    columns: process.stderr.columns ?? 80,
    style: (style, text) => styleText(style, text, { stream: process.stdout }),
    ask: askOnce,
  };
}

async function askOnce(question: string, signal: AbortSignal): Promise<string> {
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return (await prompt.question(question, { signal })).trim();
  } finally {
    prompt.close();
  }
}
