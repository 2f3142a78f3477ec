/**
 * Access to Kubernetes API servers: raw JSON in and out, every object whole, one connection pool a cluster.
 *
 * Start at `client.ts`, the verbs; then `objects.ts` and `resource-types.ts`, what they speak of; and `errors.ts`, how
 * they fail. `create-client.ts` ties the verbs to `transport.ts` (connections, credentials), `retry.ts` and
 * `error-gate.ts` (where answers of servers become our errors). Pure parts for everybody: conditions, owner
 * references, merge patches.
 *
 * This room never caches objects (that is `#runtime`), never runs them through a model that could drop fields, and
 * never writes bodies or credentials into messages.
 */
export type {
  ApplyOptions,
  DeleteOptions,
  KubeClient,
  ListOptions,
  ListResult,
  PatchOptions,
  RawRequest,
  WatchEvent,
  WatchOptions,
} from './client.ts';
export type { ClusterConfig } from './cluster-config.ts';
export { type Condition, findCondition, formatMicroTime, formatTime, isTrue, setCondition } from './conditions.ts';
export { createKubeClient } from './create-client.ts';
export { type ErrorCode, errorCodes, isKubeError, KubeError, type KubeErrorDetails } from './errors.ts';
export { type EventRecord, recordEvent } from './events.ts';
export { parseJson } from './json.ts';
export { type ClusterConfigOptions, loadClusterConfig } from './load-cluster-config.ts';
export {
  formatKey,
  isBeingDeleted,
  keyOf,
  type KubeObject,
  type ObjectKey,
  type ObjectMeta,
  type OwnerReference,
  parseKey,
  type Raw,
  type Resource,
  uidOf,
} from './objects.ts';
export { controllerReference, isControlledBy, isOwnedByUid } from './owner-references.ts';
export { mergePatchBetween } from './patch.ts';
export { portForward, type PortForwardTarget } from './port-forward.ts';
export * from './resource-types.ts';
