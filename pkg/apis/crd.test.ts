import { describe, expect, it } from 'vitest';
import { kindDefinitions, renderCustomResourceDefinition, rootSchema, type JsonSchema } from './index.ts';

interface Node {
  readonly path: string;
  readonly schema: JsonSchema;
}

function nodes(schema: JsonSchema, path = ''): readonly Node[] {
  const fields = Object.entries(schema.properties ?? {}).flatMap(([name, field]) => nodes(field, `${path}.${name}`));
  const items = schema.items === undefined ? [] : nodes(schema.items, `${path}[]`);
  const values = schema.additionalProperties === undefined ? [] : nodes(schema.additionalProperties, `${path}.*`);
  return [{ path, schema }, ...fields, ...items, ...values];
}

/** Paths of the nodes of which `isWrong` holds; none is what every test here wants. */
function pathsWhere(isWrong: (schema: JsonSchema) => boolean, all: readonly Node[]): readonly string[] {
  return all.filter(({ schema }) => isWrong(schema)).map(({ path }) => path);
}

const kinds = kindDefinitions.map((definition) => ({ kind: definition.type.kind, definition }));

describe.each(kinds)('the schema of $kind', ({ definition }) => {
  const all = nodes(rootSchema(definition));
  const lists = all.filter(({ schema }) => schema.type === 'array');

  it('describes every field (the API server describes metadata itself)', () => {
    const described = all.filter(({ path }) => path !== '.metadata');
    expect(pathsWhere(({ description = '' }) => !/[.)]$/.test(description), described)).toEqual([]);
  });

  it('is structural: a type for every node, never fields beside a map of values', () => {
    const untyped = (schema: JsonSchema) => schema.type === undefined && schema['x-kubernetes-int-or-string'] !== true;
    expect(pathsWhere(untyped, all)).toEqual([]);
    expect(pathsWhere((s) => s.properties !== undefined && s.additionalProperties !== undefined, all)).toEqual([]);
  });

  it('says of every list how it merges, and requires the keys of its items', () => {
    const wrong = ({ items, ...list }: JsonSchema) => {
      const keys = list['x-kubernetes-list-map-keys'] ?? [];
      const isMap = list['x-kubernetes-list-type'] === 'map';
      return (
        list['x-kubernetes-list-type'] === undefined ||
        isMap !== keys.length > 0 ||
        !keys.every((key) => items?.required?.includes(key))
      );
    };
    expect(pathsWhere(wrong, lists)).toEqual([]);
  });

  it('bounds what rules read, so that their cost can be estimated', () => {
    const unbounded = (schema: JsonSchema) => schema.type === 'string' && !isBounded(schema);
    expect(
      pathsWhere(
        unbounded,
        all.filter(({ path }) => path.startsWith('.spec')),
      ),
    ).toEqual([]);
    expect(pathsWhere(({ maxItems }) => maxItems === undefined, lists)).toEqual([]);
  });

  it('gives each rule a message on one line', () => {
    const wrong = (schema: JsonSchema) =>
      (schema['x-kubernetes-validations'] ?? []).some(({ message }) => message === '' || message.includes('\n'));
    expect(pathsWhere(wrong, all)).toEqual([]);
  });

  it('does not require what has a default', () => {
    const wrong = ({ required = [], properties = {} }: JsonSchema) =>
      required.some((name) => properties[name]?.default !== undefined);
    expect(pathsWhere(wrong, all)).toEqual([]);
  });
});

function isBounded(schema: JsonSchema): boolean {
  return schema.maxLength !== undefined || schema.enum !== undefined || schema.format !== undefined;
}

describe.each(kinds)('the CustomResourceDefinition of $kind', ({ kind, definition }) => {
  const crd = renderCustomResourceDefinition(definition);
  const [version] = crd.spec.versions;

  it('has the names that Cluster API derives from the kind', () => {
    expect(crd.metadata.name).toBe(`${kind.toLowerCase()}s.controlplane.cluster.x-k8s.io`);
    expect(crd.spec.names).toMatchObject({ kind, listKind: `${kind}List`, singular: kind.toLowerCase() });
    expect(crd.spec.names.categories).toEqual(['capi', 'capn']);
  });

  it('carries the contract label, which names its version', () => {
    expect(crd.metadata.labels?.['cluster.x-k8s.io/v1beta2']).toBe(version.name);
    expect(version).toMatchObject({ name: 'v1beta1', served: true, storage: true });
  });

  it('has status and scale', () => {
    expect(version.subresources).toEqual({
      status: {},
      scale: {
        specReplicasPath: '.spec.replicas',
        statusReplicasPath: '.status.replicas',
        labelSelectorPath: '.status.selector',
      },
    });
  });

  it('shows wide columns with -o wide only, and ends with the age', () => {
    const wide = definition.columns.filter((column) => column.wide === true).map(({ name }) => name);
    const columns = version.additionalPrinterColumns;
    expect(columns.filter(({ priority }) => priority === 1).map(({ name }) => name)).toEqual(wide);
    expect(columns.at(-1)?.name).toBe('Age');
  });

  it('holds nothing that clusterctl would take for a variable', () => {
    expect(JSON.stringify(crd)).not.toMatch(/\$\{|\$\$/);
  });
});

it('has short names that do not meet', () => {
  const names = kindDefinitions.flatMap(({ shortNames }) => shortNames);
  expect(names).toEqual(['ncp', 'netcd', 'nkas', 'nkcm']);
});
