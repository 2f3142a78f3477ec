import { LRUCache } from 'lru-cache';
import { uidOf, type KubeObject } from '#kube';

/** Objects remembered; one that is forgotten is only applied once more than needed. */
const largestNumber = 20_000;

interface Mark {
  readonly hash: string;
  readonly generation: number;
}

/**
 * What was applied last to which object, and the generation that came of it. The server writes some values in another
 * way (`1024Mi` as `1Gi`, an empty list as nothing), so an object need not look like what was applied; but as long as
 * its generation is the same, nobody has changed its specification since.
 */
export class AppliedMemory {
  readonly #marks = new LRUCache<string, Mark>({ max: largestNumber });

  /** Notes that `object` is what came of applying something with this hash. */
  remember(object: KubeObject, hash: string): void {
    const { generation } = object.metadata;
    if (generation !== undefined) this.#marks.set(uidOf(object), { hash, generation });
  }

  /** Whether the specification of `object` is still what came of applying something with this hash. */
  holds(object: KubeObject, hash: string): boolean {
    const mark = this.#marks.get(uidOf(object));
    return mark !== undefined && mark.hash === hash && mark.generation === object.metadata.generation;
  }
}
