import { createHmac } from 'node:crypto'

/**
 * ACP's header `Merchant-Signature` of a webhook: HMAC-SHA256, as hex, of the time in Unix seconds,
 * a full stop and the body as it is sent. Receivers accept it for five minutes, so each try has its
 * own.
 */
export function merchantSignature(secret: string, body: string, at: Date): string {
  const t = Math.floor(at.getTime() / 1000)
  return `t=${t},v1=${createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')}`
}
