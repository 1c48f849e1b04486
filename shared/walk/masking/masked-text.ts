import { type MaskedKind, maskOf, queryKindOf } from './masked-names.ts'

/**
 * Masks a text and returns at least its first `limit` characters, or all of it. The rest need not
 * be read.
 */
export type MaskedText = (text: string, limit: number) => string

/** A form in which a secret may be written in other texts. */
interface SecretForm {
  text: string
  /** Neighbouring characters that may hold some bits of it. */
  margin: number
}

/** The longest first. */
export type SecretForms = readonly SecretForm[]

/** The length of the longest form: a truncated text may end within one. */
export const longestForm = (forms: SecretForms): number => forms[0]?.text.length ?? 0

/** The masked part of a text, and the kind that the mask shows. */
interface Mask {
  start: number
  end: number
  kind: MaskedKind
}

/** Longer than any match below, so that no match is missed at the end of the text. */
const MARGIN = 8_192

/** The text without secrets and personal data, as far as their form shows them. */
export function maskedTextOf(text: string, forms: SecretForms, limit: number): string {
  const margin = Math.max(MARGIN, longestForm(forms))
  const read = text.length > limit + margin ? text.slice(0, limit + margin) : text
  const masks = [...formMasks(read, forms), ...PATTERNS.flatMap((masksIn) => masksIn(read))]
  return replaced(read, masks, read.length < text.length ? limit : read.length)
}

/** The text without the secrets, otherwise unchanged. */
export const withoutForms = (text: string, forms: SecretForms): string =>
  replaced(text, formMasks(text, forms), text.length)

/** `end` is where the text is cut, after masking. Masks may overlap. */
function replaced(text: string, masks: Mask[], end: number): string {
  if (masks.length === 0) return text.slice(0, end)
  masks.sort((one, other) => one.start - other.start || other.end - one.end)
  let out = ''
  let at = 0
  for (const mask of masks) {
    if (mask.start >= end) break
    if (mask.start >= at) out += text.slice(at, mask.start) + maskOf(mask.kind)
    at = Math.max(at, mask.end)
  }
  return at >= end ? out : out + text.slice(at, end)
}

/**
 * The forms of secrets in URLs, JSON, HTML and base64 (the part that does not depend on
 * neighbours). Longest first.
 */
