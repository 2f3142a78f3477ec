import { randomBytes } from 'node:crypto';

/** Kinds of frames (RFC 6455 section 5.2). */
export const opcodes = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

/** One frame, unmasked. */
export interface Frame {
  readonly opcode: number;
  readonly payload: Buffer;
}

/** Servers send pieces of 32 kB; a peer gone mad does not fill our memory. */
const longestPayload = 4 * 1024 * 1024;

/** Encodes a whole message as a client must: final and masked (RFC 6455 section 5.3). */
export function encodeFrame(opcode: number, payload: Uint8Array): Buffer {
  const mask = randomBytes(4);
  const masked = Buffer.from(payload);
  applyMask(masked, mask);
  return Buffer.concat([Buffer.from([0x80 | opcode]), lengthBytes(payload.length), mask, masked]);
}

/**
 * Splits bytes into frames; a message in pieces comes as its pieces, each with the opcode of the first.
 * Reads only as fast as frames are taken. **Errors** when a frame is longer than 4 MiB, or the bytes end within one.
 */
export async function* framesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<Frame, void, undefined> {
  let pending: Buffer = Buffer.alloc(0);
  let messageOpcode: number = opcodes.binary;
  for await (const chunk of chunks) {
    pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
    for (let size = frameSize(pending); size !== undefined && pending.length >= size; size = frameSize(pending)) {
      const frame = decodeFrame(pending.subarray(0, size));
      pending = pending.subarray(size);
      if (frame.opcode === opcodes.text || frame.opcode === opcodes.binary) messageOpcode = frame.opcode;
      yield frame.opcode === opcodes.continuation ? { ...frame, opcode: messageOpcode } : frame;
    }
  }
  if (pending.length > 0) throw new Error('the stream ended within a WebSocket frame');
}

function lengthBytes(length: number): Buffer {
  if (length < 126) return Buffer.from([0x80 | length]);
  if (length < 65_536) return Buffer.from([0x80 | 126, length >> 8, length & 0xff]);
  const bytes = Buffer.alloc(9);
  bytes[0] = 0x80 | 127;
  bytes.writeBigUInt64BE(BigInt(length), 1);
  return bytes;
}

/** Bytes of the frame that begins here, header included; undefined while its header is not whole. */
function frameSize(bytes: Buffer): number | undefined {
  const headerSize = headerSizeOf(bytes);
  if (headerSize === undefined || bytes.length < headerSize) return undefined;
  const payload = payloadSize(bytes);
  if (payload > longestPayload) throw new Error(`a WebSocket frame is longer than ${longestPayload} bytes`);
  return headerSize + payload;
}

function headerSizeOf(bytes: Buffer): number | undefined {
  const second = bytes[1];
  if (second === undefined) return undefined;
  const short = second & 0x7f;
  const lengthSize = short === 126 ? 2 : short === 127 ? 8 : 0;
  return 2 + lengthSize + maskSize(second);
}

function payloadSize(bytes: Buffer): number {
  const short = bytes.readUInt8(1) & 0x7f;
  if (short === 126) return bytes.readUInt16BE(2);
  return short === 127 ? Number(bytes.readBigUInt64BE(2)) : short;
}

function decodeFrame(bytes: Buffer): Frame {
  const size = payloadSize(bytes);
  const payload = Buffer.from(bytes.subarray(bytes.length - size));
  const masked = maskSize(bytes.readUInt8(1)) > 0;
  if (masked) applyMask(payload, bytes.subarray(bytes.length - size - 4, bytes.length - size));
  return { opcode: bytes.readUInt8(0) & 0x0f, payload };
}

function maskSize(secondByte: number): 0 | 4 {
  return (secondByte & 0x80) === 0 ? 0 : 4;
}

function applyMask(payload: Buffer, mask: Uint8Array): void {
  for (let at = 0; at < payload.length; at++) payload[at] = (payload[at] ?? 0) ^ (mask[at & 3] ?? 0);
}
