import { expect, it } from 'vitest';
import { renderTable, type Column } from './render-table.ts';

interface Row {
  readonly name: string;
  readonly port: number;
}

const columns: readonly Column<Row>[] = [
  { heading: 'NAME', value: ({ name }) => name },
  { heading: 'PORT', value: ({ port }) => String(port), wide: true },
  { heading: 'END', value: () => '' },
];

const rows = [
  { name: 'a', port: 1 },
  { name: 'longer', port: 65_535 },
];

it('aligns columns and leaves no spaces at line ends', () => {
  expect(renderTable(columns, rows)).toBe('NAME     END\na\nlonger\n');
});

it('adds wide columns where they stand', () => {
  expect(renderTable(columns, rows, true)).toBe('NAME     PORT    END\na        1\nlonger   65535\n');
});
