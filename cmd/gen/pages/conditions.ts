import { pageFile, type GeneratedFile } from '../generated-file.ts';
import { code, table } from '../markdown.ts';

/** A type of condition. */
interface ConditionTypeRow {
  readonly kinds: readonly string[];
  /** What status `True` means. */
  readonly whenTrue: string;
}

/** A reason that a condition can give. */
interface ConditionReasonRow {
  readonly meaning: string;
  /** What a person can do about it. */
  readonly action: string;
}

/** What {@link conditionsPage} lists. */
export interface ConditionTables {
  readonly types: Readonly<Record<string, ConditionTypeRow>>;
  readonly reasons: Readonly<Record<string, ConditionReasonRow>>;
}

/** `conditions.md`: the types of conditions, and the reasons that they give. */
export function conditionsPage({ types, reasons }: ConditionTables): GeneratedFile {
  return pageFile('conditions', 'pkg/controlplane/condition-types.ts and condition-reasons.ts', [
    '# Conditions',
    'What `status.conditions` of our kinds says: `kubectl describe` shows it, `kubectl wait --for=condition=<type>` waits for it.',
    '## Types',
    typeTable(types),
    '## Reasons',
    'Every `reason` that a condition can carry, and what to do about it.',
    reasonTable(reasons),
  ]);
}

function typeTable(types: ConditionTables['types']): string {
  const rows = Object.entries(types).map(([type, { kinds, whenTrue }]) => [code(type), kinds.join(', '), whenTrue]);
  return table(['Type', 'On', 'True means'], rows);
}

function reasonTable(reasons: ConditionTables['reasons']): string {
  const rows = Object.entries(reasons).map(([reason, { meaning, action }]) => [code(reason), meaning, action]);
  return table(['Reason', 'Meaning', 'What to do'], rows);
}
