/** Where a text stops being JSON: `offset` in characters from 0. */
interface JsonFault {
  offset: number
  reason: string
}

/** What may come next in the grammar of RFC 8259. */
type Expected =
  | 'value'
  | 'value_or_end'
  | 'key'
  | 'key_or_end'
  | 'colon'
  | 'comma_or_end'
  | 'nothing'

/** Sticky patterns: each matches only at the current position, so that no text is copied. */
const WHITESPACE = /[ \t\n\r]*/y

/** RFC 8259, 6: no leading zero, no plus sign, digits on both sides of the point. */
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y

/** For literals, and for what people write instead, such as `undefined`. */
const WORD = /[A-Za-z_$][\w$]*/y

/** From the space up, without the quote and the backslash. */
const PLAIN_TEXT = /[ !#-[\]-\uffff]*/y

/** RFC 8259, 7. */
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y

/**
 * The first fault of a text that `JSON.parse` refuses, in words for its author, or null for JSON
 * (RFC 8259). In linear time and without recursion. The engines' own messages differ and often give
 * no position.
 */
export function findJsonFault(text: string): JsonFault | null {
  // A stack of open brackets replaces recursion, which hostile nesting would overflow.
  const open: ('{' | '[')[] = []
  let expected: Expected = 'value'
  let comma = -1
  let at = 0

  const length = (pattern: RegExp): number => {
    pattern.lastIndex = at
    return pattern.exec(text)?.[0].length ?? 0
  }
  const afterValue = (): Expected => (open.length === 0 ? 'nothing' : 'comma_or_end')
  const fault = (reason: string, offset = at): JsonFault => ({ offset, reason })

  for (;;) {
    at += length(WHITESPACE)
    const character = text[at]
    if (character === undefined) {
      return expected === 'nothing' ? null : fault(unfinished(open, expected))
    }
    const isEnd = character === '}' || character === ']'
    if (isEnd && expected !== 'nothing') {
      const opened = open.pop()
      if (opened === undefined) return fault(`unmatched "${character}"`)
      if ((opened === '{') !== (character === '}')) {
        return fault(`"${character}" instead of ${opened === '{' ? '"}"' : '"]"'}`)
      }
      // After a comma, JSON demands another member, so that the comma is the mistake.
      if (expected === 'key' || (expected === 'value' && opened === '[')) {
        return fault('trailing comma', comma)
      }
      if (expected === 'colon' || expected === 'value') return fault('a key without a value')
      at += 1
      expected = afterValue()
    } else if (expected === 'nothing') {
      return fault(foreignText(text, at) ?? `${quoted(text, at)} after the end of the JSON`)
    } else if (expected === 'comma_or_end') {
      if (character !== ',') return fault(foreignText(text, at) ?? 'missing comma')
      comma = at
      at += 1
      expected = open.at(-1) === '{' ? 'key' : 'value'
    } else if (expected === 'colon') {
      if (character !== ':') return fault('missing colon after a key')
      at += 1
      expected = 'value'
    } else if (character === '"') {
      const isKey: boolean = expected === 'key' || expected === 'key_or_end'
      const start = at
      at += 1
      for (;;) {
        at += length(PLAIN_TEXT)
        if (text[at] === '"') break
        if (text[at] === undefined) return fault('an unterminated string', start)
        // What plain text cannot contain is a quote, a backslash or a control character.
        if (text[at] !== '\\') return fault(`${controlName(text[at])} inside a string`)
        const escaped = length(ESCAPE)
        if (escaped === 0) return fault(`${quoted(text, at, 2)} is not a valid JSON escape`)
        at += escaped
      }
      at += 1
      expected = isKey ? 'colon' : afterValue()
    } else if (expected === 'key' || expected === 'key_or_end') {
      return fault(foreignText(text, at) ?? 'a key without double quotes')
    } else if (character === '{' || character === '[') {
      open.push(character)
      expected = character === '{' ? 'key_or_end' : 'value_or_end'
      at += 1
    } else {
      const word = text.slice(at, at + length(WORD))
      const isLiteral = word === 'true' || word === 'false' || word === 'null'
      const size = isLiteral ? word.length : length(NUMBER)
      if (size === 0)
        return fault(foreignText(text, at) ?? `${quoted(text, at)} is not a valid JSON value`)
      at += size
      expected = afterValue()
    }
  }
}

/**
 * Common mistakes: syntax that other languages allow, but JSON does not. Twelve characters suffice
 * to recognise each of them.
 */
function foreignText(text: string, at: number): string | null {
  const rest = text.slice(at, at + 12)
  if (/^&(quot|#34|#x22|#39|apos|amp|lt);/i.test(rest)) {
    return 'HTML-escaped quotes: write plain quotes, a script element does not decode entities'
  }
  if (rest.startsWith('//') || rest.startsWith('/*')) return 'a comment, which JSON does not allow'
  if (rest.startsWith('<!--') || rest.startsWith('-->')) return 'an HTML comment around the JSON'
  if (rest.startsWith('<')) return 'HTML instead of JSON'
  if (rest.startsWith('{{') || rest.startsWith('{%')) return 'a template that was not filled in'
  if (rest.startsWith("'")) return 'single quotes instead of double quotes'
  if (/^[“”„«»]/.test(rest)) return 'typographic quotes instead of straight quotes'
  return null
}

/** Why a text ends too early; it names the closing bracket of the innermost open value. */
function unfinished(open: readonly string[], expected: Expected): string {
  const missing = open.at(-1) === '{' ? '"}"' : '"]"'
  return open.length === 0 && expected === 'value' ? 'empty' : `ends early, ${missing} is missing`
}

/** Control characters cannot be printed, so they are named. */
const controlName = (character: string | undefined): string =>
  character === '\n' || character === '\r'
    ? 'a line break'
    : character === '\t'
      ? 'a tab'
      : 'a control character'

/** The character at an offset, or a few, as a message shows them. */
const quoted = (text: string, at: number, size = 1): string =>
  JSON.stringify(
    size === 1 ? String.fromCodePoint(text.codePointAt(at) ?? 0) : text.slice(at, at + size),
  )

/**
 * Line and column of an offset in characters, both from 1, as editors count; CRLF is one line
 * break.
 */
export function positionIn(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset).split(/\r\n|\r|\n/)
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }
}
