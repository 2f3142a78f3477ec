import { expect, it } from 'vitest';
import { KubeError } from '#kube';
import { HistoryError, relistReason } from './relist.ts';
import { SilenceError } from './watchdog.ts';

const tooLarge = { code: 'TIMEOUT', status: 504, causes: [{ reason: 'ResourceVersionTooLarge' }] } as const;

it.each([
  ['lost history', new KubeError('x', { code: 'EXPIRED', status: 410 }), 'expired'],
  ['a resourceVersion that the server has yet to reach', new KubeError('x', tooLarge), 'backwards'],
  ['history that went back', new HistoryError('9', '8'), 'backwards'],
  ['silence', new SilenceError(1), 'silent'],
  ['a server that is away', new KubeError('x', { code: 'UNAVAILABLE' }), undefined],
  ['a bug', new TypeError('x'), undefined],
])('answers %s', (_, error, reason) => {
  expect(relistReason(error)).toBe(reason);
});
