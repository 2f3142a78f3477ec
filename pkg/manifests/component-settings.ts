import type { NestedEtcdSpec } from '#apis';

/** What people may set for every component alike; all components share the shape. */
export type ComponentSettings = Pick<
  NestedEtcdSpec,
  'image' | 'imageRepository' | 'imagePullSecrets' | 'resources' | 'extraArgs' | 'extraEnv' | 'placement'
>;
