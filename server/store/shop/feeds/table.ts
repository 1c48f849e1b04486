import { stringify } from 'csv-stringify/sync'

/**
 * Rows as tab-separated UTF-8 text, below a line of names. A cell with a tab, a quotation mark or a
 * line break is quoted; one without a value is empty.
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
