import { createSignatureSync } from 'http-message-sig'
import { contentDigest } from './content-digest.ts'
import { ES256, type SigningKey } from './jwk.ts'
import { componentsToCover, descriptorOf, type Message } from './message.ts'

/**
 * The headers that sign a message: `Signature-Input`, `Signature` and, with a body,
 * `Content-Digest`. Covers what UCP demands, and the headers named in `more`. The message has its
 * `Content-Type`, and must be sent with exactly these bytes and headers.
 */
export function signMessage(
  message: Message,
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
    signer: { algorithm: ES256, sign: key.sign },
  })
  return { ...digest, 'signature-input': signatureInput, signature }
}
