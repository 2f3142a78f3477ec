import { expect, it } from 'vitest';
import type { Pod } from '#kube';
import { podSummary } from './pod-summary.ts';

const container = { name: 'etcd', image: 'etcd', imageID: '', ready: true, restartCount: 0 };
const pod = (status: object, metadata = {}): Pod => ({ metadata, spec: { containers: [{ name: 'etcd' }] }, status });

it.each([
  ['runs', pod({ phase: 'Running', containerStatuses: [container] }), 'Running 1/1', true],
  [
    'restarts',
    pod({
      phase: 'Running',
      containerStatuses: [
        { ...container, ready: false, restartCount: 3, state: { waiting: { reason: 'CrashLoopBackOff' } } },
      ],
    }),
    'CrashLoopBackOff 0/1, 3 restarts',
    false,
  ],
  [
    'is not scheduled',
    pod({ phase: 'Pending', conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable' }] }),
    'Unschedulable 0/1',
    false,
  ],
  [
    'ended well in its init container',
    pod({
      phase: 'Pending',
      initContainerStatuses: [{ ...container, state: { terminated: { exitCode: 0, reason: 'Completed' } } }],
    }),
    'Pending 0/1',
    false,
  ],
  [
    'is being deleted',
    pod({ phase: 'Running', containerStatuses: [container] }, { deletionTimestamp: '2026-11-30T12:00:00Z' }),
    'Terminating 1/1',
    false,
  ],
])('says in a few words that a pod %s', (_what, given, text, isHealthy) => {
  expect(podSummary(given)).toEqual({ text, isHealthy });
});
