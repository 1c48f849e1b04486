import { checkUrl } from './address.ts'
import type { FetchLimits } from './session.ts'

/** Standard Webhooks: "a timeout of 15-30s". Well within the lease of a delivery. */
export const WEBHOOK_LIMITS: Partial<FetchLimits> = {
  headersMs: 15_000,
  totalMs: 20_000,
  auditMs: 25_000,
  perHost: 4,
}

/** Standard Webhooks: "payloads should be kept under 20kb". */
export const MAX_PAYLOAD_BYTES = 20_000

/**
 * Whether webhooks may go there: https on its own port. Each delivery also checks what the name
 * leads to.
 */
export function isWebhookUrl(text: string): boolean {
  try {
    const { protocol, port, hash } = checkUrl(text)
    return protocol === 'https:' && port === '' && hash === ''
  } catch {
    return false
  }
}
