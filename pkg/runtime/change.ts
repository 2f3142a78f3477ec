import type { KubeObject } from '#kube';

/** What happened to an object. `previous` is what was known before an update; a deletion tells the last known state. */
export interface Change<T extends KubeObject> {
  readonly kind: 'added' | 'updated' | 'deleted';
  readonly object: T;
  readonly previous?: T;
}
