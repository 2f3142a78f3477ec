import { expect, it } from 'vitest';
import type { Condition } from '#kube';
import { conditionChanges, waitingFor } from './condition-changes.ts';

const condition = (type: string, status: Condition['status'], reason: string, message = ''): Condition => ({
  type,
  status,
  reason,
  message,
  lastTransitionTime: '2026-11-30T12:00:00Z',
});

const waiting = condition('Available', 'False', 'WaitingForEtcd', 'no pod is ready');

it('tells each change once', () => {
  expect(conditionChanges(undefined, [waiting])).toEqual(['… Available=False WaitingForEtcd: no pod is ready']);
  expect(conditionChanges([waiting], [{ ...waiting, lastTransitionTime: '2026-11-30T12:00:09Z' }])).toEqual([]);
  expect(conditionChanges([waiting], [condition('Available', 'True', 'Available')])).toEqual([
    '✓ Available=True Available',
  ]);
});

it('leaves out summaries that repeat a detail', () => {
  const detail = condition('EtcdHealthy', 'False', 'WaitingForPods', 'pod etcd-0 pulls');
  const summary = condition('Available', 'False', 'WaitingForEtcd', 'EtcdHealthy: pod etcd-0 pulls');
  expect(conditionChanges(undefined, [summary, detail])).toEqual([
    '… EtcdHealthy=False WaitingForPods: pod etcd-0 pulls',
  ]);
  expect(conditionChanges([detail], [summary, detail])).toHaveLength(1);
});

it('does not begin with what is not the case and should not be', () => {
  const idle = condition('Deleting', 'False', 'NotDeleting');
  expect(conditionChanges(undefined, [idle])).toEqual([]);
  expect(conditionChanges([condition('Deleting', 'True', 'Deleting')], [idle])).toEqual([
    '✓ Deleting=False NotDeleting',
  ]);
});

it('says what is waited for: the goal if it says something, else what is open', () => {
  const open = condition('EtcdReady', 'False', 'WaitingForPods', 'pod pulls');
  expect(waitingFor([open, waiting], 'Available')).toBe('Available=False WaitingForEtcd: no pod is ready');
  expect(waitingFor([open, condition('Available', 'Unknown', 'Reconciling')], 'Available')).toBe(
    'EtcdReady=False WaitingForPods: pod pulls',
  );
  expect(waitingFor(undefined, 'Available')).toBe('waiting for a controller to look at it');
});
