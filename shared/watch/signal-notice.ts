import { formatMoney } from '../commerce/product.ts'
import type { Incident } from './incident.ts'
import type { WatchNotice } from './notice.ts'
import { firstOrderSubject, signalReportPath, surfaceTitle } from './signals.ts'

interface Told {
  id: string
  at: Date
  /** The public URL of the service, without a trailing slash. */
  baseUrl: string
}

/** What is told of an incident of kind `signal` when it opens, or when it has closed. */
export function signalNotice(
  incident: Incident,
  { id, at, baseUrl }: Told,
  /** Of its end: the figure now. */
  now?: string,
): WatchNotice {
  const { domain, label, detail, fix, severity } = incident
  const isOver = incident.closed_at !== null
  return {
    id,
    domain,
    at: at.toISOString(),
    event: isOver ? 'incident.closed' : 'incident.opened',
    severity,
    title: isOver ? `${domain}: over: ${label}` : `${domain}: ${label}`,
    lines: isOver
      ? [now ?? detail, `It was open since ${momentText(incident.opened_at)}.`]
      : [detail, fix],
    facts: [],
    url: `${baseUrl}${signalReportPath(incident)}`,
    data: { incident },
  }
}

/** The first order that a surface has ever brought. Its value is told in its own currency. */
export interface FirstOrderOf {
  domain: string
  surface: string
  /** The day in the zone of the shop. */
  day: string
  value: number | null
  currency: string | null
}

export function firstOrderNotice(
  { domain, surface, day, value, currency }: FirstOrderOf,
  { id, at, baseUrl }: Told,
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

/** `2026-11-30 14:05 UTC` */
const momentText = (iso: string): string => `${iso.slice(0, 16).replace('T', ' ')} UTC`
