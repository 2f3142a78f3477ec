import { once } from 'node:events';
import { createServer as createTlsServer, type Server } from 'node:https';
import { type AddressInfo, connect, createServer } from 'node:net';
import type { Duplex } from 'node:stream';
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createKubeClient, type KubeClient, portForward, resources } from '#kube';
import { generateCertificateAuthority, issueCertificate } from '#certs';
import { type ApiServerFixture, startApiServer } from '../fixtures/api-server.ts';

/**
 * The API server is real; what stands behind it is not: a peer that speaks the kubelet's side of port-forwarding as
 * `v4.channel.k8s.io` describes it, and so can say things that a kubelet says only when it breaks.
 */
const never = new AbortController().signal;
const namespace = 'default';
let server: ApiServerFixture;
let client: KubeClient;
let kubelet: Server;
/** What the peer does with each connection; set by each test. */
let serve: (socket: Duplex) => void;

beforeAll(async () => {
  server = await startApiServer();
  client = createKubeClient(server.config);
  kubelet = await startKubelet();
  const { port } = kubelet.address() as AddressInfo;
  await client.create(resources.nodes, { metadata: { name: 'node' } }, never);
  const status = {
    addresses: [{ type: 'InternalIP', address: '127.0.0.1' }],
    daemonEndpoints: { kubeletEndpoint: { Port: port } },
  };
  await client.mergePatch(
    { type: resources.nodes, key: { name: 'node' } },
    { status },
    { subresource: 'status' },
    never,
  );
  const spec = { nodeName: 'node', containers: [{ name: 'c', image: 'i' }] };
  await client.create(resources.pods, { metadata: { namespace, name: 'pod' }, spec }, never);
});

afterAll(async () => {
  kubelet.closeAllConnections();
  kubelet.close();
  await client[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

async function startKubelet(): Promise<Server> {
  const authority = await generateCertificateAuthority({ commonName: 'kubelet-ca', lifetimeDays: 1 }, new Date());
  const spec = { commonName: 'node', ipAddresses: ['127.0.0.1'], usages: ['server'], lifetimeDays: 1 } as const;
  const { certificate: cert, privateKey: key } = await issueCertificate(authority, spec, new Date());
  const peer = createTlsServer({ cert, key });
  peer.on('upgrade', (request, socket) => {
    socket.on('error', () => undefined);
    const accept = `${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
    const lines = [
      'HTTP/1.1 101 Switching Protocols',
      'Upgrade: websocket',
      'Connection: Upgrade',
      `Sec-WebSocket-Accept: ${createHash('sha1').update(accept).digest('base64')}`,
      `Sec-WebSocket-Protocol: ${request.headers['sec-websocket-protocol']}`,
    ];
    socket.write(`${lines.join('\r\n')}\r\n\r\n`);
    for (const channel of [0, 1]) socket.write(frame(Buffer.from([channel, 0x90, 0x1f])));
    serve(socket);
  });
  peer.listen(0, '127.0.0.1');
  await once(peer, 'listening');
  return peer;
}

function frame(payload: Buffer): Buffer {
  const long = Buffer.from([0x82, 126, payload.length >> 8, payload.length & 0xff]);
  return Buffer.concat([payload.length < 126 ? Buffer.from([0x82, payload.length]) : long, payload]);
}

/** Payloads of the client's frames, which are masked and below 64 kB here. */
function payloadsOf(bytes: Buffer): { readonly payloads: Buffer[]; readonly rest: Buffer } {
  const payloads: Buffer[] = [];
  for (;;) {
    const short = (bytes[1] ?? 0) & 0x7f;
    const start = short === 126 ? 8 : 6;
    const size = short === 126 ? bytes.readUInt16BE(2) : short;
    if (bytes.length < start + size || bytes.length < 2) return { payloads, rest: bytes };
    const mask = bytes.subarray(start - 4, start);
    payloads.push(Buffer.from(bytes.subarray(start, start + size).map((byte, at) => byte ^ (mask[at % 4] ?? 0))));
    bytes = bytes.subarray(start + size);
  }
}

function echo(socket: Duplex): void {
  let rest: Buffer = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    const read = payloadsOf(Buffer.concat([rest, chunk]));
    ({ rest } = read);
    for (const payload of read.payloads) if (payload[0] === 0) socket.write(frame(payload));
  });
}

const target = { namespace, pod: 'pod', port: 8080 };

test('bytes go through both ways, whole and in order', async () => {
  serve = echo;
  const stream = await portForward({ config: server.config, ...target }, never);
  const sent = Buffer.from(Array.from({ length: 3_000_000 }, (_, index) => index % 251));
  const received: Buffer[] = [];
  let length = 0;
  const all = Promise.withResolvers<void>();
  stream.on('data', (piece: Buffer) => {
    length += received.push(piece) && piece.length;
    if (length >= sent.length) all.resolve();
  });
  for (let at = 0; at < sent.length; at += 30_000) {
    if (!stream.write(sent.subarray(at, at + 30_000))) await once(stream, 'drain');
  }
  await all.promise;
  expect(Buffer.concat(received).equals(sent)).toBe(true);
  stream.destroy();
});

test('works as one side of a local TCP forwarder', async () => {
  serve = echo;
  const forwarder = createServer((local) => {
    const relay = async (): Promise<void> => {
      const remote = await portForward({ config: server.config, ...target }, never);
      local.pipe(remote).pipe(local);
      local.on('close', () => remote.destroy());
    };
    void relay();
  }).listen(0, '127.0.0.1');
  await once(forwarder, 'listening');
  const socket = connect((forwarder.address() as AddressInfo).port, '127.0.0.1');
  socket.write('hello');
  expect(String((await once(socket, 'data'))[0])).toBe('hello');
  socket.destroy();
  forwarder.close();
});

test('ends when the peer ends', async () => {
  serve = (socket) => {
    socket.write(frame(Buffer.from('\0bye')));
    socket.end(Buffer.from([0x88, 0]));
  };
  const stream = await portForward({ config: server.config, ...target }, never);
  const pieces = await stream.toArray();
  expect(Buffer.concat(pieces as Buffer[]).toString()).toBe('bye');
});

test('fails with the words of the error channel', async () => {
  serve = (socket) => void socket.write(frame(Buffer.from('\u0001connection refused')));
  const stream = await portForward({ config: server.config, ...target }, never);
  await expect(stream.toArray()).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    message: 'PORT-FORWARD pods default/pod:8080: connection refused',
  });
});

test('what the API server refuses is its KubeError', async () => {
  const absent = portForward({ config: server.config, ...target, pod: 'absent' }, never);
  await expect(absent).rejects.toMatchObject({ code: 'NOT_FOUND', status: 404 });
  const config = await server.configFor({ user: 'stranger' });
  await expect(portForward({ config, ...target }, never)).rejects.toMatchObject({ code: 'FORBIDDEN' });
});

test('ends when the signal fires', async () => {
  serve = echo;
  const stop = new AbortController();
  const stream = await portForward({ config: server.config, ...target }, stop.signal);
  const closed = once(stream, 'error');
  stop.abort();
  expect((await closed)[0]).toMatchObject({ name: 'AbortError' });
  await expect(portForward({ config: server.config, ...target }, stop.signal)).rejects.toMatchObject({
    code: 'ABORTED',
  });
});
