import { json, type Reply } from '../http/store-request.ts'
import { type Psp, type PspEvent, RefusedDelivery } from './psp.ts'

/**
 * Unspecified: the largest delivery of a PSP is 256 KiB. Those of today's PSPs stay below 64 KiB.
 */
const MAX_DELIVERY_BYTES = 256 * 1024

interface WebhookDeps {
  psp: Psp
  /** Applies an event's one effect. */
  apply: (event: PspEvent) => Promise<'applied' | 'duplicate' | 'ignored'>
  now: () => Date
}

/**
 * `POST /webhooks/psp`: the acknowledgement, once the event has had its effect. The request's body
 * must be unread. Rejects if `apply` does: after a 5xx the PSP delivers again.
 */
export async function pspWebhookReply(deps: WebhookDeps, request: Request): Promise<Reply> {
  const body = await readBytes(request, MAX_DELIVERY_BYTES)
  if (body === null) {
    return refusal(413, 'too_large', `Send at most ${MAX_DELIVERY_BYTES} bytes.`)
  }
  let event: PspEvent
  try {
    event = await deps.psp.readDelivery(request.headers, body, deps.now())
  } catch (error) {
    if (!(error instanceof RefusedDelivery)) throw error
    return refusal(400, 'delivery_refused', error.message)
  }
  const outcome = await deps.apply(event)
  return json({ received: true, outcome }, NEVER_KEPT)
}

const NEVER_KEPT = { headers: { 'cache-control': 'no-store' } }

const refusal = (status: number, code: string, message: string): Reply =>
  json({ error: { code, message } }, { status, ...NEVER_KEPT })

/** The raw bytes; null as soon as there are more than `most`. */
async function readBytes(request: Request, most: number): Promise<Uint8Array | null> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of request.body ?? []) {
    length += chunk.byteLength
    if (length > most) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
