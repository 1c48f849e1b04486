import { checkUrl } from './address.ts'

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
