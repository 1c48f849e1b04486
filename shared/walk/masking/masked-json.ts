import {
  type About,
  aboutOf,
  type MaskedKind,
  maskOf,
  scalarKindOf,
  valueKindOf,
} from './masked-names.ts'
import type { MaskedText } from './masked-text.ts'

/** An open object or list at the current position. */
interface Level {
  isObject: boolean
  about: About
  /** All values inside are of this kind. */
  kind: MaskedKind | null
  /** The key of the next value; null while a key is expected. */
  key: string | null
}

const TOP: Level = { isObject: false, about: null, kind: null, key: null }

/** The depth to which JSON inside a JSON string is masked as JSON; MCP tools use one level. */
const MAX_INNER = 3

/**
 * JSON with secret and personal values masked by key and form; the rest is unchanged. It is read
 * token by token and never parsed, so JSON that is truncated, nested 100,000 deep or slightly wrong
 * is masked too. Returns at least the first `limit` characters.
 */
export function maskedJson(json: string, text: MaskedText, limit: number, inner = 0): string {
  const levels: Level[] = [{ ...TOP }]
  let level = levels[0] ?? TOP
  let out = ''
  for (let at = 0; at < json.length && out.length < limit; ) {
    const character = json[at] ?? ''
    if (character === '"') {
      const end = stringEnd(json, at)
      const token = json.slice(at, end)
      if (level.isObject && level.key === null) {
        const key = readString(token)
        out += maskedString(token, text, limit, MAX_INNER)
        level.key = key
      } else {
        out += maskedValue(token, level, text, limit, inner)
      }
      at = end
    } else if (character === '{' || character === '[') {
      level = opened(level, character === '{')
      levels.push(level)
      out += character
      at += 1
    } else if (character === '}' || character === ']') {
      if (levels.length > 1) levels.pop()
      level = levels.at(-1) ?? TOP
      out += character
      at += 1
    } else if (character === ',') {
      if (level.isObject) level.key = null
      out += character
      at += 1
    } else {
      const end = plainEnd(json, at)
      out += maskedPlain(json.slice(at, end), level, text, limit)
      at = end
    }
  }
  return out
}

function opened(around: Level, isObject: boolean): Level {
  const key = around.key ?? ''
  return {
    isObject,
    about: aboutOf(key) ?? around.about,
    kind: kindHere(around),
    // A list has the key that it stands under.
    key: isObject ? null : around.key,
  }
}

/** The kind of the next value, by its key and by the object around it. */
function kindHere({ key, kind, about }: Level): MaskedKind | null {
  // `type` of a credential only names its type.
  if (kind !== null) return key === 'type' ? null : kind
  return key === null ? null : valueKindOf(key, about)
}

const scalarKindHere = (level: Level): MaskedKind | null =>
  kindHere(level) ?? (level.key === null ? null : scalarKindOf(level.key, level.about))

function maskedValue(
  token: string,
  level: Level,
  text: MaskedText,
  limit: number,
  inner: number,
): string {
  if (token === '""') return token
  const kind = scalarKindHere(level)
  return kind === null ? maskedString(token, text, limit, inner) : JSON.stringify(maskOf(kind))
}

/** A string as it was written, unless a part of it is masked. */
function maskedString(token: string, text: MaskedText, limit: number, inner: number): string {
  const value = readString(token)
  // Only a truncated text ends in an unfinished string.
  const isWhole = token.length > 1 && token.endsWith('"')
  const masked =
    inner < MAX_INNER && /^\s*[[{]/.test(value)
      ? maskedJson(value, text, limit, inner + 1)
      : text(value, limit)
  if (masked === value) return token
  const written = JSON.stringify(masked)
  return isWhole ? written : written.slice(0, -1)
}

/** Skips spaces, numbers, words and anything else between strings and brackets. */
function maskedPlain(plain: string, level: Level, text: MaskedText, limit: number): string {
  const word = plain.trim()
  if (word === '' || word === ':') return plain
  const isLiteral = word === 'true' || word === 'false' || word === 'null'
  const kind = isLiteral ? null : scalarKindHere(level)
  const isNumber = /^:?\s*-?\d/.test(word)
  if (kind !== null && isNumber) return quoted(plain, maskOf(kind))
  const masked = text(plain, limit)
  return masked === plain || !isNumber
    ? masked
    : quoted(plain, text(word.replace(/^:\s*/, ''), limit))
}

/** A mask in place of a number, with the colon and the spaces around it. */
const quoted = (plain: string, mask: string): string =>
  plain.slice(0, plain.search(/[^\s:]/)) +
  JSON.stringify(mask) +
  plain.slice(plain.trimEnd().length)

/** The end of the string that begins at `start`: after its quotes, or the end of the text. */
function stringEnd(json: string, start: number): number {
  for (let at = start + 1; at < json.length; at++) {
    const character = json[at]
    if (character === '\\') at += 1
    else if (character === '"') return at + 1
  }
  return json.length
}

function plainEnd(json: string, start: number): number {
  let at = start
  while (at < json.length && !'"{}[],'.includes(json[at] ?? '')) at += 1
  return at
}

/** The value of a string; with wrong escapes, or without an end, its raw text. */
function readString(token: string): string {
  if (token.length > 1 && !token.includes('\\') && token.endsWith('"')) return token.slice(1, -1)
  try {
    return String(JSON.parse(token))
  } catch {
    return token.replace(/^"|"$/g, '')
  }
}
