import { setInterval as ticks } from 'node:timers/promises';
import type { Terminal } from '../terminal.ts';

/** Progress of something that takes a while. Lines stay; the status is overwritten on a terminal and unseen elsewhere. */
export interface LiveLine extends AsyncDisposable {
  /** Prints a line that stays. */
  line(text: string): void;
  /** What is waited for now. */
  status(text: string): void;
}

const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'] as const;
const eraseLine = '\r\u001b[2K';
const frameMs = 120;

/** Starts a spinner with the seconds that passed; plain lines where there is no terminal; nothing when `quiet`. */
export function startLiveLine(terminal: Terminal, quiet = false): LiveLine {
  if (quiet) return { line: () => undefined, status: () => undefined, [Symbol.asyncDispose]: async () => undefined };
  if (!terminal.isLive) {
    return {
      line: (text) => terminal.note(text),
      status: () => undefined,
      [Symbol.asyncDispose]: async () => undefined,
    };
  }
  return spinner(terminal);
}

function spinner(terminal: Terminal): LiveLine {
  const started = performance.now();
  const stop = new AbortController();
  let status = '';
  const draw = (frame: string): void => {
    const text = `${frame} ${Math.round((performance.now() - started) / 1000)} s  ${status}`;
    terminal.raw(`${eraseLine}${text.slice(0, terminal.columns - 1)}`);
  };
  const spinning = spin(draw, stop.signal);
  return {
    line: (text) => terminal.raw(`${eraseLine}${text}\n`),
    status: (text) => {
      status = text;
    },
    [Symbol.asyncDispose]: async () => {
      stop.abort();
      await spinning;
      terminal.raw(eraseLine);
    },
  };
}

async function spin(draw: (frame: string) => void, signal: AbortSignal): Promise<void> {
  let turn = 0;
  try {
    for await (const _ of ticks(frameMs, undefined, { signal })) draw(frames[turn++ % frames.length] ?? '…');
  } catch {
    // Aborted: the work is done.
  }
}
