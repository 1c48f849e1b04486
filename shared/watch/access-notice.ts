import { formatMoment } from './incident-notice.ts'
import type { WatchNotice } from './notice.ts'

interface AccessEnd {
  domain: string
  endsAt: Date
  /** Of the watch, IANA. */
  timeZone: string
}

/** The notice that headers which the owner gave end soon, or have ended. */
export function accessNotice(
  { domain, endsAt, timeZone }: AccessEnd,
  { id, at, url }: { id: string; at: Date; url: string },
): WatchNotice {
  const isOver = endsAt <= at
  const end = formatMoment(endsAt.toISOString(), timeZone)
  return {
    id,
    domain,
    at: at.toISOString(),
    event: 'access.ending',
    severity: null,
    title: `${domain}: The headers that you gave ${isOver ? 'have ended' : 'end soon'}`,
    lines: [
      isOver
        ? `They ended ${end}. Audits do not send them any more, so that they may see less of the store.`
        : `They end ${end}. After that audits may see less of the store.`,
      'Make a new signature, and give its headers.',
    ],
    facts: [],
    url,
    data: { access: { ends_at: endsAt.toISOString() } },
  }
}
