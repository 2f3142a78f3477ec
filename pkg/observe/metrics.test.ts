import { expect, it } from 'vitest';
import { metricTable } from './metric-table.ts';
import { createMetrics } from './metrics.ts';

it('has a metric of each row, with help and type', async () => {
  const text = await createMetrics().text();
  for (const { name, kind, help } of Object.values(metricTable)) {
    expect(text).toContain(`# HELP ${name} ${help}`);
    expect(text).toContain(`# TYPE ${name} ${kind}`);
  }
});

it('starts counters with closed labels at zero', async () => {
  expect(await createMetrics().text()).toContain('capn_panics_total{where="reconcile"} 0');
});

it('keeps two programs apart', async () => {
  const one = createMetrics();
  const other = createMetrics();
  one.panics.inc({ where: 'queue' });
  expect(await one.text()).toContain('capn_panics_total{where="queue"} 1');
  expect(await other.text()).toContain('capn_panics_total{where="queue"} 0');
});

it('reads gauges when asked', async () => {
  const metrics = createMetrics();
  metrics.onCollect(() => metrics.queueDepth.set({ queue: 'a' }, 7));
  expect(await metrics.text()).toContain('capn_queue_depth{queue="a"} 7');
});
