import { hash } from 'node:crypto'
import { createSignatureSync, type MessageDescriptor } from 'http-message-sig'
import { parseDictionary } from 'structured-headers'
import type { SigningKey } from './jwk.ts'

/**
 * A request as its sender addressed it: the URL is absolute, with https unless it was sent without
 * TLS.
 */
export interface RequestMessage {
  method: string
  url: string
  headers: Headers
  body: Uint8Array
}

/** A request as another saw it, who may have kept its body. */
export interface SeenRequest extends Omit<RequestMessage, 'body'> {
  body: Uint8Array | null
}

interface ResponseMessage {
  status: number
  headers: Headers
  body: Uint8Array
}

export type Message = SeenRequest | ResponseMessage

/**
 * The components that a signature has to cover (UCP, signatures.md: Signed Components), in the
 * order of our signatures.
 */
export function componentsToCover(message: Message): string[] {
  const ofBody =
    message.body !== null && message.body.byteLength > 0 ? ['content-digest', 'content-type'] : []
  if (!('method' in message)) return ['@status', ...ofBody]
  const hasQuery = (URL.parse(message.url)?.search ?? '') !== ''
  const sent = ['ucp-agent', 'idempotency-key', 'signature-agent']
  return [
    '@method',
    '@authority',
    '@path',
    ...(hasQuery ? ['@query'] : []),
    ...sent.filter((name) => message.headers.has(name)),
    ...ofBody,
  ]
}

/** RFC 9421, 2.1: field values are ASCII. Others are allowed, but cannot be signed. */
const SIGNABLE = /^[\t\x20-\x7e]*$/

/** The message as the library reads it. */
export function descriptorOf(message: Message): MessageDescriptor {
  const fields = [...message.headers]
    .filter(([, value]) => SIGNABLE.test(value))
    .map(([name, value]) => ({ name, value }))
  return 'method' in message
    ? { kind: 'request', method: message.method, targetUri: message.url, fields }
    : { kind: 'response', status: message.status, fields }
}

/** `Content-Digest` (RFC 9530) of the sent body's bytes, by SHA-256. */
export const contentDigest = (body: Uint8Array): string =>
  `sha-256=:${hash('sha256', body, 'base64')}:`

/** A header with two digests has about 160 characters. */
const LONGEST = 1000

/**
 * Whether the header holds the body's SHA-256. Digests by other algorithms may be there too and are
 * not read: UCP only accepts this one.
 */
export function matchesDigest(header: string, body: Uint8Array): boolean {
  if (header.length > LONGEST) return false
  try {
    const [given] = parseDictionary(header).get('sha-256') ?? []
    return (
      given instanceof ArrayBuffer &&
      Buffer.from(given).toString('base64') === hash('sha256', body, 'base64')
    )
  } catch {
    return false
  }
}

/**
 * The headers that sign a message: `Signature-Input`, `Signature` and, with a body,
 * `Content-Digest`. Covers what UCP demands, and the headers named in `more`. The message has its
 * `Content-Type`, and must be sent with exactly these bytes and headers.
 */
export function signMessage(
  message: RequestMessage | ResponseMessage,
  key: SigningKey,
  now: Date,
  more: readonly string[] = [],
): Record<string, string> {
  const digest: Record<string, string> =
    message.body.byteLength > 0 ? { 'content-digest': contentDigest(message.body) } : {}
  const headers = new Headers([...message.headers, ...Object.entries(digest)])
  const { signature, signatureInput } = createSignatureSync(descriptorOf({ ...message, headers }), {
    label: 'sig1',
    components: [...componentsToCover(message), ...more],
    // UCP: the key determines the algorithm, so `alg` is left out.
    parameters: { created: Math.floor(now.getTime() / 1000), keyid: key.kid },
    signer: key,
  })
  return { ...digest, 'signature-input': signatureInput, signature }
}
