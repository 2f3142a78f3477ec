import { expect, it } from 'vitest';
import { ManualClock, settle } from '../../test/fixtures/manual-clock.ts';
import { SilenceError, withWatchdog } from './watchdog.ts';

const limitMs = 100;

async function collect(stream: AsyncIterable<number>, into: number[]): Promise<void> {
  for await (const item of stream) into.push(item);
}

it('passes items on while they keep coming, and cuts the stream when they stop', async () => {
  const clock = new ManualClock();
  async function* talkative(signal: AbortSignal): AsyncGenerator<number> {
    for (let item = 0; item < 3; item++) {
      await clock.sleep(80, signal);
      yield item;
    }
    await clock.sleep(1_000_000, signal);
  }
  const items: number[] = [];
  const ended = collect(withWatchdog(talkative, { clock, limitMs }, new AbortController().signal), items).catch(
    (error: unknown) => error,
  );
  await settle();
  await clock.advance(240);
  expect(items).toEqual([0, 1, 2]);
  await clock.advance(100);
  expect(await ended).toBeInstanceOf(SilenceError);
});

it("lets the stream's own errors out", async () => {
  async function* broken(): AsyncGenerator<number> {
    yield 1;
    throw new Error('broken');
  }
  const stream = withWatchdog(broken, { clock: new ManualClock(), limitMs }, new AbortController().signal);
  await expect(collect(stream, [])).rejects.toThrow('broken');
});
