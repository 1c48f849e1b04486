import { escapeJson, printable } from '../../web/text/printable.ts'
import { nameOfIntent } from '../intents.ts'
import { MASK, MASKED_KINDS, type MaskedKind } from '../masking/masked-names.ts'
import type { Exchange, Transcript, WalkStep } from '../transcript.ts'

/**
 * A walk as a POSIX shell script: one curl line for each request, to be run by itself. Masked
 * values are read from variables, which the first lines name.
 */
export function transcriptCurl(transcript: Transcript): string {
  const lines = transcript.routes.flatMap(({ label, endpoint, browsing, purchases }) => [
    '',
    comment(`${label}, ${endpoint}`),
    ...partLines('The catalog', browsing),
    ...purchases.flatMap(({ intent, steps }) => partLines(nameOfIntent(intent), steps)),
  ])
  return [
    '#!/bin/sh',
    comment(`The requests of a walk of ${transcript.domain}, ${transcript.started_at}.`),
    '# Run single lines: they open checkouts. The ids in them are of checkouts that have ended, and',
    '# a store may answer a repeated idempotency key as it did before.',
    ...variableLines(lines),
    ...lines,
    '',
  ].join('\n')
}

/** Always one line, so that nothing can break out of it. */
const comment = (text: string): string => String(printable`# ${text}`)

function partLines(title: string, steps: readonly WalkStep[]): string[] {
  if (steps.every(({ exchanges }) => exchanges.length === 0)) return []
  return [
    '',
    comment(title),
    ...steps.flatMap((step) => [
      ...(step.exchanges.length === 0 ? [] : [comment(`${step.n}. ${step.title}`)]),
      ...step.exchanges.map(curlLine),
    ]),
  ]
}

/** Headers that curl sets itself, from the connection or the body. */
const BY_CURL: ReadonlySet<string> = new Set([
  'accept-encoding',
  'connection',
  'content-length',
  'host',
  'transfer-encoding',
])

const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/

/** Only web addresses: curl would read files, too. */
function curlLine({ request: { method, url, headers, body } }: Exchange): string {
  if (!/^https?:\/\//i.test(url) || !/^[A-Z]+$/.test(method)) {
    return comment(`${method} ${url} is not a request of HTTP.`)
  }
  return [
    'curl -sS -i -g',
    ...(method === 'GET' ? [] : [`-X ${method}`]),
    quoted(url),
    ...Object.entries(headers)
      .filter(([name]) => TOKEN.test(name) && !BY_CURL.has(name.toLowerCase()))
      // A header without a value is written with a semicolon: with a colon curl would drop it.
      .map(([name, value]) => `-H ${quoted(value === '' ? `${name};` : `${name}: ${value}`)}`),
    ...(body === null ? [] : [`--data-raw ${quoted(body)}`]),
  ].join(' ')
}

const variableOf = (kind: MaskedKind): string => `AISLE_${kind.toUpperCase()}`

/** A shell word with exactly this value, on one line; masks are variables in it. */
function quoted(text: string): string {
  // A line break in JSON becomes a space, as does one in a header, which cannot have any.
  const line = escapeJson(text.replace(/\p{Cc}+/gu, ' '))
  const parts = line.replaceAll("'", `'\\''`).replace(MASK, (_, kind: MaskedKind) => {
    return `'"$${variableOf(kind)}"'`
  })
  return `'${parts}'`.replace(/^''(?=")/, '').replace(/(?<=")''$/, '')
}

const MEANT: Record<MaskedKind, string> = {
  authorization: 'what the store wants of agents after the scheme of Authorization',
  cookie: 'cookies',
  signature: 'a signature of the request',
  key: 'an API key',
  token: 'a token of your test PSP',
  secret: 'a secret of this walk: the token of your test PSP, or the key of the agent',
  card: 'the number of a test card',
  email: "the buyer's e-mail address",
  phone: "the buyer's phone number",
  name: "a part of the buyer's name",
  street: "a line of the buyer's address",
  birth: "the buyer's date of birth",
  address: "the buyer's address",
  personal: 'what else the buyer or the address has',
}

function variableLines(lines: readonly string[]): string[] {
  const script = lines.join('\n')
  const used = MASKED_KINDS.filter((kind) => script.includes(`"$${variableOf(kind)}"`))
  if (used.length === 0) return []
  return [
    '# Set these first, without quotes and backslashes in them:',
    ...used.map((kind) => `# export ${variableOf(kind)}='…'  # ${MEANT[kind]}`),
  ]
}
