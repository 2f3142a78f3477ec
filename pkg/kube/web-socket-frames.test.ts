import { expect, test } from 'vitest';
import { encodeFrame, type Frame, framesOf, opcodes } from './web-socket-frames.ts';

async function* pieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield await Promise.resolve(bytes.subarray(at, at + size));
}

async function framesIn(chunks: AsyncIterable<Buffer>): Promise<Frame[]> {
  const all: Frame[] = [];
  for await (const frame of framesOf(chunks)) all.push(frame);
  return all;
}

test.each([0, 1, 125, 126, 65_535, 65_536, 200_000])(
  'a payload of %i bytes comes back as it was sent',
  async (length) => {
    const payload = Buffer.from(Array.from({ length }, (_, index) => index % 253));
    const bytes = Buffer.concat([encodeFrame(opcodes.binary, payload), encodeFrame(opcodes.ping, Buffer.from('p'))]);
    for (const size of [Math.max(1, Math.ceil(bytes.length / 40)), bytes.length]) {
      const frames = await framesIn(pieces(bytes, size));
      expect(frames.map(({ opcode }) => opcode)).toEqual([opcodes.binary, opcodes.ping]);
      expect(frames[0]?.payload.equals(payload)).toBe(true);
    }
  },
);

test('the payload is masked on the wire, and the given bytes stay as they are', () => {
  const payload = Buffer.from('secret words that are long enough');
  expect(encodeFrame(opcodes.binary, payload).includes(payload)).toBe(false);
  expect(payload.toString()).toBe('secret words that are long enough');
});

test('frames of a server are unmasked; pieces of a message carry its opcode', async () => {
  const bytes = Buffer.from([0x02, 1, 0x61, 0x00, 1, 0x62, 0x89, 0, 0x80, 1, 0x63]);
  const frames = await framesIn(pieces(bytes, 1));
  expect(frames.map(({ opcode, payload }) => [opcode, payload.toString()])).toEqual([
    [opcodes.binary, 'a'],
    [opcodes.binary, 'b'],
    [opcodes.ping, ''],
    [opcodes.binary, 'c'],
  ]);
});

test('a frame that is cut or absurdly long is an error', async () => {
  const cut = encodeFrame(opcodes.binary, Buffer.from('abc')).subarray(0, -1);
  await expect(framesIn(pieces(cut, 3))).rejects.toThrow('ended within a WebSocket frame');
  const long = Buffer.from([0x82, 127, 0, 0, 0x10, 0, 0, 0, 0, 0]);
  await expect(framesIn(pieces(long, 10))).rejects.toThrow('longer than 4194304 bytes');
});
