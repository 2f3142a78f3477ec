import type { NestedControllerManager } from '#apis';
import { resources } from '#kube';
import { renderControllerManager } from '#manifests';
import { proceed, type ReconcileContext, type StepResult, type Steps } from '#runtime';
import { readSecret } from '../authorities.ts';
import type { ComponentScope } from '../component-reconciler.ts';
import { configHashOf } from '../config-hash.ts';
import { observeDeployment } from '../observe-deployment.ts';
import { applyDeployment, waitForRollout } from '../rollout.ts';
import { retryMs, waitFor } from '../waits.ts';

/** A NestedControllerManager's scope; the steps hand on what they found. */
export type ControllerManagerScope = ComponentScope<NestedControllerManager>;

/** The steps of a NestedControllerManager, in order. */
export const controllerManagerSteps = {
  readInputs,
  applyControllerManager,
  waitForRollout: ({ dependencies, identity, component, appliedGeneration }: ControllerManagerScope) =>
    waitForRollout(observeControllerManager(dependencies, identity), {
      wanted: component.spec.replicas,
      appliedGeneration,
    }),
} satisfies Steps<ControllerManagerScope>;

/** The Deployment's counters, and its pods. */
export function observeControllerManager(
  dependencies: ControllerManagerScope['dependencies'],
  identity: ControllerManagerScope['identity'],
) {
  const name = identity.names.controllerManager;
  return observeDeployment(dependencies, identity, { name, component: 'kube-controller-manager' });
}

/** The pods read Secrets that the control plane made; a pod without them would hang in ContainerCreating. */
async function readInputs(scope: ControllerManagerScope, { signal }: ReconcileContext): Promise<StepResult> {
  const { dependencies, identity, component } = scope;
  const { namespace, names } = identity;
  const wanted = [
    names.secrets.ca,
    names.secrets.frontProxyCA,
    names.secrets.serviceAccount,
    component.spec.kubeconfigSecretName,
  ];
  const found = await Promise.all(wanted.map((name) => readSecret(dependencies, { namespace, name }, signal)));
  const missing = wanted.filter((_, at) => found[at] === undefined);
  if (missing.length > 0) {
    const list = missing.map((name) => `${namespace}/${name}`).join(', ');
    return waitFor('WaitingForCertificateAuthority', `${resources.secrets.kind} ${list} not there yet`, retryMs);
  }
  scope.configHash = configHashOf(found.filter((secret) => secret !== undefined));
  return proceed();
}

async function applyControllerManager(
  scope: ControllerManagerScope,
  { signal }: ReconcileContext,
): Promise<StepResult> {
  const { dependencies, identity, component, configHash = '' } = scope;
  const { systemNamespace } = dependencies;
  const objects = renderControllerManager({ controllerManager: component, identity, configHash, systemNamespace });
  return applyDeployment(scope, objects, signal);
}
