/**
 * What operators see of a running program: logs, metrics, health. Start at `metric-table.ts`, the one list of metrics;
 * `redact.ts` is what keeps secrets out of logs.
 *
 * This room imports no other room, keeps no global state (each program makes its own logger and metrics), and never
 * puts the name of an object or a tenant into a metric's label.
 */
export * from './health.ts';
export * from './log.ts';
export * from './metric-table.ts';
export * from './metrics.ts';
