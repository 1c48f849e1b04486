import { mapTexts, storableText } from '../../web/json/json.ts'
import type { Exchange } from '../transcript.ts'
import { maskedJson } from './masked-json.ts'
import { headerKindOf, maskOf } from './masked-names.ts'
import {
  longestForm,
  type MaskedText,
  maskedTextOf,
  type SecretForms,
  secretForms,
  withoutForms,
} from './masked-text.ts'

/** A request and its answer as they were sent; header names in lower case. */
export interface RawExchange {
  request: {
    method: string
    url: string
    headers: Readonly<Record<string, string>>
    /** Null without a body. */
    body: string | null
  }
  /** Null without an answer. The `Answer` of a fetch fits. */
  answer: {
    status: number
    headers: Readonly<Record<string, string>>
    body: string
    /** The body was longer than what was read. */
    truncated: boolean
  } | null
  failure: string | null
  ms: number
  /** ISO 8601. */
  at: string
}

/** Characters of a body that a transcript keeps. */
export const MAX_MASKED_BODY = 65_536

const MAX_HEADER = 8_192

/**
 * An exchange as a transcript keeps it: without secrets and personal data. `secrets` are masked at
 * every place, also encoded; other values are recognised by name or form. Takes any text in linear
 * time, and never throws. Unspecified: of an object about a person or an address, a transcript only
 * shows what shipping and taxes depend on, such as city, postal code and country, and what says how
 * it is used. Everything else is shown unless its name or form is that of a secret: a field that no
 * dialect knows is often the reason for a gap.
 */
export function maskedExchange(raw: RawExchange, secrets: readonly string[]): Exchange {
  const forms = secretForms(secrets)
  const text: MaskedText = (part, limit) => maskedTextOf(part, forms, limit)
  const { method, url, headers, body } = raw.request
  return {
    request: {
      method,
      url: text(url, MAX_HEADER),
      headers: maskedHeaders(headers, text),
      body: body === null ? null : maskedBody(body, forms).body,
      bytes: utf8Length(body ?? ''),
    },
    answer: raw.answer && {
      status: raw.answer.status,
      headers: maskedHeaders(raw.answer.headers, text),
      ...maskedBody(raw.answer.body, forms, raw.answer.truncated),
      bytes: utf8Length(raw.answer.body),
    },
    failure: raw.failure === null ? null : text(raw.failure, MAX_HEADER),
    ms: raw.ms,
    at: raw.at,
  }
}

/** The same value without secrets, ready to be stored. */
export type Withhold = <Value>(value: Value) => Value

/**
 * Masks these secrets in each string of plain JSON, names of fields included, in every form in
 * which `maskedExchange` masks them: for conclusions that quote an answer. Strings become storable
 * in Postgres.
 */
export function withholder(secrets: readonly string[]): Withhold {
  // The secret in `Bearer x` is x; a shorter one would match inside words.
  const bare = secrets.map((secret) => secret.split(' ').at(-1) ?? '')
  const forms = secretForms([...secrets, ...bare.filter(({ length }) => length >= 4)])
  return (value) => mapTexts(value, (text) => storableText(withoutForms(text, forms)))
}

/** Schemes of Authorization that are shown next to the mask. */
const SCHEME = /^(bearer|basic|dpop|digest|token|apikey|signature) +\S/i

function maskedHeaders(
  headers: Readonly<Record<string, string>>,
  text: MaskedText,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      text(name, MAX_HEADER),
      maskedHeader(name, value, text),
    ]),
  )
}

function maskedHeader(name: string, value: string, text: MaskedText): string {
  const kind = value === '' ? null : headerKindOf(name)
  if (kind === null) return text(value, MAX_HEADER)
  const [, scheme] = (kind === 'authorization' && SCHEME.exec(value)) || []
  return scheme === undefined ? maskOf(kind) : `${scheme} ${maskOf(kind)}`
}

function maskedBody(
  body: string,
  forms: SecretForms,
  truncated = false,
): { body: string; cut: boolean } {
  const text: MaskedText = (part, limit) => maskedTextOf(part, forms, limit)
  // A byte order mark is not part of the JSON after it. A bare number is JSON too.
  const isJson = /^\uFEFF?\s*(?:[[{"]|-?\d[\d.eE+-]*\s*$)/.test(body)
  // In something that only resembles JSON, a secret with brackets would be two tokens.
  const masked = isJson
    ? withoutForms(maskedJson(body, text, MAX_MASKED_BODY + longestForm(forms) + 1), forms)
    : text(body, MAX_MASKED_BODY + 1)
  if (masked.length <= MAX_MASKED_BODY) return { body: masked, cut: truncated }
  return { body: wholeCharacters(masked.slice(0, MAX_MASKED_BODY)), cut: true }
}

/** Without an unpaired surrogate at the end, left by a cut. */
const wholeCharacters = (text: string): string =>
  /[\ud800-\udbff]$/.test(text) ? text.slice(0, -1) : text

/** The length of a text in bytes of UTF-8; an unpaired surrogate is sent as U+FFFD, three bytes. */
function utf8Length(text: string): number {
  let bytes = text.length
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code < 0x80) continue
    if (code < 0x800) bytes += 1
    // A pair is four bytes for two code units.
    else if (isPair(code, text.charCodeAt(at + 1))) {
      bytes += 2
      at += 1
    } else bytes += 2
  }
  return bytes
}

const isPair = (first: number, second: number): boolean =>
  first >= 0xd800 && first < 0xdc00 && second >= 0xdc00 && second < 0xe000
