import { expect, it } from 'vitest';
import { createLogger, flushLogger } from './log.ts';

function collect(): { readonly lines: string[]; readonly destination: { write(text: string): void } } {
  const lines: string[] = [];
  return { lines, destination: { write: (text) => void lines.push(text) } };
}

it('writes one JSON object a line, with the level as a word', () => {
  const { lines, destination } = collect();
  createLogger({ name: 'manager', destination }).info({ kind: 'Pod' }, 'Creating Pod');
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    level: 'info',
    name: 'manager',
    kind: 'Pod',
    msg: 'Creating Pod',
  });
});

it('keeps secrets out of fields, children, messages and errors', () => {
  const { lines, destination } = collect();
  const logger = createLogger({ name: 'manager', destination });
  const pem = '-----BEGIN PRIVATE KEY-----\ns3cret\n-----END PRIVATE KEY-----';
  logger
    .child({ token: 's3cret' })
    .error({ object: { data: { a: 's3cret' } }, error: new Error(pem) }, `failed: ${pem}`);
  expect(lines.join('')).not.toContain('s3cret');
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ token: '[redacted]', error: { type: 'Error' } });
});

it('stays silent below its level', () => {
  const { lines, destination } = collect();
  createLogger({ name: 'manager', level: 'warn', destination }).info('nothing');
  expect(lines).toEqual([]);
});

it('names the levels there are when asked for another', () => {
  expect(() => createLogger({ name: 'manager', level: 'loud' })).toThrow(/'loud' is not a log level; use one of trace/);
});

it('flushes, also where there is nothing to flush', async () => {
  await flushLogger(createLogger({ name: 'manager', destination: collect().destination }));
});
