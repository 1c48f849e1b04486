import { counted } from '../web/text/english-count.ts'
import type { AnswerChange } from './changes.ts'
import type { Incident } from './incident.ts'
import type { WatchNotice } from './notice.ts'

/** What a notice needs in addition to the incident. */
interface NoticeOfIncident {
  /** A UUID of the notice. */
  id: string
  /** IANA: times are shown in this zone. */
  timeZone: string
  /** The page of the incident. */
  url: string
}

/** The notice that an incident opened, which a second check has confirmed. */
export function openedNotice(
  incident: Incident,
  { id, timeZone, url }: NoticeOfIncident,
): WatchNotice {
  const { domain, severity, label, detail, fix, points, steps, changes, kind } = incident
  const at = (moment: string) => formatMoment(moment, timeZone)
  const since =
    incident.well_at === null
      ? `First seen ${at(incident.first_seen_at)}.`
      : `All was well ${at(incident.well_at)}. First seen wrong ${at(incident.first_seen_at)}, and confirmed by a second audit.`
  return {
    id,
    domain,
    at: incident.opened_at,
    event: 'incident.opened',
    severity,
    title: `${domain}: ${label}`,
    lines: [
      since,
      ...(kind === 'unseen'
        ? ['This does not prove that agents cannot buy: we could not see it.']
        : []),
      ...(points === null || points === 0
        ? []
        : [`It costs ${counted(points, 'point')} of the score.`]),
      ...steps.map(
        ({ dialect, intent, step, found }) =>
          `In a purchase (${intent}, ${dialect}) the step “${step}” fails: ${found}`,
      ),
      detail,
      `What to do: ${fix}`,
    ],
    facts: changes.map(factOf),
    url,
    data: { incident },
  }
}

/** The notice that an incident closed. */
export function closedNotice(
  incident: Incident & { closed_at: string },
  { id, timeZone, url }: NoticeOfIncident,
): WatchNotice {
  const { domain, severity, label, first_seen_at, closed_at, kind } = incident
  const lasted = formatSpan(Date.parse(closed_at) - Date.parse(first_seen_at))
  return {
    id,
    domain,
    at: closed_at,
    event: 'incident.closed',
    severity,
    title: `${domain}: ${kind === 'unseen' ? 'Can be seen again' : 'Fixed'}: ${label}`,
    lines: [
      `From ${formatMoment(first_seen_at, timeZone)} to ${formatMoment(closed_at, timeZone)}, for ${lasted}.`,
    ],
    facts: [],
    url,
    data: { incident },
  }
}

const PARTS = {
  status: () => 'Status',
  header: (name: string) => `Header ${name}`,
  field: (name: string) => `Field ${name === '' ? '(all of it)' : name}`,
  line: (name: string) => `Line ${name}`,
} satisfies Record<AnswerChange['what'], (name: string) => string>

/** A change in words: the request, and the answer before and now. */
const factOf = ({ request, what, name, before, after }: AnswerChange) => ({
  label: `${request}: ${PARTS[what](name ?? '')}`,
  value: `${before ?? 'not there'} → ${after ?? 'not there'}`,
})

/** `25 Nov 2026, 10:03 GMT+1`. */
export const formatMoment = (moment: string, timeZone: string): string =>
  new Date(moment).toLocaleString('en-GB', {
    timeZone,
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
  })

/** `2 h 5 min`; over two days, only days and hours. */
export function formatSpan(ms: number): string {
  const minutes = Math.max(1, Math.round(ms / 60_000))
  const [days, hours, rest] = [
    Math.floor(minutes / 1440),
    Math.floor((minutes % 1440) / 60),
    minutes % 60,
  ]
  if (days >= 2) return `${days} days${hours === 0 ? '' : ` ${hours} h`}`
  const whole = days * 24 + hours
  if (whole === 0) return `${rest} min`
  return rest === 0 ? `${whole} h` : `${whole} h ${rest} min`
}
