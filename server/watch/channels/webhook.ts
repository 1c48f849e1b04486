import { Webhook } from 'standardwebhooks'
import type { WatchNotice } from '../../../shared/watch/notice.ts'
import { MAX_PAYLOAD_BYTES } from '../../audit/probe/fetch/webhook.ts'
import { noticeText } from './notice-text.ts'

/** A body of JSON as it is sent, with the headers that go with it. */
export interface ChannelMessage {
  jsonText: string
  headers: Record<string, string>
}

/**
 * A notice as a webhook: the three fields of Standard Webhooks, with the same id in every try. What
 * does not fit is on the page that `url` names.
 */
export function webhookMessage(notice: WatchNotice, secret: string, at: Date): ChannelMessage {
  const { id } = notice
  const jsonText = payloadOfNotice(notice)
  return {
    jsonText,
    headers: {
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Webhook(secret).sign(id, at, jsonText),
    },
  }
}

// Unspecified: `data` of a webhook holds the notice's subject, such as `incident`, and its texts.
// Over 20 KB the subject is left out first, then all texts but the title.
function payloadOfNotice(notice: WatchNotice): string {
  const { event, at, domain, severity, data } = notice
  const { title, lines, facts, sections, url } = noticeText(notice)
  const texts = { lines, facts, ...(sections.length > 0 && { sections }) }
  const short = { domain, severity, title, url }
  const sizes = [{ ...data, ...short, ...texts }, { ...short, ...texts }, short].map((content) =>
    JSON.stringify({ type: event, timestamp: at, data: content }),
  )
  return sizes.find((text) => Buffer.byteLength(text) < MAX_PAYLOAD_BYTES) ?? sizes.at(-1) ?? ''
}
