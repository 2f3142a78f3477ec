import { runCommand, type SandboxInfo } from '#sandbox';

/** Runs the sandbox's kubectl as its administrator and returns what it prints. **Errors** with kubectl's own message. */
export async function kubectl(sandbox: SandboxInfo, args: readonly string[], signal: AbortSignal): Promise<string> {
  return await runCommand([sandbox.kubectl, `--kubeconfig=${sandbox.kubeconfig}`, ...args], {}, signal);
}
