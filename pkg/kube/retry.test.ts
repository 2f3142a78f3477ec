import { expect, test } from 'vitest';
import { KubeError } from './errors.ts';
import { withRetries } from './retry.ts';

const never = new AbortController().signal;
const refused = new KubeError('x', {
  code: 'UNAVAILABLE',
  cause: Object.assign(new Error(), { code: 'ECONNREFUSED' }),
});
const reset = new KubeError('x', { code: 'UNAVAILABLE', cause: Object.assign(new Error(), { code: 'ECONNRESET' }) });
const untrusted = new KubeError('x', {
  code: 'UNAVAILABLE',
  cause: Object.assign(new Error(), { code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' }),
});

function answer(status: number): KubeError {
  return new KubeError('x', { code: status === 429 ? 'THROTTLED' : 'UNAVAILABLE', status });
}

/** How often it is tried when the first time fails with `failure`. */
async function triesAfter(failure: Error, isIdempotent: boolean): Promise<number> {
  let tries = 0;
  const failOnce = async (): Promise<void> => {
    tries++;
    await Promise.resolve();
    if (tries === 1) throw failure;
  };
  await withRetries({ attempted: 'X', isIdempotent }, failOnce, never).catch(() => undefined);
  return tries;
}

test.each([
  [answer(429), 2, 2],
  [answer(502), 2, 1],
  [answer(503), 2, 1],
  [answer(504), 2, 1],
  [answer(500), 1, 1],
  [refused, 2, 2],
  [reset, 2, 1],
  [untrusted, 1, 1],
  [new KubeError('x', { code: 'TIMEOUT' }), 1, 1],
  [new KubeError('x', { code: 'CONFLICT', status: 409 }), 1, 1],
  [new TypeError('a mistake of ours'), 1, 1],
])('after %s (%#): %i tries if idempotent, %i if not', async (error, idempotent, not) => {
  expect([await triesAfter(error, true), await triesAfter(error, false)]).toEqual([idempotent, not]);
});
