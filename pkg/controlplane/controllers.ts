import {
  instanceLabel,
  type NestedAPIServer,
  type NestedControllerManager,
  type NestedControlPlane,
  type NestedEtcd,
} from '#apis';
import type { KubeObject, ObjectKey } from '#kube';
import {
  createController,
  type Controller,
  type ControllerDefinition,
  type ControllerDependencies,
  type Informer,
  type ReconcileContext,
} from '#runtime';
import { reconcileComponent, type Component, type ComponentKind } from './component-reconciler.ts';
import type { Dependencies } from './dependencies.ts';
import { apiServerSteps, observeAPIServer } from './nestedapiserver/steps.ts';
import { controllerManagerSteps, observeControllerManager } from './nestedcontrollermanager/steps.ts';
import { reconcileControlPlane } from './nestedcontrolplane/reconciler.ts';
import { identityOf } from './identity.ts';
import { observeEtcd } from './nestedetcd/observe.ts';
import { etcdSteps } from './nestedetcd/steps.ts';
import type { TenantConnections } from './tenant-connections.ts';

/** Every controller of this room, ready to run: what each is for, what wakes it, how it reconciles. */
export function createControllers(
  dependencies: Dependencies,
  connections: TenantConnections,
  loop: ControllerDependencies,
): readonly Controller[] {
  const { informers } = dependencies;
  const { services, secrets, configMaps, persistentVolumeClaims, networkPolicies, statefulSets, deployments } =
    informers;
  const controlPlane = {
    name: 'nestedcontrolplane',
    for: informers.controlPlanes,
    owns: [informers.etcds, informers.apiServers, informers.controllerManagers, services, secrets],
    reconcile: (key: ObjectKey, context: ReconcileContext) =>
      reconcileControlPlane(dependencies, connections, { key, context }),
  };
  const etcd = componentController<NestedEtcd>(dependencies, {
    name: 'nestedetcd',
    owns: [statefulSets, services, networkPolicies],
    belongings: [secrets, configMaps, persistentVolumeClaims],
    kind: {
      informer: informers.etcds,
      steps: etcdSteps,
      ownStatus: ['certificates', 'endpoints', 'clientSecretName', 'clusterID', 'etcdVersion'],
      observe: observeEtcd,
    },
  });
  const apiServer = componentController<NestedAPIServer>(dependencies, {
    name: 'nestedapiserver',
    owns: [deployments, networkPolicies],
    belongings: [secrets],
    kind: {
      informer: informers.apiServers,
      steps: apiServerSteps,
      ownStatus: ['certificates'],
      observe: observeAPIServer,
    },
  });
  const controllerManager = componentController<NestedControllerManager>(dependencies, {
    name: 'nestedcontrollermanager',
    owns: [deployments, networkPolicies],
    belongings: [secrets],
    kind: {
      informer: informers.controllerManagers,
      steps: controllerManagerSteps,
      ownStatus: [],
      observe: observeControllerManager,
    },
  });
  return [
    createController(controlPlane, loop),
    createController(etcd, loop),
    createController(apiServer, loop),
    createController(controllerManager, loop),
  ];
}

interface ComponentControllerOptions<T extends Component> {
  readonly name: string;
  readonly kind: ComponentKind<T>;
  readonly owns: readonly Informer<KubeObject>[];
  /** What it reads or needs of its control plane, whoever owns it. */
  readonly belongings: readonly Informer<KubeObject>[];
}

/** A component is woken by what it owns, by what else of its control plane it reads, by its pods, and by the control plane. */
function componentController<T extends Component>(
  dependencies: Dependencies,
  { name, kind, owns, belongings }: ComponentControllerOptions<T>,
): ControllerDefinition<T> {
  const { pods, controlPlanes } = dependencies.informers;
  return {
    name,
    for: kind.informer,
    owns,
    watches: [
      ...[pods, ...belongings].map((informer) => ({ informer, map: componentOf })),
      { informer: controlPlanes, map: componentsOf },
    ],
    reconcile: (key, context) => reconcileComponent(dependencies, kind, { key, context }),
  };
}

/** Pods belong to a workload, and CAs to the control plane; the instance label leads from them to the component. */
function componentOf(belonging: KubeObject): readonly ObjectKey[] {
  const { namespace, labels } = belonging.metadata;
  const name = labels?.[instanceLabel];
  return name === undefined || namespace === undefined ? [] : [{ namespace, name }];
}

/** A control plane that appears, or is unpaused, wakes its components, which carry its base name. */
function componentsOf(controlPlane: KubeObject): readonly ObjectKey[] {
  const { namespace, base: name } = identityOf(controlPlane as NestedControlPlane);
  return [{ namespace, name }];
}
