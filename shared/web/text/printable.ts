/**
 * What a terminal obeys rather than prints, or prints in another place: control characters (C0, C1
 * and DEL), line and paragraph separators, and what changes the direction of writing
 * (https://www.unicode.org/reports/tr9/#Directional_Formatting_Characters).
 */
const STEERS = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu

/** JSON escapes the C0 controls itself; those that it writes are its own line breaks. */
const STEERS_IN_JSON = /[\u007f-\u009f\p{Zl}\p{Zp}\p{Bidi_Control}]/gu

const hex = (character: string, digits: number) =>
  character.charCodeAt(0).toString(16).padStart(digits, '0')

/** `\x1b` or `\u202e`: nothing of it steers, and doing it twice changes nothing. */
const escapeControls = (text: string): string =>
  text.replace(STEERS, (it) => (it < '\u0100' ? `\\x${hex(it, 2)}` : `\\u${hex(it, 4)}`))

/** JSON of the same value in which no character steers a terminal. */
export const escapeJson = (json: string): string =>
  json.replace(STEERS_IN_JSON, (it) => `\\u${hex(it, 4)}`)

/** What may stand in printable text: a plain value is escaped, printable text goes in as it is. */
type Part = string | number | undefined | Printable

/**
 * Text that may be written to a terminal. Only the functions below make it, so that nothing that a
 * stranger wrote gets there unescaped. A class, because a type alone cannot be told from a string.
 */
export class Printable {
  readonly #text: string

  private constructor(text: string) {
    this.#text = text
  }

  toString(): string {
    return this.#text
  }

  /** Our own words in a template; the values in it are escaped, their line breaks included. */
  static words(words: TemplateStringsArray, ...values: readonly Part[]): Printable {
    const safe = values.map((value) =>
      value instanceof Printable ? value.#text : escapeControls(String(value)),
    )
    return new Printable(words.reduce((text, word, n) => text + safe[n - 1] + word))
  }

  static lines(lines: readonly Part[]): Printable {
    return new Printable(lines.map((line) => Printable.words`${line}`.#text).join('\n'))
  }

  /** The tabs between the columns are ours as well. */
  static table(rows: readonly (readonly Part[])[]): Printable {
    const line = (row: readonly Part[]) => row.map((cell) => Printable.words`${cell}`.#text)
    return new Printable(rows.map((row) => line(row).join('\t')).join('\n'))
  }

  static json(value: unknown): Printable {
    return new Printable(escapeJson(JSON.stringify(value, null, 2)))
  }

  /** `codes` begin and end a style (ECMA-48, SGR): numbers, so that no text can be among them. */
  static styled(codes: readonly (readonly [begin: number, end: number])[], text: Part): Printable {
    const styled = codes.reduce(
      (inner, [begin, end]) => `\u001b[${begin}m${inner}\u001b[${end}m`,
      Printable.words`${text}`.#text,
    )
    return new Printable(styled)
  }
}

/** A template whose values are escaped: `` printable`No key has the id ${id}.` ``. */
export const printable = Printable.words

/** Each line is escaped by itself, the line breaks between them are ours. */
export const printableLines = Printable.lines

/** Each cell is escaped by itself, the tabs and line breaks between them are ours. */
export const printableTable = Printable.table

/** A value as indented JSON. */
export const printableJson = Printable.json

/**
 * The message of an error. Lines after the first are marked, so that text in a message cannot pass
 * for a line of ours, nor for a command to a CI that reads the output.
 */
export function printableError(error: unknown): Printable {
  const [first = '', ...others] = (error instanceof Error ? error.message : String(error)).split(
    '\n',
  )
  return printableLines([first, ...others.map((line) => `  | ${line}`)])
}
