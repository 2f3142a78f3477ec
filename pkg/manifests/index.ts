/**
 * Manifests: what a component should be → the Kubernetes objects that make it so. Pure functions, a file a component.
 *
 * Start at `etcd.ts`, `api-server.ts` or `controller-manager.ts`; each has its command line beside it. What all pods
 * share (hardening, probes, placement) is in `pod-template.ts`, who may talk to whom in `network-policy.ts`, and which
 * controllers do not run in a tenant, and why, in `controllers.ts`.
 *
 * The objects are meant for server-side apply: no status, no owner (whoever applies them adds it), nothing that the
 * server fills in. This room never talks to a cluster and reads no clock.
 */
export { renderAPIServer, type APIServerInput, type APIServerObjects } from './api-server.ts';
export { renderAPIServerService, type APIServerServiceInput } from './api-server-service.ts';
export { imageFor } from './component-versions.ts';
export {
  renderControllerManager,
  type ControllerManagerInput,
  type ControllerManagerObjects,
} from './controller-manager.ts';
export { controllersOff } from './controllers.ts';
export { claimNameFor, renderEtcd, type EtcdInput, type EtcdObjects } from './etcd.ts';
export type { PlaneIdentity, Program } from './plane-identity.ts';
export { versionLabel } from './pod-template.ts';
