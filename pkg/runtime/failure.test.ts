import { expect, it } from 'vitest';
import { type ErrorCode, errorCodes, KubeError } from '#kube';
import { judgeFailure } from './failure.ts';

const running = new AbortController().signal;
const shutDown = AbortSignal.abort();

it.each(Object.entries(errorCodes))('answers %s as its row says', (code, { retry }) => {
  const { result, again } = judgeFailure(new KubeError('x', { code: code as ErrorCode }), shutDown);
  expect(result).toBe(retry);
  expect(again?.again).toBe(retry === 'soon' || retry === 'backOff' ? 'backOff' : undefined);
});

it('waits as long as the server asked', () => {
  const error = new KubeError('x', { code: 'THROTTLED', retryAfterSeconds: 7 });
  expect(judgeFailure(error, running).again).toEqual({ again: 'backOff', atLeastMs: 7000 });
});

it('does not lose a key whose request was cut off by something other than the shutdown', () => {
  expect(judgeFailure(new KubeError('x', { code: 'ABORTED' }), running).again?.again).toBe('backOff');
});

it('takes anything else for a bug, unless the shutdown brought it about', () => {
  expect(judgeFailure(new TypeError('x'), running)).toMatchObject({ result: 'panic', again: { again: 'backOff' } });
  expect(judgeFailure(new TypeError('x'), shutDown).result).toBe('panic');
  expect(judgeFailure(new DOMException('x', 'AbortError'), shutDown).result).toBe('silent');
  expect(judgeFailure(shutDown.reason, shutDown).result).toBe('silent');
  expect(judgeFailure(new DOMException('x', 'AbortError'), running).result).toBe('panic');
});
