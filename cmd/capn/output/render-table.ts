/** A column of a table: its heading and what a row shows in it. */
export interface Column<Row> {
  readonly heading: string;
  readonly value: (row: Row) => string;
  /** Shown with `-o wide` only; default false. */
  readonly wide?: boolean;
}

/** Aligned text with a heading line, as kubectl prints it. Ends in a line feed. */
export function renderTable<Row>(columns: readonly Column<Row>[], rows: readonly Row[], wide = false): string {
  const shown = columns.filter((column) => wide || column.wide !== true);
  const lines = [shown.map((column) => column.heading), ...rows.map((row) => shown.map((column) => column.value(row)))];
  const widths = shown.map((_, index) => Math.max(...lines.map((line) => line[index]?.length ?? 0)));
  const pad = (cell: string, index: number) => cell.padEnd(widths[index] ?? 0);
  return lines.map((line) => `${line.map(pad).join('   ').trimEnd()}\n`).join('');
}
