import { formatMoney } from '../commerce/product.ts'
import type { Incident } from './incident.ts'
import { formatMoment, formatSpan } from './incident-notice.ts'
import type { WatchNotice } from './notice.ts'
import { firstOrderSubject, signalReportPath, surfaceTitle } from './signals.ts'

interface NoticeInput {
  id: string
  at: Date
  /** The public URL of the service, without a trailing slash. */
  baseUrl: string
}

/** The notice that an incident of kind `signal` opened, or closed. */
export function signalNotice(
  incident: Incident,
  { id, at, baseUrl, timeZone }: NoticeInput & { /** IANA */ timeZone: string },
  /** When it closed: the figure now. */
  figure?: string,
): WatchNotice {
  const { domain, label, detail, fix, severity, opened_at, closed_at } = incident
  const lasted = (end: string) => formatSpan(Date.parse(end) - Date.parse(opened_at))
  return {
    id,
    domain,
    at: at.toISOString(),
    event: closed_at === null ? 'incident.opened' : 'incident.closed',
    severity,
    title: closed_at === null ? `${domain}: ${label}` : `${domain}: Over: ${label}`,
    lines:
      closed_at === null
        ? [detail, `What to do: ${fix}`]
        : [
            figure ?? detail,
            `From ${formatMoment(opened_at, timeZone)} to ${formatMoment(closed_at, timeZone)}, for ${lasted(closed_at)}.`,
          ],
    facts: [],
    url: `${baseUrl}${signalReportPath(incident)}`,
    data: { incident },
  }
}

/** The first order that a surface has ever brought, with its value in its own currency. */
interface FirstOrderOf {
  domain: string
  surface: string
  /** The day in the store's time zone. */
  day: string
  value: number | null
  currency: string | null
}

export function firstOrderNotice(
  { domain, surface, day, value, currency }: FirstOrderOf,
  { id, at, baseUrl }: NoticeInput,
): WatchNotice {
  const name = surfaceTitle(surface)
  const worth =
    value === null || currency === null ? null : formatMoney({ amount: value, currency })
  const query = new URLSearchParams({ domain, start: day, end: day, surface })
  return {
    id,
    domain,
    at: at.toISOString(),
    event: 'signal',
    severity: null,
    title: `${domain}: first order from ${name}`,
    lines: [`${name} brought its first order on ${day}${worth === null ? '' : `, of ${worth}`}.`],
    facts: worth === null ? [] : [{ label: 'Order value', value: worth }],
    url: `${baseUrl}/report?${query}`,
    data: { signal: { name: firstOrderSubject(surface), surface, day, value, currency } },
  }
}
