import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { startForwardServer } from './forward-server.ts';

let echo: Server;
let portOfEcho = 0;

beforeEach(async () => {
  echo = createServer((socket) => socket.on('error', () => undefined).pipe(socket)).listen(0, '127.0.0.1');
  await once(echo, 'listening');
  portOfEcho = (echo.address() as AddressInfo).port;
});
afterEach(() => echo.close());

const signal = AbortSignal.timeout(20_000);
const open = async () => connect(portOfEcho, '127.0.0.1');

it('carries bytes both ways, many connections at once', async () => {
  await using server = await startForwardServer({ port: 0, open, onError: () => undefined }, signal);
  const answers = Array.from({ length: 20 }, async (_, index) => {
    const socket = connect(server.port, '127.0.0.1');
    const message = `${index} `.repeat(50_000);
    socket.write(message);
    let read = '';
    for await (const chunk of socket) {
      read += String(chunk);
      if (read.length === message.length) break;
    }
    return read === message;
  });
  expect(new Set(await Promise.all(answers))).toEqual(new Set([true]));
});

it('ends both sides when one ends', async () => {
  let closed = 0;
  const counted = async () => connect(portOfEcho, '127.0.0.1').on('close', () => (closed += 1));
  await using server = await startForwardServer({ port: 0, open: counted, onError: () => undefined }, signal);
  const socket = connect(server.port, '127.0.0.1');
  await once(socket, 'connect');
  expect(server.idleMs()).toBe(0);
  socket.end();
  await text(socket);
  await vi.waitUntil(() => closed === 1, { timeout: 5000 });
  expect(closed).toBe(1);
  await sleep(30);
  expect(server.idleMs()).toBeGreaterThan(0);
});

it('goes on after a connection that could not be opened, and tells', async () => {
  const errors: unknown[] = [];
  let isDown = true;
  const flaky = async () => {
    if (isDown) throw new Error('no pod is ready');
    return await open();
  };
  await using server = await startForwardServer(
    { port: 0, open: flaky, onError: (error) => errors.push(error) },
    signal,
  );
  await text(connect(server.port, '127.0.0.1')).catch(() => '');
  isDown = false;
  const socket = connect(server.port, '127.0.0.1');
  socket.write('hello');
  expect(String((await once(socket, 'data'))[0])).toBe('hello');
  socket.destroy();
  expect(errors).toEqual([new Error('no pod is ready')]);
});

it('cuts connections when it is disposed, and says when a port is taken', async () => {
  const server = await startForwardServer({ port: 0, open, onError: () => undefined }, signal);
  await expect(startForwardServer({ port: server.port, open, onError: () => undefined }, signal)).rejects.toThrow(
    /EADDRINUSE/,
  );
  const socket = connect(server.port, '127.0.0.1');
  await once(socket, 'connect');
  const closed = once(socket.on('error', () => undefined).resume(), 'close');
  await server[Symbol.asyncDispose]();
  await closed;
});
