import { CsvError, parse } from 'csv-parse/sync'
import {
  attributeName,
  describeProduct,
  type FeedState,
  type Followed,
  MAX_RECORD,
  type Rows,
  type TableState,
  vendorOf,
} from './format.ts'

/** Characters in which the header must end; a text without one by then is not a feed. */
const MAX_HEADER = 16_384

/** Columns that are read; the vendors know some hundred. */
const MAX_COLUMNS = 300

/**
 * Lines before the header: Meta's own file explains its columns in the first one, and may name the
 * program that wrote it (https://developers.facebook.com/docs/marketing-api/catalog/guides).
 */
const COMMENTS = /^\uFEFF?(?:"?#[^\r\n]{0,16384}(?:\r\n|\n|\r)){1,20}/

/** Google's feeds are separated by tabs; exports of shop software by the others as well. */
const DELIMITERS = ['\t', ',', ';', '|']

/**
 * Reads tab- or comma-separated values (RFC 4180, with the quoting that shop software gets wrong
 * accepted) under a header that names a vendor's attributes. Gives how many characters are done
 * with: the last row stays until it is whole.
 */
export function readTable(state: FeedState, text: string, followed: Followed, rows: Rows): number {
  let from = 0
  if (state.form?.is !== 'table') {
    const comments = COMMENTS.exec(text)?.[0] ?? ''
    const header = headerOf(text.slice(comments.length), followed === 'end')
    if (header === 'not yet') return 0
    if (header === null) {
      state.done = true
      return 0
    }
    state.form = header
    state.kind = header.delimiter === '\t' ? 'tsv' : 'csv'
    state.vendor = vendorOf(header.columns)
    from = comments.length
    from += /^[^\r\n]*(?:\r\n|\n|\r|$)/.exec(text.slice(from))?.[0].length ?? 0
    state.form.lines += comments.split('\n').length - 1
  }
  // A row that a limit of ours has cut is dropped: its fault would be ours.
  const whole = followed === 'end' ? text.length : lastLineEnd(text)
  if (whole <= from) {
    if (text.length - from > MAX_RECORD) tooLong(state)
    return from
  }
  return from + readRows(state, state.form, text.slice(from, whole), followed, rows)
}

const tooLong = (state: FeedState) => {
  state.problem = `a row is longer than ${MAX_RECORD} characters; a quotation mark or a line end is missing`
  state.done = true
}

const lastLineEnd = (text: string): number =>
  Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) + 1

/** The header of a table of products; null for any other text. */
function headerOf(text: string, isEnd: boolean): TableState | 'not yet' | null {
  const end = text.slice(0, MAX_HEADER).search(/[\r\n]/)
  if (end === -1 && !isEnd) return text.length < MAX_HEADER ? 'not yet' : null
  const header = end === -1 ? text.slice(0, MAX_HEADER) : text.slice(0, end)
  for (const delimiter of DELIMITERS) {
    const columns = header.split(delimiter).slice(0, MAX_COLUMNS).map(attributeName)
    if (describeProduct(columns)) return { is: 'table', delimiter, columns, lines: 1 }
  }
  return null
}

/**
 * Counts the rows of a text that ends with a line. Rows may have more or fewer cells than the
 * header, as exports do. Gives the characters up to the end of the last whole row.
 */
function readRows(
  state: FeedState,
  table: TableState,
  text: string,
  followed: Followed,
  rows: Rows,
): number {
  const bytes = Buffer.from(text)
  let done = 0
  let lines = 0
  const take = (cells: string[], { bytes, lines: read }: { bytes: number; lines: number }) => {
    if (state.done) return null
    done = bytes
    lines = read
    rows.take(cellsOf(table.columns, cells))
    return null
  }
  try {
    parse(bytes, {
      delimiter: table.delimiter,
      record_delimiter: ['\r\n', '\n', '\r'],
      on_record: take,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      max_record_size: MAX_RECORD,
    })
    done = bytes.length
    lines = text.split('\n').length - 1
  } catch (error) {
    // A row may hold line ends within quotes: it is read again with what follows.
    const isOpen = error instanceof CsvError && error.code === 'CSV_QUOTE_NOT_CLOSED'
    if (!isOpen || followed === 'end') {
      state.problem = problemOf(error, table.lines)
      state.done = true
    } else if (bytes.length - done > MAX_RECORD) tooLong(state)
  }
  table.lines += lines
  return bytes.subarray(0, done).toString().length
}

/** The cells of a row by their columns. */
function* cellsOf(
  columns: readonly string[],
  cells: readonly string[],
): Generator<readonly [string, string]> {
  for (const [index, column] of columns.entries()) {
    const cell = cells[index]
    if (cell !== undefined) yield [column, cell]
  }
}

/** What is wrong with the rows, for a person; csv-parse names the line within the text it got. */
function problemOf(error: unknown, before: number): string {
  if (!(error instanceof CsvError)) return 'its rows cannot be separated'
  if (error.code === 'CSV_MAX_RECORD_SIZE') {
    return `a row is longer than ${MAX_RECORD} characters; a quotation mark or a line end is missing`
  }
  return error.message
    .slice(0, 160)
    .replace(/line (\d+)/, (_, line: string) => `line ${Number(line) + before}`)
}
