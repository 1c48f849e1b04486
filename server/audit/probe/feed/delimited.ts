import { CsvError, parse } from 'csv-parse/sync'
import { type FeedRead, type FeedReader, MAX_ITEMS, notAFeed, toItem } from './format.ts'

/** Room for 200 rows of 10,000 characters. */
const MAX_TEXT = 2_000_000

/** Characters of one row; a missing quotation mark turns the rest of a file into one. */
const MAX_RECORD = 100_000

/** Characters in which the header must end; what has none by then is no feed. */
const MAX_HEADER = 16_384

/** Google's feeds are separated by tabs; exports of shop software by the others as well. */
const DELIMITERS = ['\t', ',', ';', '|']

/**
 * Names of OpenAI's product feed
 * (https://developers.openai.com/commerce/specs/file-upload/products) for what Google calls
 * otherwise.
 */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ['item_id', 'id'],
  ['url', 'link'],
  ['image_url', 'image_link'],
])

/**
 * Tab- or comma-separated values (RFC 4180, with the quoting that shop software gets wrong
 * accepted) under a header that names Google's attributes.
 */
export function createDelimitedReader(): FeedReader {
  let text = ''
  let delimiter: string | null = null
  return {
    write(chunk) {
      text += chunk
      delimiter ??= delimiterOf(text)
      return text.length < (delimiter === null ? MAX_HEADER : MAX_TEXT)
    },
    end(cut) {
      delimiter ??= delimiterOf(`${text}\n`)
      if (delimiter === null) return notAFeed()
      // A row that our limit has cut is dropped: its fault would be ours.
      const ours = cut || text.length > MAX_TEXT
      return readRows(ours ? text.slice(0, text.lastIndexOf('\n') + 1) : text, delimiter, ours)
    },
  }
}

/**
 * The delimiter of a header that names products. Null while the header is not complete, and for a
 * header that names none.
 */
function delimiterOf(text: string): string | null {
  const end = text.slice(0, MAX_HEADER).search(/[\r\n]/)
  if (end === -1) return null
  const header = text.slice(0, end)
  const isHeader = (delimiter: string) => {
    const names = header.split(delimiter).map(attributeName)
    return names.includes('id') && ['title', 'link', 'price'].some((name) => names.includes(name))
  }
  return DELIMITERS.find(isHeader) ?? null
}

/** Merchants write `image_link`, `image link`, `Image Link` and `g:image_link`. */
function attributeName(written: string): string {
  const name = written
    .replace(/["\uFEFF]/g, '')
    .trim()
    .toLowerCase()
    .replace(/^g:/, '')
    .replace(/[\s-]+/g, '_')
  return ALIASES.get(name) ?? name
}

/**
 * The items of a complete header and what rows there are. Rows may have more or fewer cells than
 * the header, as exports do.
 */
function readRows(text: string, delimiter: string, cut: boolean): FeedRead {
  const feed: FeedRead = { kind: delimiter === '\t' ? 'tsv' : 'csv', items: [], problem: null }
  let columns: string[] | null = null
  const take = (cells: string[]) => {
    if (columns === null) columns = cells.map(attributeName)
    else feed.items.push(itemOf(columns, cells, feed.items.length + 1))
    return null
  }
  try {
    parse(text, {
      delimiter,
      bom: true,
      on_record: take,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      to: MAX_ITEMS + 1,
      max_record_size: MAX_RECORD,
    })
  } catch (error) {
    // A text that we cut off may end within quotes; that row would not have been read anyway.
    const isOurs = cut && error instanceof CsvError && error.code === 'CSV_QUOTE_NOT_CLOSED'
    if (!isOurs) feed.problem = problemOf(error)
  }
  return feed
}

/** A row as an item; of two columns with one name, the first counts. */
function itemOf(columns: readonly string[], cells: readonly string[], row: number) {
  const values = new Map<string, string>()
  columns.forEach((column, index) => {
    const cell = cells[index]
    if (cell !== undefined && !values.has(column)) values.set(column, cell)
  })
  return toItem(row, (attribute) => values.get(attribute))
}

/** What is wrong with the rows, for a person; csv-parse names the line itself. */
function problemOf(error: unknown): string {
  if (!(error instanceof CsvError)) return 'its rows cannot be separated'
  if (error.code === 'CSV_MAX_RECORD_SIZE') {
    return `a row is longer than ${MAX_RECORD} characters; a quotation mark or a line end is missing`
  }
  return error.message.slice(0, 160)
}