export function secretForms(secrets: readonly string[]): SecretForms {
  const margin = new Map<string, number>()
  for (const secret of secrets) {
    if (secret === '') continue
    const encoded = encodeURIComponent(secret.toWellFormed())
    const json = JSON.stringify(secret).slice(1, -1)
    const bytes = bytesOf(encoded)
    for (const core of [0, 1, 2].flatMap((before) => base64Core(bytes, before))) {
      margin.set(core, BASE64_MARGIN)
    }
    for (const text of [
      secret,
      encoded,
      encoded.replace(/%../g, (escaped) => escaped.toLowerCase()),
      encoded.replaceAll('%20', '+'),
      json,
      json.replaceAll('/', '\\/'),
      // JSON in JSON, as in answers of MCP tools.
      JSON.stringify(json).slice(1, -1),
      secret.replace(/[&<>"']/g, (character) => HTML_ESCAPES[character] ?? character),
    ]) {
      margin.set(text, 0)
    }
  }
  return [...margin]
    .map(([text, count]) => ({ text, margin: count }))
    .sort((one, other) => other.text.length - one.text.length)
}

const HTML_ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** The UTF-8 bytes of a percent-encoded text. */
const bytesOf = (encoded: string): number[] =>
  [...encoded.matchAll(/%([0-9A-F]{2})|[^%]/g)].map(([character, hex]) =>
    hex === undefined ? character.charCodeAt(0) : Number.parseInt(hex, 16),
  )

/** Up to three characters begin with the bytes before, and up to four end with those after. */
const BASE64_MARGIN = 4

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/**
 * The base64 of bytes that begin `before` bytes after a multiple of three, without the characters
 * that depend on their neighbours, in both alphabets. None if what is left could match by chance.
 */
function base64Core(bytes: readonly number[], before: number): string[] {
  const padded = [...new Array<number>(before).fill(0), ...bytes]
  const characters: string[] = []
  for (let at = 0; at + 2 < padded.length; at += 3) {
    const [one = 0, two = 0, three = 0] = padded.slice(at, at + 3)
    const bits = (one << 16) | (two << 8) | three
    for (const shift of [18, 12, 6, 0]) characters.push(BASE64[(bits >> shift) & 63] ?? '')
  }
  const core = characters.slice(before === 0 ? 0 : before + 1).join('')
  if (core.length < 6) return []
  return [core, core.replaceAll('+', '-').replaceAll('/', '_')]
}

function formMasks(text: string, forms: SecretForms): Mask[] {
  return forms.flatMap((form) => {
    const masks: Mask[] = []
    const { length } = form.text
    for (let at = text.indexOf(form.text); at >= 0; at = text.indexOf(form.text, at + length)) {
      let [start, end] = [at, at + length]
      while (at - start < form.margin && isBase64(text[start - 1])) start -= 1
      while (end - at - length < form.margin && isBase64(text[end])) end += 1
      masks.push({ start, end, kind: 'secret' })
    }
    return masks
  })
}

const isBase64 = (character: string | undefined): boolean =>
  character !== undefined && /[\w+/=-]/.test(character)

/** All matches, each with the part that is masked. Patterns are bounded, so no text is slow. */
const matcher =
  (
    pattern: RegExp,
    maskOfMatch: (match: RegExpMatchArray) => Mask | null,
    /** Most texts have none of these signs and are not searched. */
    marks?: readonly string[],
  ) =>
  (text: string): Mask[] =>
    marks?.some((mark) => text.includes(mark)) === false || text.search(pattern) < 0
      ? []
      : [...text.matchAll(pattern)].flatMap((match) => maskOfMatch(match) ?? [])

/** Masks the last `length` characters of a match, or all of it. */
function endOf(match: RegExpMatchArray, kind: MaskedKind, length = match[0].length): Mask {
  const end = (match.index ?? 0) + match[0].length
  return { start: end - length, end, kind }
}

const UUID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/gi
const UUID_LENGTH = 36

/** One in a few thousand random UUIDs has digits in a row that pass for a card number. */
function isInUuid({ 0: digits, index = 0, input = '' }: RegExpMatchArray): boolean {
  const start = Math.max(0, index - UUID_LENGTH)
  const around = input.slice(start, index + digits.length + UUID_LENGTH)
  return [...around.matchAll(UUID)].some((uuid) => {
    const at = start + uuid.index
    return at <= index && index + digits.length <= at + UUID_LENGTH
  })
}

const PATTERNS: readonly ((text: string) => Mask[])[] = [
  // Card numbers: 13 to 19 digits, in groups or not. ISO/IEC 7812-1 gives the first digits 0, 1, 7
  // and 9 to others, and times in milliseconds begin with 1.
  matcher(/(?<!\d)[2-68](?:[ -]?\d){12,18}(?![ -]?\d)/g, (match) =>
    isLuhn(match[0]) && !isInUuid(match) ? endOf(match, 'card') : null,
  ),
  matcher(
    /[\w.+-]{1,64}(?:@|%40)[a-z\d-]{1,63}(?:\.[a-z\d-]{1,63}){0,4}\.[a-z]{2,24}(?![\w-])/gi,
    (match) => endOf(match, 'email'),
    ['@', '%40'],
  ),
  // Credentials of Authorization in other texts. "Bearer authentication" does not count.
  matcher(/\b(?:bearer|basic|dpop) {1,4}([\w.~+/=-]{8,4096})/gi, (match) => {
    const value = match[1] ?? ''
    return value.length >= 32 || /\d/.test(value)
      ? endOf(match, 'authorization', value.length)
      : null
  }),
  // JSON Web Tokens (RFC 7519, 3.1), with or without a signature, also after a short prefix. Only
  // from the beginning of a word: `eyJ-eyJ-…` would otherwise be read again from every `eyJ`.
  matcher(
    /(?<![\w-])(?:[\w-]{0,63}?-)?(eyJ[\w-]{8,4096}\.[\w-]{8,4096}(?:\.[\w-]{0,1024})?)/g,
    (match) => endOf(match, 'token', match[1]?.length),
    ['eyJ'],
  ),
  // Prefixes that services give their secrets, so that they can be found in logs.
  matcher(
    /\b(?:[sr]k_(?:live|test)_|whsec_|aisle_live_|shp(?:at|ca|pa|ss)_|gh[opsu]_|xox[abp]-)[\w-]{8,512}/g,
    (match) => endOf(match, 'secret'),
  ),
  // The password of a URL.
  matcher(
    /\/\/[^\s/?#@:]{0,256}:([^\s/?#@]{1,256})@/g,
    (match) => ({
      ...endOf(match, 'secret', (match[1] ?? '').length + 1),
      end: (match.index ?? 0) + match[0].length - 1,
    }),
    ['@'],
  ),
  // Parameters of queries and forms.
  matcher(
    /(?<![\w%.[\]-])([\w%.[\]-]{1,64})=([^\s&"'<>;,#\\]{1,4096})/g,
    (match) => {
      const [, name = '', value = ''] = match
      const kind = queryKindOf(decoded(name))
      return kind && endOf(match, kind, value.length)
    },
    ['='],
  ),
  // `token: "abc"` in text that resembles JSON; without quotes, if it does not read as a word.
  matcher(
    /(?<![\w-])([\w-]{1,64})["']?[ \t]{0,4}:[ \t]{0,4}(?:"([^"\n]{1,4096})|'([^'\n]{1,4096})|([\w.~+/=-]{8,4096}))/g,
    (match) => {
      const [, name = '', double, single, bare = ''] = match
      const kind = queryKindOf(name)
      const value = double ?? single ?? bare
      if (kind === null || name === 'key' || (value === bare && !/\d/.test(bare))) return null
      return endOf(match, kind, value.length)
    },
    [':'],
  ),
]

/** The Luhn check (https://en.wikipedia.org/wiki/Luhn_algorithm) over the digits of a text. */
function isLuhn(text: string): boolean {
  const digits = text.replace(/\D/g, '')
  let sum = 0
  for (let at = 0; at < digits.length; at++) {
    const digit = Number(digits[digits.length - 1 - at])
    const doubled = at % 2 === 1 ? digit * 2 : digit
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}
