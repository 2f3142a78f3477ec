/**
 * A whole real Kubernetes on one Linux machine, as root, without Docker: the super cluster for demos and end-to-end
 * tests. etcd, the control plane, containerd, kubelet and kube-proxy run as ordinary processes in a network and a mount
 * namespace of their own, so that sandboxes disturb neither each other nor the machine; a forwarder on 127.0.0.1 leads
 * to the API server.
 *
 * Start reading in `up.ts` (the steps), then `components.ts` (the command lines) and `layout.ts` (where everything is).
 * Programs come from pinned Go modules (`binaries.ts`, `modules/`), images are built around them (`images.ts`).
 *
 * This room never pulls anything while a sandbox runs, never kills by name, and leaves nothing outside the sandbox's own
 * folder once it is down.
 */
export { addresses } from './addresses.ts';
export { allPrograms, binaries, families, type Binary, type Program } from './binaries.ts';
export { componentNames, isComponentName, type ComponentName } from './components.ts';
export { sandboxDown, type SandboxDownOptions } from './down.ts';
export { binaryPath, ensureBinaries, type EnsureBinariesOptions } from './ensure-binaries.ts';
export { sandboxImages } from './image-names.ts';
export { filesBelow } from './files-below.ts';
export { buildImage, type ImageSpec } from './image.ts';
export type { ImageFile } from './image-tar.ts';
export { loadImage } from './load-image.ts';
export { cacheFolder, layoutOf, type SandboxLayout } from './layout.ts';
export { acquireLock, type LockOptions } from './lock.ts';
export {
  findProcess,
  startProcess,
  stopProcess,
  type FoundProcess,
  type ProcessSpec,
  type StopOptions,
} from './managed-process.ts';
export { pollUntil, type PollOptions } from './poll-until.ts';
export { preflight, type Machine } from './preflight.ts';
export { formatSeconds, renderProgress, runStep, type OnProgress, type ProgressEvent } from './progress.ts';
export { runCommand, type CommandOptions } from './run-command.ts';
export { sandboxLogs, type SandboxLogsOptions } from './logs.ts';
export { sandboxStatus, type ComponentStatus, type SandboxInfo } from './status.ts';
export { sandboxUp, type SandboxUpOptions } from './up.ts';
