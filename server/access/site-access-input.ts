import { isInnerList, parseDictionary } from 'structured-headers'
import * as z from 'zod'

/** Header names of HTTP (RFC 9110, 5.6.2), in lower case once they are read. */
const NAME = /^[!#$%&'*+.^`|~\w-]{1,100}$/

/** Visible ASCII with spaces between: a line break would begin another header. */
const VALUE = /^[\x21-\x7e](?:[\x20-\x7e\t]{0,4094}[\x21-\x7e])?$/

const MOST_HEADERS = 10

/** What each request says itself, or what is between two machines and never passed on. */
const REFUSED: readonly [names: RegExp, why: string][] = [
  [
    /^(?:connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|http2-settings)$/,
    'is for one connection only, and never passed on. Leave it out.',
  ],
  [/^host$/, 'says which site is asked, and each request has its own. Leave it out.'],
  [
    /^(?:content-.*|expect)$/,
    'is about the body of one request, and each has its own. Leave it out.',
  ],
  [
    /^(?:cookie2?|set-cookie2?)$/,
    'is not taken: a cookie belongs to a session. Give the preview password, with which a session is made.',
  ],
  [
    /^(?:user-agent|accept|accept-encoding|ucp-agent|idempotency-key|request-id|range|origin|referer)$/,
    'is set by each request itself. Leave it out.',
  ],
  [
    /^(?:forwarded|x-forwarded-.*|x-real-ip|via|sec-.*|access-control-.*)$/,
    'says where a request comes from, which is not yours to say. Leave it out.',
  ],
]

/** Why a header cannot be given; null if it can. The message never repeats its value. */
function headerProblem(name: string, value: string): string | null {
  const shown = name.slice(0, 60)
  if (!NAME.test(name)) {
    return `"${shown.replace(/[^\x20-\x7e]/g, '?')}" is not the name of a header. Write it as in Signature: …`
  }
  for (const [names, why] of REFUSED) if (names.test(name.toLowerCase())) return `${shown} ${why}`
  if (value === '') return `${shown} has no value. Write it as in ${shown}: …`
  if (!VALUE.test(value)) {
    return `The value of ${shown} has a line break, or characters that a header cannot carry, or more than 4,096. Copy it again, as one line.`
  }
  return null
}

const Password = z.string().min(4, 'A password has at least four characters.').max(200)

/**
 * What an owner gives for a site. Header names become lower case. Unspecified: passwords have at
 * least four characters, because shorter ones could not be masked where a store repeats them.
 */
export const NewSiteAccess = z
  .strictObject({
    headers: z
      .record(z.string(), z.string())
      .optional()
      .describe(
        'Request headers, such as a crawl signature: `Signature`, `Signature-Input`, `Signature-Agent`. At most 10',
      ),
    preview_password: Password.optional().describe(
      'The password of the page that a store shows before it is opened, as Shopify and WooCommerce have it',
    ),
    basic_auth: z
      .strictObject({
        username: z
          .string()
          .min(1)
          .max(200)
          .regex(/^[^:\p{Cc}]*$/u, 'A user name has no colon.')
          .describe('The user name'),
        password: Password.describe('The password'),
      })
      .optional()
      .describe('A user name and a password, by HTTP basic authentication'),
  })
  .superRefine(({ headers = {}, preview_password, basic_auth }, context) => {
    const refuse = (path: string[], message: string) =>
      context.addIssue({ code: 'custom', path, message })
    const names = Object.keys(headers)
    if (names.length === 0 && preview_password === undefined && basic_auth === undefined) {
      refuse(
        [],
        'Give headers, preview_password or basic_auth. To take back what is given, send DELETE.',
      )
    }
    if (names.length > MOST_HEADERS) refuse(['headers'], `Give at most ${MOST_HEADERS} headers.`)
    const seen = new Set<string>()
    for (const [name, value] of Object.entries(headers)) {
      const problem = seen.has(name.toLowerCase())
        ? `${name.slice(0, 60)} is given twice. Give it once.`
        : headerProblem(name, value)
      seen.add(name.toLowerCase())
      if (problem !== null) return refuse(['headers', name.slice(0, 60)], problem)
    }
    if (basic_auth !== undefined && seen.has('authorization')) {
      refuse(
        ['basic_auth'],
        'Give either basic_auth or the header Authorization: both are one header.',
      )
    }
    const problem = signatureProblem(headers)
    if (problem !== null) refuse(['headers', 'Signature-Input'], problem)
  })
export type NewSiteAccess = z.infer<typeof NewSiteAccess>

const headerIn = (headers: Readonly<Record<string, string>>, wanted: string) =>
  Object.entries(headers).find(([name]) => name.toLowerCase() === wanted)?.[1]

/** Why the headers of a signature cannot be one; null where there is none, too. */
function signatureProblem(headers: Readonly<Record<string, string>>): string | null {
  const [signature, input] = ['signature', 'signature-input'].map((name) => headerIn(headers, name))
  if (signature === undefined && input === undefined) {
    return headerIn(headers, 'signature-agent') === undefined
      ? null
      : 'Signature-Agent is part of a signature. Give Signature and Signature-Input as well.'
  }
  if (signature === undefined || input === undefined) {
    return 'A signature is two headers. Give both Signature and Signature-Input, and Signature-Agent if there is one.'
  }
  const labels = labelsOf(input)
  if (labels === null) {
    return 'Signature-Input cannot be read (RFC 9421, 4.1). Copy it again, whole and as one line.'
  }
  return labels.every((label) => new RegExp(`(^|[,\\s])${label}=:`).test(signature))
    ? null
    : 'Signature and Signature-Input are not of one signature: their labels differ. Copy both again.'
}

/** The labels of the signatures in `Signature-Input`; null if it cannot be read. */
function labelsOf(input: string): string[] | null {
  try {
    const entries = [...parseDictionary(input)]
    const isRead = entries.length > 0 && entries.every(([, each]) => isInnerList(each))
    // A label is a key of a dictionary: letters, digits, and what needs an escape.
    return isRead ? entries.map(([label]) => label.replaceAll(/[.*-]/g, '\\$&')) : null
  } catch {
    return null
  }
}

/**
 * When headers end: at the first `expires` of their signatures (RFC 9421, 2.3), in seconds since
 * 1970. Null where they have none.
 */
export function endOfHeaders(headers: Readonly<Record<string, string>>): Date | null {
  const input = headerIn(headers, 'signature-input')
  if (input === undefined || labelsOf(input) === null) return null
  const ends = [...parseDictionary(input).values()].flatMap(([, parameters]) => {
    const expires = parameters.get('expires')
    return typeof expires === 'number' ? [expires * 1000] : []
  })
  const end = new Date(Math.min(...ends))
  return Number.isNaN(end.getTime()) ? null : end
}

/**
 * Headers as people write them, one on a line: `Signature: sig1=:…:`. A problem is a sentence that
 * does not repeat a value.
 */
export function readHeaderLines(
  lines: readonly string[],
): { headers: Record<string, string> } | { problem: string } {
  const headers: Record<string, string> = {}
  for (const line of lines) {
    const at = line.indexOf(':')
    if (at < 0)
      return {
        problem: 'Write each header as its name, a colon and its value, on a line of its own.',
      }
    const [name, value] = [line.slice(0, at).trim(), line.slice(at + 1).trim()]
    const isTwice = headerIn(headers, name.toLowerCase()) !== undefined
    if (isTwice) return { problem: `${name.slice(0, 60)} is given twice. Give it once.` }
    Object.defineProperty(headers, name, { value, enumerable: true })
  }
  return { headers }
}
