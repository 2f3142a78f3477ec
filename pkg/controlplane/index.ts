/**
 * The controllers: from a NestedControlPlane to a tenant control plane that serves, and back to nothing.
 *
 * Start at `nestedcontrolplane/steps.ts`, the bring-up as a list of named steps, and `nestedcontrolplane/deletion.ts`, the
 * way back. The three components share `component-reconciler.ts`; each has its steps in a folder of its own.
 * `controllers.ts` says what wakes whom. `ensure.ts` is the one place that writes owned objects, and the one that
 * refuses to touch what belongs to somebody else.
 *
 * Decisions are pure (`children.ts`, `service-slices.ts`, `nestedcontrolplane/status.ts`); what the objects look like is
 * the room `#manifests`, what the certificates say is `#certs`. This room never imports the syncer.
 */
export { AppliedMemory } from './applied-memory.ts';
export { conditionReasons, type ConditionReason } from './condition-reasons.ts';
export { conditionTypes, type ConditionType } from './condition-types.ts';
export { createControllers } from './controllers.ts';
export { fieldManager, type ControlPlaneInformers, type Dependencies } from './dependencies.ts';
export { createInformers } from './informers.ts';
export { namespacedPermissions, permissions, type Permission } from './permissions.ts';
export { TenantConnections } from './tenant-connections.ts';
