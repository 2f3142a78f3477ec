import type { Differences } from './generated-folder.ts';

/** What a run found, for {@link report}. */
export interface Findings {
  readonly differences: Differences;
  /** Whether the run was to check only, and not to write. */
  readonly isCheck: boolean;
  /** What no writing can put right. */
  readonly problems: readonly string[];
}

/** What to print and how to exit: 1 for a problem, and for a difference that was not put right. */
export function report({ differences, isCheck, problems }: Findings): { lines: readonly string[]; exitCode: 0 | 1 } {
  const { missing, different, stray } = differences;
  const found = [
    ...missing.map((path) => `${path} is missing`),
    ...different.map((path) => `${path} differs`),
    ...stray.map((path) => `${path} is stray: no code writes it`),
  ];
  const mustGenerate = isCheck && found.length > 0;
  const shown = isCheck ? found : found.map((line) => `${line}; put right`);
  return {
    lines: [...shown, ...(mustGenerate ? ['run npm run gen'] : []), ...problems],
    exitCode: mustGenerate || problems.length > 0 ? 1 : 0,
  };
}
