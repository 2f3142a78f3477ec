import { stringify } from 'yaml';

/** How results are printed. `table` and `wide` are for people, the others for programs. */
export const outputFormats = ['table', 'wide', 'json', 'yaml'] as const;
export type OutputFormat = (typeof outputFormats)[number];

/** `data` as JSON or YAML, without `managedFields` (nobody reads them); `undefined` for the formats for people. */
export function renderData(data: unknown, format: OutputFormat): string | undefined {
  if (format === 'table' || format === 'wide') return undefined;
  const text = JSON.stringify(data, withoutManagedFields, 2);
  return format === 'json' ? `${text}\n` : stringify(JSON.parse(text), { lineWidth: 0 });
}

function withoutManagedFields(key: string, value: unknown): unknown {
  return key === 'managedFields' ? undefined : value;
}
