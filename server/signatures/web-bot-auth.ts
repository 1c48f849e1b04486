import { randomBytes } from 'node:crypto'
import { component, createSignatureSync } from 'http-message-sig'
import { serializeDictionary } from 'structured-headers'
import type { SigningKey } from './jwk.ts'
import { contentDigest, descriptorOf, type RequestMessage } from './message.ts'

// draft-ietf-webbotauth-httpsig-protocol-01 of 2026-10-29: how a program that asks says who it is.

/** The `tag` of such a signature. */
export const WEB_BOT_AUTH = 'web-bot-auth'

/** The label of our signature, and of its member in `Signature-Agent`. */
const LABEL = 'aisle'

/** The longest that a signature of ours is valid, in seconds: clocks differ, and servers queue. */
export const VALID_SECONDS = 60

/**
 * The headers that say which agent asks, signed: `Signature-Agent` with our origin, and what signs
 * it together with method, host, path, query and body, so that it opens nothing else.
 */
export function webBotAuthHeaders(
  request: RequestMessage,
  { key, origin, now }: { key: SigningKey; origin: string; now: Date },
): Record<string, string> {
  const added: Record<string, string> = {
    'signature-agent': serializeDictionary({ [LABEL]: origin }),
    ...(request.body.byteLength > 0 && { 'content-digest': contentDigest(request.body) }),
  }
  const headers = new Headers([...request.headers, ...Object.entries(added)])
  const hasQuery = (URL.parse(request.url)?.search ?? '') !== ''
  const created = Math.floor(now.getTime() / 1000)
  const { signature, signatureInput } = createSignatureSync(descriptorOf({ ...request, headers }), {
    label: LABEL,
    components: [
      '@method',
      '@authority',
      '@path',
      ...(hasQuery ? ['@query'] : []),
      component('signature-agent', { key: LABEL }),
      ...(request.body.byteLength > 0 ? ['content-digest'] : []),
    ],
    parameters: {
      created,
      expires: created + VALID_SECONDS,
      nonce: randomBytes(32).toString('base64'),
      keyid: key.kid,
      tag: WEB_BOT_AUTH,
    },
    signer: key,
  })
  return { ...added, 'signature-input': signatureInput, signature }
}
