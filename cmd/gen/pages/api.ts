import { kindDefinitions, rootSchema, type KindDefinition, type Rule } from '#apis';
import { pageFile, type GeneratedFile } from '../generated-file.ts';
import { code, table } from '../markdown.ts';
import { constraintsOf, schemaRows, type SchemaRow } from '../schema-rows.ts';

/** `api.md`: every field of every kind. */
export function apiPage(): GeneratedFile {
  const contents = kindDefinitions.map(({ type }) => `- [${type.kind}](#${type.kind.toLowerCase()})`).join('\n');
  const intro =
    'Every field of every kind. `[]` stands for any item of a list and `.*` for any key of a map. The API server checks all of it, and fills in the defaults.';
  return pageFile('api', 'pkg/apis', ['# API', intro, contents, ...kindDefinitions.flatMap(kindSection)]);
}

function kindSection(definition: KindDefinition): readonly string[] {
  const { type, shortNames, description, scale } = definition;
  const schema = rootSchema(definition);
  const names = `${code(type.apiVersion)}, ${code(type.plural)}, short ${shortNames.map(code).join(', ')}${scale ? ', can be scaled' : ''}.`;
  const rows = ['spec', 'status'].flatMap((path) => {
    const part = schema.properties?.[path];
    return part === undefined ? [] : schemaRows(part, { path, isRequired: path === 'spec' });
  });
  const rules = [
    ...ruleRows('(the object)', definition.rules),
    ...rows.flatMap((row) => ruleRows(row.path, row.rules)),
  ];
  return [
    `## ${type.kind}`,
    description,
    names,
    fieldTable(rows),
    `### Rules of ${type.kind}`,
    table(['Field', 'Rule', 'What a refusal says'], rules) || 'None.',
  ];
}

function fieldTable(rows: readonly SchemaRow[]): string {
  const cells = rows.map(({ path, type, isRequired, schema }) => [
    code(path),
    isRequired ? `${type}, required` : type,
    schema.default === undefined ? '' : code(JSON.stringify(schema.default)),
    constraintsOf(schema).join('; '),
    schema.description ?? '',
  ]);
  return table(['Field', 'Type', 'Default', 'Allowed', 'Description'], cells);
}

function ruleRows(path: string, rules: readonly Rule[]): readonly (readonly string[])[] {
  return rules.map(({ rule, message }) => [path === '(the object)' ? path : code(path), code(rule), message]);
}
