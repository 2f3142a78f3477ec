import type { JsonSchema, Rule } from '#apis';
import { code } from './markdown.ts';

/** One field of a schema, for a table. */
export interface SchemaRow {
  /** Path from the object's root: `spec.etcd.extraArgs[].name`. */
  readonly path: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly schema: JsonSchema;
  readonly rules: readonly Rule[];
}

interface At {
  readonly path: string;
  readonly isRequired: boolean;
}

/** Every field of a schema, parents before their fields, in the order in which they are declared. */
export function schemaRows(schema: JsonSchema, at: At): readonly SchemaRow[] {
  const rules = schema['x-kubernetes-validations'] ?? [];
  const row = { ...at, type: typeName(schema), schema, rules };
  return [row, ...childRows(schema, at.path)];
}

function childRows(schema: JsonSchema, path: string): readonly SchemaRow[] {
  const required = new Set(schema.required ?? []);
  const fields = Object.entries(schema.properties ?? {}).flatMap(([name, field]) =>
    schemaRows(field, { path: `${path}.${name}`, isRequired: required.has(name) }),
  );
  return [
    ...fields,
    ...elementRows(schema.items, `${path}[]`),
    ...elementRows(schema.additionalProperties, `${path}.*`),
  ];
}

/** An element gets a row only for what its list does not say already. */
function elementRows(element: JsonSchema | undefined, path: string): readonly SchemaRow[] {
  if (element === undefined) return [];
  const rows = schemaRows(element, { path, isRequired: false });
  return element.properties === undefined ? rows : rows.filter((row) => row.path !== path || row.rules.length > 0);
}

/** `string`, `integer`, `list of string`, `map of quantity`, …: the type as people say it. */
export function typeName(schema: JsonSchema): string {
  if (schema['x-kubernetes-int-or-string'] === true) return 'quantity';
  if (schema.items !== undefined) return `list of ${typeName(schema.items)}`;
  if (schema.additionalProperties !== undefined) return `map of ${typeName(schema.additionalProperties)}`;
  if (schema.format === 'date-time') return 'time';
  return schema.type ?? 'any';
}

/** `1 to 63 characters`, `at most 7`; nothing without bounds. */
function range(least: number | undefined, most: number | undefined, unit = ''): readonly string[] {
  if (least !== undefined && most !== undefined) return [`${least} to ${most}${unit}`];
  if (most !== undefined) return [`at most ${most}${unit}`];
  return least === undefined ? [] : [`at least ${least}${unit}`];
}

/** What values are allowed, apart from rules: enumeration, pattern, bounds. */
export function constraintsOf(schema: JsonSchema): readonly string[] {
  const keys = schema['x-kubernetes-list-map-keys'];
  return [
    ...(schema.enum === undefined ? [] : [`one of ${schema.enum.map(code).join(', ')}`]),
    ...(schema.pattern === undefined ? [] : [`pattern ${code(schema.pattern)}`]),
    ...range(schema.minimum, schema.maximum),
    ...range(schema.minLength, schema.maxLength, ' characters'),
    ...range(schema.minItems, schema.maxItems, ' items'),
    ...range(schema.minProperties, schema.maxProperties, ' entries'),
    ...(keys === undefined ? [] : [`unique by ${keys.map(code).join(', ')}`]),
  ];
}
