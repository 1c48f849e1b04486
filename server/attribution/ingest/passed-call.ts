import type { PassedRequest } from '../../../shared/attribution/events.ts'
import { isUnder } from '../../../shared/web/address/same-site.ts'
import { LATE_MS } from '../agents/callers.ts'
import type { SeenCall } from '../agents/verify-caller.ts'
import type { IncomingEvent } from './event.ts'

/** The call that an event is of; null for a request to another host than the shop's. */
export function callOf(
  { domain, session_id, ts }: IncomingEvent,
  { method, url, headers, address }: PassedRequest,
  asker: string,
  now: Date,
): SeenCall | null {
  if (!isUnder(URL.parse(url)?.hostname ?? '', domain)) return null
  const isRecent = now.getTime() - ts.getTime() <= LATE_MS
  return {
    request: {
      method: method.toUpperCase(),
      // Without TLS only between the shop and its proxy.
      url: url.replace(/^http:/, 'https:'),
      headers: headersOf(headers),
      body: null,
    },
    address: address ?? null,
    at: isRecent ? ts : now,
    usedFor: `${domain} ${session_id}`,
    asker,
  }
}

/** Those that a header may be named and hold. */
function headersOf(sent: PassedRequest['headers']): Headers {
  const headers = new Headers()
  for (const [name, value] of Object.entries(sent)) {
    try {
      headers.append(name, value)
    } catch {
      // No server has received it so.
    }
  }
  return headers
}
