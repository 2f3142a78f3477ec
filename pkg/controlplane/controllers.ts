import { instanceLabel, type NestedAPIServer, type NestedControllerManager, type NestedEtcd } from '#apis';
import type { KubeObject, ObjectKey } from '#kube';
import { createController, type Controller, type ControllerDependencies, type ReconcileContext } from '#runtime';
import { reconcileComponent } from './component-reconciler.ts';
import type { Dependencies } from './dependencies.ts';
import { GatewayAuthority } from './gateway-authority.ts';
import { apiServerSteps, observeAPIServer } from './nestedapiserver/steps.ts';
import { controllerManagerSteps, observeControllerManager } from './nestedcontrollermanager/steps.ts';
import { reconcileControlPlane } from './nestedcontrolplane/reconciler.ts';
import { observeEtcd } from './nestedetcd/observe.ts';
import { etcdSteps } from './nestedetcd/steps.ts';
import type { TenantConnections } from './tenant-connections.ts';

/** Every controller of this room, ready to run: what each is for, what wakes it, how it reconciles. */
export function createControllers(
  dependencies: Dependencies,
  connections: TenantConnections,
  loop: ControllerDependencies,
): readonly Controller[] {
  return [
    createController(controlPlaneController(dependencies, connections), loop),
    createController(etcdController(dependencies), loop),
    createController(apiServerController(dependencies), loop),
    createController(controllerManagerController(dependencies), loop),
  ];
}

function controlPlaneController(dependencies: Dependencies, connections: TenantConnections) {
  const { informers } = dependencies;
  return {
    name: 'nestedcontrolplane',
    for: informers.controlPlanes,
    owns: [informers.etcds, informers.apiServers, informers.controllerManagers, informers.services, informers.secrets],
    reconcile: (key: ObjectKey, context: ReconcileContext) =>
      reconcileControlPlane(dependencies, connections, { key, context }),
  };
}

/** Pods belong to a workload, not to the component; the instance label leads from one to the other. */
function componentOf(pod: KubeObject): readonly ObjectKey[] {
  const { namespace, labels } = pod.metadata;
  const name = labels?.[instanceLabel];
  return name === undefined || namespace === undefined ? [] : [{ namespace, name }];
}

function etcdController(dependencies: Dependencies) {
  const { informers } = dependencies;
  const kind = {
    informer: informers.etcds,
    steps: etcdSteps,
    ownStatus: ['endpoints', 'clientSecretName', 'clusterID', 'etcdVersion'] satisfies (keyof NonNullable<
      NestedEtcd['status']
    >)[],
    observe: observeEtcd,
  };
  return {
    name: 'nestedetcd',
    for: informers.etcds,
    owns: [
      informers.statefulSets,
      informers.services,
      informers.secrets,
      informers.configMaps,
      informers.networkPolicies,
    ],
    watches: [
      { informer: informers.pods, map: componentOf },
      { informer: informers.controlPlanes, map: componentsOf },
    ],
    reconcile: (key: ObjectKey, context: ReconcileContext) =>
      reconcileComponent<NestedEtcd>(dependencies, kind, { key, context }),
  };
}

/** A control plane that appears, or is unpaused, wakes its components, which carry its base name. */
function componentsOf(controlPlane: KubeObject): readonly ObjectKey[] {
  const { namespace = '', name = '', labels } = controlPlane.metadata;
  return [{ namespace, name: labels?.['cluster.x-k8s.io/cluster-name'] ?? name }];
}

function apiServerController(dependencies: Dependencies) {
  const { informers } = dependencies;
  const kind = {
    informer: informers.apiServers,
    steps: apiServerSteps(new GatewayAuthority(dependencies)),
    ownStatus: [],
    observe: observeAPIServer,
  };
  return {
    name: 'nestedapiserver',
    for: informers.apiServers,
    owns: [informers.deployments, informers.secrets, informers.networkPolicies],
    watches: [
      { informer: informers.pods, map: componentOf },
      { informer: informers.controlPlanes, map: componentsOf },
    ],
    reconcile: (key: ObjectKey, context: ReconcileContext) =>
      reconcileComponent<NestedAPIServer>(dependencies, kind, { key, context }),
  };
}

function controllerManagerController(dependencies: Dependencies) {
  const { informers } = dependencies;
  const kind = {
    informer: informers.controllerManagers,
    steps: controllerManagerSteps,
    ownStatus: [],
    observe: observeControllerManager,
  };
  return {
    name: 'nestedcontrollermanager',
    for: informers.controllerManagers,
    owns: [informers.deployments, informers.networkPolicies],
    watches: [
      { informer: informers.pods, map: componentOf },
      { informer: informers.controlPlanes, map: componentsOf },
    ],
    reconcile: (key: ObjectKey, context: ReconcileContext) =>
      reconcileComponent<NestedControllerManager>(dependencies, kind, { key, context }),
  };
}
