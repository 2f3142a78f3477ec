/** What a long piece of work tells about itself. Steps may overlap; `step` tells them apart. */
export type ProgressEvent =
  | { readonly kind: 'started'; readonly step: string; readonly estimateSeconds?: number }
  | {
      readonly kind: 'advanced';
      readonly step: string;
      /** 0 to 1; an estimate. */
      readonly fraction: number;
      readonly etaSeconds: number;
      readonly detail: string;
    }
  | { readonly kind: 'done'; readonly step: string; readonly seconds: number; readonly detail?: string }
  | { readonly kind: 'failed'; readonly step: string; readonly seconds: number };

export type OnProgress = (event: ProgressEvent) => void;

/**
 * Runs `work` as the step `title`: reports its start and how it ended. `work` may return a detail that is shown behind
 * the title ("already running").
 *
 * **Errors** those of `work`.
 */
export async function runStep(
  title: string,
  onProgress: OnProgress | undefined,
  work: () => Promise<string | undefined>,
): Promise<void> {
  const started = performance.now();
  const seconds = (): number => (performance.now() - started) / 1000;
  onProgress?.({ kind: 'started', step: title });
  try {
    const detail = await work();
    onProgress?.({ kind: 'done', step: title, seconds: seconds(), ...(detail === undefined ? {} : { detail }) });
  } catch (error) {
    onProgress?.({ kind: 'failed', step: title, seconds: seconds() });
    throw error;
  }
}

/** Seconds as people say them: `8 s`, `3 min 05 s`. */
export function formatSeconds(seconds: number): string {
  const whole = Math.round(seconds);
  if (whole < 60) return `${seconds < 10 ? seconds.toFixed(1) : whole} s`;
  return `${Math.floor(whole / 60)} min ${String(whole % 60).padStart(2, '0')} s`;
}

/** Where progress is written: stderr, or a stand-in. */
export interface ProgressOutput {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/** Milliseconds between two lines about the same long step where lines cannot be overwritten. */
const plainIntervalMs = 30_000;

/**
 * A listener that shows progress to people: on a terminal one line that is overwritten, elsewhere (CI logs) a line when
 * a step ends, and during long steps one every 30 seconds, so that a silent log never means a hanging build.
 */
export function renderProgress(output: ProgressOutput, now: () => number = () => performance.now()): OnProgress {
  return output.isTTY === true ? terminalRenderer(output) : plainRenderer(output, now);
}

function terminalRenderer(output: ProgressOutput): OnProgress {
  return (event) => {
    const line = describe(event);
    const ends = event.kind === 'done' || event.kind === 'failed';
    output.write(`\r\u001b[2K${line}${ends ? '\n' : ''}`);
  };
}

function plainRenderer(output: ProgressOutput, now: () => number): OnProgress {
  const lastLine = new Map<string, number>();
  return (event) => {
    const silentFor = now() - (lastLine.get(event.step) ?? Number.NEGATIVE_INFINITY);
    if (event.kind === 'started') lastLine.set(event.step, now());
    if (event.kind === 'started' && event.estimateSeconds === undefined) return;
    if (event.kind === 'advanced' && silentFor < plainIntervalMs) return;
    lastLine.set(event.step, now());
    output.write(`${describe(event)}\n`);
  };
}

function describe(event: ProgressEvent): string {
  const [mark, text] = describeParts(event);
  return `${mark} ${event.step}${text}`;
}

function describeParts(event: ProgressEvent): readonly [mark: string, text: string] {
  const { kind } = event;
  if (kind === 'failed') return ['✗', ` (after ${formatSeconds(event.seconds)})`];
  if (kind === 'done')
    return ['✓', ` (${event.detail === undefined ? '' : `${event.detail}, `}${formatSeconds(event.seconds)})`];
  if (kind === 'started') {
    return ['…', event.estimateSeconds === undefined ? '' : ` (about ${formatSeconds(event.estimateSeconds)})`];
  }
  const percent = Math.round(event.fraction * 100);
  return ['…', `: ${event.detail}, ${percent} %, about ${formatSeconds(event.etaSeconds)} left`];
}
