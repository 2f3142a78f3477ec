import { groupOf, type KubeObject } from '#kube';
import type { KindDefinition, PrinterColumn } from './kind-definition.ts';
import { contractLabel, providerLabel, providerLabelValue } from './labels.ts';
import type { JsonSchema } from './schema.ts';

/** A column as `apiextensions.k8s.io/v1` writes it; priority 1 is shown with `-o wide` only. */
interface AdditionalPrinterColumn {
  readonly name: string;
  readonly type: string;
  readonly description: string;
  readonly jsonPath: string;
  readonly priority?: 1;
}

/** One version of a CustomResourceDefinition, as far as this project uses it. */
export interface CustomResourceVersion {
  readonly name: string;
  readonly served: true;
  readonly storage: true;
  readonly additionalPrinterColumns: readonly AdditionalPrinterColumn[];
  readonly subresources: {
    readonly status: Readonly<Record<string, never>>;
    readonly scale?: {
      readonly specReplicasPath: string;
      readonly statusReplicasPath: string;
      readonly labelSelectorPath: string;
    };
  };
  readonly schema: { readonly openAPIV3Schema: JsonSchema };
}

/** What {@link renderCustomResourceDefinition} makes. */
export interface RenderedCustomResourceDefinition extends KubeObject {
  readonly spec: {
    readonly group: string;
    readonly scope: 'Namespaced' | 'Cluster';
    readonly names: {
      readonly kind: string;
      readonly listKind: string;
      readonly plural: string;
      readonly singular: string;
      readonly shortNames: readonly string[];
      readonly categories: readonly string[];
    };
    readonly versions: readonly [CustomResourceVersion];
  };
}

/** `kubectl get capi` lists what belongs to Cluster API, `kubectl get capn` what belongs to this provider. */
const categories = ['capi', 'capn'];

const scale = {
  specReplicasPath: '.spec.replicas',
  statusReplicasPath: '.status.replicas',
  labelSelectorPath: '.status.selector',
};

/** The CustomResourceDefinition's name, which is also the name of its file in `crds/` without `.yaml`. */
export function customResourceDefinitionName({ type }: KindDefinition): string {
  return `${type.plural}.${groupOf(type)}`;
}

/**
 * The CustomResourceDefinition of a kind: one version, served and stored, with a structural schema.
 *
 * It carries the contract label of Cluster API v1beta2 (control plane contract, "CRD: labels"), which names the version to
 * talk to, and the label that clusterctl gives to a provider's objects.
 */
export function renderCustomResourceDefinition(definition: KindDefinition): RenderedCustomResourceDefinition {
  const { type, shortNames } = definition;
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {
      name: customResourceDefinitionName(definition),
      labels: { [providerLabel]: providerLabelValue, [contractLabel]: versionOf(definition) },
    },
    spec: {
      group: groupOf(type),
      scope: type.scope,
      names: {
        kind: type.kind,
        listKind: `${type.kind}List`,
        plural: type.plural,
        singular: type.kind.toLowerCase(),
        shortNames,
        categories,
      },
      versions: [renderVersion(definition)],
    },
  };
}

function versionOf({ type }: KindDefinition): string {
  return type.apiVersion.slice(groupOf(type).length + 1);
}

function renderVersion(definition: KindDefinition): CustomResourceVersion {
  return {
    name: versionOf(definition),
    served: true,
    storage: true,
    additionalPrinterColumns: definition.columns.map(renderColumn),
    subresources: { status: {}, ...(definition.scale ? { scale } : {}) },
    schema: { openAPIV3Schema: rootSchema(definition) },
  };
}

function renderColumn({ name, type = 'string', description, path, wide }: PrinterColumn): AdditionalPrinterColumn {
  return { name, type, description, jsonPath: path, ...(wide === true ? { priority: 1 } : {}) };
}

/** The schema of the whole object, as an API server stores it. */
export function rootSchema({ type, description, spec, status, rules }: KindDefinition): JsonSchema {
  return {
    type: 'object',
    description,
    required: ['spec'],
    properties: {
      apiVersion: { type: 'string', description: `Version of the schema that the object follows: ${type.apiVersion}.` },
      kind: { type: 'string', description: `Kind of the object: ${type.kind}.` },
      // The API server describes metadata itself and refuses a description here; `name` is there for rules to point at.
      metadata: { type: 'object', properties: { name: { type: 'string', description: 'Name of the object.' } } },
      spec: spec.json,
      status: status.json,
    },
    ...(rules.length > 0 ? { 'x-kubernetes-validations': rules } : {}),
  };
}
