import type { JSX } from 'preact'
import type { Severity } from '../../audit/vocabulary.ts'
import { DAY_MS } from '../../web/moment.ts'
import { SeverityBadge } from '../audit/Severity.tsx'
import { formatDateTime } from '../format.ts'
import { useLanguage } from '../language.ts'
import { rounded } from '../scale.ts'

/** One period in which a gap was open. Times are ISO 8601. */
interface OpenSpan {
  id: string
  since: string
  until: string | null
  /** It was there at the first check, so its beginning is not known. */
  isKnown: boolean
}

export interface GapHistory {
  gap: string
  label: string
  severity: Severity
  /** The oldest first. */
  spans: readonly OpenSpan[]
}

interface GapTimelineProps {
  gaps: readonly GapHistory[]
  now: Date
  days: number
  /** The page of a period. */
  hrefOf: (span: OpenSpan) => string
}

/** How many periods of one gap are written out, the newest first. */
const WRITTEN = 3

/** A row for each gap: when it was open, as a timeline and in words. */
export function GapTimeline({ gaps, now, days, hrefOf }: GapTimelineProps): JSX.Element {
  return (
    <table class="timelines">
      <caption class="sr-only">Each gap of the last {days} days, and when it was open</caption>
      <thead>
        <tr>
          <th scope="col">Gap</th>
          <th scope="col">
            <span class="timeline-ends" aria-hidden="true">
              <span>{days} days ago</span>
              <span>Today</span>
            </span>
            <span class="sr-only">When it was open</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {gaps.map(({ gap, label, severity, spans }) => (
          <tr key={gap}>
            <th scope="row">
              {label} <SeverityBadge severity={severity} />
            </th>
            <td>
              <Line spans={spans} severity={severity} end={now.getTime()} days={days} />
              <span class="timeline-words">
                {spans.slice(-WRITTEN).map((span) => (
                  <a key={span.id} href={hrefOf(span)}>
                    <SpanWords span={span} />
                  </a>
                ))}
                {spans.length > WRITTEN && <span>and {spans.length - WRITTEN} times before</span>}
              </span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function SpanWords({ span: { since, until, isKnown } }: { span: OpenSpan }): JSX.Element {
  const { dates } = useLanguage()
  const from = formatDateTime(since, dates)
  const begun = isKnown ? `before ${from}` : from
  if (until === null) {
    return <time dateTime={since}>since {begun}</time>
  }
  return (
    <>
      {begun} to {formatDateTime(until, dates)}
    </>
  )
}

interface LineProps {
  spans: readonly OpenSpan[]
  severity: Severity
  /** Milliseconds since 1970. */
  end: number
  days: number
}

/** The words next to it say the same: screen readers skip it. */
function Line({ spans, severity, end, days }: LineProps): JSX.Element {
  const length = days * DAY_MS
  const placeOf = (moment: number) =>
    rounded(100 - (Math.min(length, Math.max(0, end - moment)) / length) * 100)
  return (
    <svg
      class="timeline"
      width="100%"
      height="14"
      viewBox="0 0 100 14"
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <rect class="timeline-rest" width="100" y="6" height="2" />
      {spans.map(({ id, since, until }) => {
        const from = placeOf(Date.parse(since))
        const to = until === null ? 100 : placeOf(Date.parse(until))
        // A short one is still visible.
        const width = Math.max(0.8, rounded(to - from))
        return (
          <rect
            key={id}
            class={`timeline-part of-${severity}`}
            x={Math.min(from, 100 - width)}
            width={width}
            y="1"
            height="12"
          />
        )
      })}
    </svg>
  )
}
