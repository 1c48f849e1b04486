import { serializeDictionary } from 'structured-headers'
import type { SigningKey } from '../../signatures/jwk.ts'
import { signMessage } from '../../signatures/message.ts'

interface OutboundWebhook {
  /** The target, with its query. */
  url: string
  /** The sent text. */
  body: string
  /** The same for all tries, and so is `at`, the time of the event. */
  id: string
  at: Date
  /** Our profile, which publishes the key: `https://shop.example/.well-known/ucp`. */
  profileUrl: string
}

/**
 * All headers of an order webhook of official UCP, signed. Each try is signed anew, under the same
 * id and time. Throws if the URL is not valid.
 */
export function webhookHeaders(
  { url, body, id, at, profileUrl }: OutboundWebhook,
  key: SigningKey,
  now: Date,
): Record<string, string> {
  const headers = {
    'content-type': 'application/json',
    'ucp-agent': serializeDictionary({ profile: profileUrl }),
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
  }
  const target = new URL(url)
  // A fragment stays with the sender (RFC 9110, 7.1).
  target.hash = ''
  const request = {
    method: 'POST',
    url: target.href,
    headers: new Headers(headers),
    body: Buffer.from(body),
  }
  // Unspecified: id and time are signed too, so that neither can be changed to send a webhook
  // again.
  return { ...headers, ...signMessage(request, key, now, ['webhook-id', 'webhook-timestamp']) }
}
