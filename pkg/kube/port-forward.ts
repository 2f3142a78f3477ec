import { addAbortSignal, Duplex } from 'node:stream';
import type { ClusterConfig } from './cluster-config.ts';
import { KubeError } from './errors.ts';
import { objectPath, withQuery } from './resource-path.ts';
import { resources } from './resource-types.ts';
import { encodeFrame, type Frame, framesOf, opcodes } from './web-socket-frames.ts';
import { openWebSocket } from './web-socket.ts';

export interface PortForwardTarget {
  readonly config: ClusterConfig;
  readonly namespace: string;
  readonly pod: string;
  /** TCP port that something in the pod listens on, on its loopback or any address. */
  readonly port: number;
}

/** Channels of one forwarded port: each message begins with its number (`v4.channel.k8s.io`). */
const channels = { data: 0, error: 1 } as const;

/**
 * Connects to a port of a pod through the API server and the kubelet: one TCP connection, with back-pressure both
 * ways. It ends when the pod's side ends; destroy it to end it from ours (the protocol knows no half-close).
 * **Errors** KubeError when the API server refuses. The stream fails when nothing listens in the pod, and when the
 * signal fires.
 */
export async function portForward(target: PortForwardTarget, signal: AbortSignal): Promise<Duplex> {
  const { config, namespace, pod, port } = target;
  const attempted = `PORT-FORWARD pods ${namespace}/${pod}:${port}`;
  const path = withQuery(objectPath(resources.pods, { namespace, name: pod }, 'portforward'), { ports: port });
  const socket = await openWebSocket({ config, path, protocol: 'v4.channel.k8s.io', attempted }, signal);
  return addAbortSignal(signal, forwardOver(socket, attempted));
}

function forwardOver(socket: Duplex, attempted: string): Duplex {
  let wanted = Promise.withResolvers<void>();
  const stream = new Duplex({
    allowHalfOpen: false,
    read: () => wanted.resolve(),
    write: (chunk: Buffer, _encoding, done) => {
      socket.write(encodeFrame(opcodes.binary, Buffer.concat([Buffer.from([channels.data]), chunk])), done);
    },
    destroy: (error, done) => {
      wanted.resolve();
      socket.end(encodeFrame(opcodes.close, Buffer.from([0x03, 0xe8])), () => socket.destroy());
      done(error);
    },
  });
  const deliver = async (data: Buffer): Promise<void> => {
    if (stream.push(data)) return;
    wanted = Promise.withResolvers<void>();
    await wanted.promise;
  };
  // Reported by the iteration in `pump`; unheard, it would end the process.
  socket.on('error', () => undefined);
  pump(socket, deliver, attempted).then(
    () => stream.push(null),
    (error: Error) => stream.destroy(error),
  );
  return stream;
}

async function pump(socket: Duplex, deliver: (data: Buffer) => Promise<void>, attempted: string): Promise<void> {
  const isOpened = new Set<number>();
  const chunks = socket.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
  for await (const frame of framesOf(chunks)) {
    if (frame.opcode === opcodes.close) return;
    if (frame.opcode === opcodes.ping) socket.write(encodeFrame(opcodes.pong, frame.payload));
    const message = frame.opcode === opcodes.binary ? readMessage(frame, isOpened) : undefined;
    if (message === undefined || message.data.length === 0) continue;
    if (message.channel === channels.data) await deliver(message.data);
    if (message.channel === channels.error)
      throw new KubeError(failureText(attempted, message.data), { code: 'UNAVAILABLE' });
  }
}

/** The first message of each channel holds the port's number in two bytes, which says nothing new. */
function readMessage({ payload }: Frame, isOpened: Set<number>): { readonly channel: number; readonly data: Buffer } {
  const channel = payload[0] ?? channels.data;
  const isFirst = !isOpened.has(channel);
  isOpened.add(channel);
  return { channel, data: payload.subarray(isFirst ? 3 : 1) };
}

function failureText(attempted: string, said: Buffer): string {
  return `${attempted}: ${said.toString('utf8', 0, 500).trim()}`;
}
