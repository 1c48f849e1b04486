import { hash } from 'node:crypto'
import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { type Coding, codingOf, compressOnce } from './codings.ts'

/** A text that is made once and sent as often as it is asked for. */
export interface KeptText {
  /** Names the text, and nothing else. */
  digest: string
  body: (coding: Coding) => Promise<Uint8Array<ArrayBuffer>>
}

/** What may be kept by any cache, but not long: it changes when the service is updated. */
export const KEPT_SHORTLY = { 'Cache-Control': 'public, max-age=300' }

/** Each coding is a representation of its own, with a tag of its own (RFC 9110, 8.8.3.3). */
const TAG_SUFFIX: Record<Coding, string> = { br: '-br', gzip: '-gz', identity: '' }

/** The strong entity tag of a text in a coding; `digest` is of the text. */
export const etagOf = (digest: string, coding: Coding): string => `"${digest}${TAG_SUFFIX[coding]}"`

export const keepText = (text: string): KeptText => {
  const bytes = Buffer.from(text)
  return { digest: hash('sha256', bytes).slice(0, 16), body: compressOnce(bytes) }
}

/** `keepText` of a text that is made when it is first asked for. */
export function keepTextLater(make: () => string): () => KeptText {
  let kept: KeptText | undefined
  return () => {
    kept ??= keepText(make())
    return kept
  }
}

/**
 * Whether the client names the tag, weak or strong (RFC 9110, 13.1.2). hono/etag copies the body.
 */
export function hasTag(c: Context, etag: string): boolean {
  const held = c.req.header('If-None-Match')
  return held === '*' || held?.match(/"[^"]*"/g)?.includes(etag) === true
}

/**
 * Sends the text as the client likes it best: 304 if it has that already. `headers` say what it is
 * and who may keep it; `vary` what it depends on besides Accept-Encoding.
 */
export async function answerKept(
  c: Context,
  { digest, body }: KeptText,
  { 'Content-Type': type, ...headers }: { 'Content-Type': string } & Record<string, string>,
  vary: readonly string[] = [],
  status: ContentfulStatusCode = 200,
): Promise<Response> {
  const coding = codingOf(c)
  const etag = etagOf(digest, coding)
  const all = {
    ...headers,
    Vary: ['Accept-Encoding', ...vary].join(', '),
    ...(status === 200 && { ETag: etag }),
  }
  if (status === 200 && hasTag(c, etag)) return c.body(null, 304, all)
  const bytes = await body(coding)
  return c.body(bytes, status, {
    ...all,
    'Content-Type': type,
    // For HEAD as well, which has no body to count.
    'Content-Length': String(bytes.length),
    ...(coding !== 'identity' && { 'Content-Encoding': coding }),
  })
}
