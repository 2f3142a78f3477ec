/**
 * The machinery below every controller: informers that know what is on an API server, queues of keys to work on, the
 * loop that reconciles them, leadership by Lease, and the manager that starts and ends it all.
 *
 * Start at `controller.ts` (what a controller says of itself and what becomes of its results and errors) and `steps.ts`
 * (how a reconcile reads). `informer.ts` is the door to reading and watching, `manager.ts` to a whole program.
 *
 * This room knows no kind of object but Lease, and decides nothing about what is reconciled. Handlers of changes only
 * add keys to queues: nobody acts on the event that woke them.
 */
export * from './clock.ts';
export type { Change } from './change.ts';
export type * from './informer.ts';
export type { ReflectorTiming } from './reflector-timing.ts';
export { createInformer } from './create-informer.ts';
export type { RunAgain, Work, WorkQueue, WorkQueueOptions } from './work-queue.ts';
export { createWorkQueue } from './work-queue.ts';
export { countRequests } from './count-requests.ts';
export * from './controller.ts';
export * from './reconcile.ts';
export * from './steps.ts';
export { LeaseLostError } from './held-lease.ts';
export * from './lease-elector.ts';
export * from './manager.ts';
