import { expect, test } from 'vitest';
import { linesOf } from './lines.ts';

async function* chunks(...pieces: readonly (string | Buffer)[]): AsyncGenerator<Buffer> {
  for (const piece of pieces) yield await Promise.resolve(Buffer.from(piece));
}

async function lines(...pieces: readonly (string | Buffer)[]): Promise<string[]> {
  const all: string[] = [];
  for await (const line of linesOf(chunks(...pieces))) all.push(line);
  return all;
}

test('lines are the same wherever the bytes are cut, also within a character', async () => {
  const text = '{"a":"é\u2028\u2029x"}\n\n{"b":"🙂"}\r\n{"c":1}\n';
  const whole = ['{"a":"é\u2028\u2029x"}', '{"b":"🙂"}', '{"c":1}'];
  const bytes = Buffer.from(text);
  for (let size = 1; size <= bytes.length; size++) {
    const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
      bytes.subarray(at * size, (at + 1) * size),
    );
    expect(await lines(...pieces)).toEqual(whole);
  }
});

test('bytes that end within a line are an error, after the whole lines', async () => {
  const seen: string[] = [];
  const reading = (async () => {
    for await (const line of linesOf(chunks('one\ntw', 'o'))) seen.push(line);
  })();
  await expect(reading).rejects.toThrow('ended within a line, after 3 bytes');
  expect(seen).toEqual(['one']);
});

test('a line without end is not gathered without end', async () => {
  const endless = Array.from({ length: 20 }, () => Buffer.alloc(1024 * 1024, 'x'));
  await expect(lines(...endless)).rejects.toThrow('longer than 16777216 bytes');
});

test('leaving the loop closes the source', async () => {
  let closed = false;
  async function* source(): AsyncGenerator<Buffer> {
    try {
      for (;;) yield await Promise.resolve(Buffer.from('x\n'));
    } finally {
      closed = true;
    }
  }
  for await (const line of linesOf(source())) if (line === 'x') break;
  expect(closed).toBe(true);
});
