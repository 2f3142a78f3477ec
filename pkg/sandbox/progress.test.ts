import { expect, test } from 'vitest';
import { formatSeconds, renderProgress, runStep, type ProgressEvent } from './progress.ts';

const advanced = (fraction: number): ProgressEvent => ({
  kind: 'advanced',
  step: 'build',
  fraction,
  etaSeconds: 125,
  detail: 'kubelet (2 of 3)',
});

function recorder(isTTY: boolean): {
  readonly output: { isTTY: boolean; write: (text: string) => void };
  readonly written: string[];
} {
  const written: string[] = [];
  return { written, output: { isTTY, write: (text) => void written.push(text) } };
}

test('a log gets a line a step, and one every 30 seconds of a long one', () => {
  let nowMs = 0;
  const { output, written } = recorder(false);
  const show = renderProgress(output, () => nowMs);
  show({ kind: 'started', step: 'build', estimateSeconds: 284 });
  for (nowMs = 1000; nowMs <= 61_000; nowMs += 1000) show(advanced(0.25));
  show({ kind: 'done', step: 'build', seconds: 61 });
  expect(written).toEqual([
    '… build (about 4 min 44 s)\n',
    '… build: kubelet (2 of 3), 25 %, about 2 min 05 s left\n',
    '… build: kubelet (2 of 3), 25 %, about 2 min 05 s left\n',
    '✓ build (1 min 01 s)\n',
  ]);
});

test('a short step is one line in a log', () => {
  const { output, written } = recorder(false);
  const show = renderProgress(output);
  show({ kind: 'started', step: 'network' });
  show({ kind: 'done', step: 'network', seconds: 0.21, detail: 'already there' });
  expect(written).toEqual(['✓ network (already there, 0.2 s)\n']);
});

test('a terminal line is overwritten until the step ends', () => {
  const { output, written } = recorder(true);
  const show = renderProgress(output);
  show(advanced(0.5));
  show({ kind: 'failed', step: 'build', seconds: 3 });
  expect(written[0]).toMatch(/^\r.*50 %.*left$/);
  expect(written[1]).toMatch(/✗ build \(after 3\.0 s\)\n$/);
});

test('a failing step is reported and its error passed on', async () => {
  const kinds: string[] = [];
  const work = runStep(
    'step',
    (event) => kinds.push(event.kind),
    () => Promise.reject(new Error('no')),
  );
  await expect(work).rejects.toThrow('no');
  expect(kinds).toEqual(['started', 'failed']);
});

test.each([
  [0.04, '0.0 s'],
  [9.9, '9.9 s'],
  [59, '59 s'],
  [60, '1 min 00 s'],
  [725, '12 min 05 s'],
])('%d seconds are said as %s', (seconds, text) => {
  expect(formatSeconds(seconds)).toBe(text);
});
