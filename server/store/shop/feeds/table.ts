import { stringify } from 'csv-stringify/sync'

/**
 * Rows as text with tabs, UTF-8, below a line of names; a cell with a tab, a quotation mark or a
 * line break stands in quotation marks. Without a value a cell is empty.
 */
export const tableOf = (
  columns: readonly string[],
  rows: readonly Record<string, string>[],
): string =>
  stringify([...rows], {
    columns: [...columns],
    header: true,
    delimiter: '\t',
    record_delimiter: '\n',
  })

/** Values as JSON Lines: one in each line, which ends with a line feed. */
export const linesOf = (values: readonly unknown[]): string =>
  values.map((value) => `${JSON.stringify(value)}\n`).join('')
