import { describe, expect, it } from 'vitest';
import type { Pod } from '#kube';
import { compareVersionTexts, explainPods, runningVersions } from './pods.ts';

function pod(name: string, status: object, version = 'v1.36.3'): Pod {
  return { metadata: { name, labels: { 'app.kubernetes.io/version': version } }, status };
}

const ready = { conditions: [{ type: 'Ready', status: 'True' }] };
const waiting = (state: object) => ({ containerStatuses: [{ name: 'etcd', ready: false, restartCount: 0, state }] });

describe('versions that run', () => {
  it('counts ready pods by version, oldest first', () => {
    const pods = [pod('a', ready, 'v1.36.10'), pod('b', ready, 'v1.36.9'), pod('c', ready, 'v1.36.10'), pod('d', {})];
    expect(runningVersions(pods)).toEqual([
      { version: 'v1.36.9', replicas: 1 },
      { version: 'v1.36.10', replicas: 2 },
    ]);
  });

  it('compares numbers, not texts', () => {
    expect(compareVersionTexts('v1.36.9', 'v1.36.10')).toBeLessThan(0);
    expect(compareVersionTexts('nonsense', 'v1.0.0')).toBeLessThan(0);
  });
});

describe('why pods are not ready', () => {
  it.each([
    [
      'the scheduler',
      { conditions: [{ type: 'PodScheduled', status: 'False', message: 'no nodes' }] },
      'not scheduled: no nodes',
    ],
    ['the image', waiting({ waiting: { reason: 'ErrImagePull', message: 'not found' } }), 'ErrImagePull: not found'],
    ['a crash', waiting({ terminated: { exitCode: 2, message: 'bad flag' } }), 'ended with exit code 2: bad flag'],
    ['the probe', waiting({ running: {} }), 'started, its readiness probe does not succeed yet'],
    ['nothing known', { phase: 'Pending' }, 'phase Pending'],
  ])('tells of %s', (_, status, expected) => {
    expect(explainPods([pod('ok', ready), pod('p-0', status)])).toBe(`pod p-0: ${expected}`);
  });

  it('cuts what a program printed', () => {
    const text = explainPods([pod('p', waiting({ terminated: { exitCode: 1, message: 'x'.repeat(5000) } }))]);
    expect(text?.length).toBeLessThan(400);
  });

  it('says nothing when all are ready', () => {
    expect(explainPods([pod('ok', ready)])).toBeUndefined();
  });
});
