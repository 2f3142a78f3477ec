import { kindDefinitions, ownedArguments, type JsonSchema } from '#apis';
import { conditionReasons, conditionTypes } from '#controlplane';
import { errorCodes } from '#kube';
import { metricTable } from '#observe';
import { describe, expect, it } from 'vitest';
import { code, table } from './markdown.ts';
import { apiPage } from './pages/api.ts';
import { conditionsPage } from './pages/conditions.ts';
import { argumentsPage, errorsPage, metricsPage } from './pages/tables.ts';
import { constraintsOf, schemaRows, typeName } from './schema-rows.ts';

describe('table', () => {
  it('keeps a bar and a line break inside a cell', () => {
    expect(table(['A'], [['x|y\nz']])).toBe('| A |\n| --- |\n| x\\|y z |');
  });

  it('is empty without rows', () => {
    expect(table(['A'], [])).toBe('');
  });

  it('quotes text that holds a backtick', () => {
    expect(code('a`b')).toBe('`` a`b ``');
  });
});

describe('schemaRows', () => {
  const schema: JsonSchema = {
    type: 'object',
    required: ['list'],
    properties: {
      list: { type: 'array', items: { type: 'object', properties: { name: { type: 'string' } } } },
      labels: { type: 'object', additionalProperties: { type: 'string', maxLength: 63 } },
    },
  };

  it('names every field by its path, parents first', () => {
    const paths = schemaRows(schema, { path: 'spec', isRequired: true }).map(({ path }) => path);
    expect(paths).toEqual(['spec', 'spec.list', 'spec.list[].name', 'spec.labels', 'spec.labels.*']);
  });

  it('says types and limits in words', () => {
    const labels = schema.properties?.['labels'] ?? {};
    expect(typeName(labels)).toBe('map of string');
    expect(constraintsOf(labels.additionalProperties ?? {})).toEqual(['at most 63 characters']);
    expect(constraintsOf({ enum: ['a', 'b'], minimum: 1, maximum: 7 })).toEqual(['one of `a`, `b`', '1 to 7']);
  });
});

it('documents every field that the schemas have', () => {
  const { text } = apiPage();
  for (const { type, spec, status } of kindDefinitions) {
    expect(text).toContain(`## ${type.kind}\n`);
    for (const [path, part] of [['spec', spec.json] as const, ['status', status.json] as const]) {
      for (const row of schemaRows(part, { path, isRequired: true })) expect(text).toContain(`| \`${row.path}\` |`);
    }
  }
});

it('documents every error code, metric and owned argument', () => {
  for (const name of Object.keys(errorCodes)) expect(errorsPage().text).toContain(`\`${name}\``);
  for (const { name } of Object.values(metricTable)) expect(metricsPage().text).toContain(`\`${name}\``);
  for (const name of Object.values(ownedArguments).flatMap((groups) => Object.values(groups).flat())) {
    expect(argumentsPage().text).toContain(`\`--${name}\``);
  }
});

it('documents every type and every reason of a condition', () => {
  const { text } = conditionsPage({ types: conditionTypes, reasons: conditionReasons });
  for (const name of [...Object.keys(conditionTypes), ...Object.keys(conditionReasons)]) {
    expect(text).toContain(`| \`${name}\` |`);
  }
});
