import type { ResourceType } from '#kube';
import type { Rule, Schema } from './schema.ts';

/** A column of `kubectl get`. `wide` ones are shown with `-o wide` only. */
export interface PrinterColumn {
  readonly name: string;
  readonly path: string;
  readonly description: string;
  readonly type?: 'string' | 'integer' | 'boolean' | 'date';
  readonly wide?: boolean;
}

/** All that makes a CustomResourceDefinition of ours; `crd.ts` renders it. */
export interface KindDefinition {
  readonly type: ResourceType;
  readonly shortNames: readonly string[];
  readonly description: string;
  readonly spec: Schema<unknown>;
  readonly status: Schema<unknown>;
  /** CEL rules at the object's root, where `self.metadata.name` can be read. */
  readonly rules: readonly Rule[];
  /** Whether the `scale` subresource exists (`.spec.replicas`, `.status.replicas`, `.status.selector`). */
  readonly scale: boolean;
  readonly columns: readonly PrinterColumn[];
}
