import { nestedAPIServerDefinition, nestedControllerManagerDefinition, nestedEtcdDefinition } from './components.ts';
import type { KindDefinition } from './kind-definition.ts';
import { nestedControlPlaneDefinition } from './nested-control-plane.ts';

/** Every kind of this provider, the one that people write first. A kind that is not here has no CRD and no page. */
export const kindDefinitions: readonly KindDefinition[] = [
  nestedControlPlaneDefinition,
  nestedEtcdDefinition,
  nestedAPIServerDefinition,
  nestedControllerManagerDefinition,
];
