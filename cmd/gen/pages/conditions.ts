import { pageFile, type GeneratedFile } from '../generated-file.ts';
import { code, table } from '../markdown.ts';

/** A reason that a condition can give. */
export interface ConditionReasonRow {
  readonly meaning: string;
  /** What a person can do about it. */
  readonly action: string;
}

/** `conditions.md`: the reasons that conditions give. */
export function conditionsPage(reasons: Readonly<Record<string, ConditionReasonRow>>): GeneratedFile {
  const rows = Object.entries(reasons).map(([reason, { meaning, action }]) => [code(reason), meaning, action]);
  const intro = 'Every `reason` that a condition of our kinds can carry, and what to do about it.';
  const headings = ['Reason', 'Meaning', 'What to do'];
  return pageFile('conditions', 'pkg/controlplane/condition-reasons.ts', [
    '# Conditions',
    intro,
    table(headings, rows),
  ]);
}
