import type { MessageDescriptor } from 'http-message-sig'

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

interface ResponseMessage {
  status: number
  headers: Headers
  body: Uint8Array
}

export type Message = RequestMessage | ResponseMessage

/**
 * The components that a signature has to cover (UCP, signatures.md: Signed Components), in the
 * order of our signatures.
 */
export function componentsToCover(message: Message): string[] {
  const ofBody = message.body.byteLength > 0 ? ['content-digest', 'content-type'] : []
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
