import type { JSX } from 'preact'
import { aboutTrend } from '../../audit/result/about-trend.ts'
import type { ComparedGap, GapChanges } from '../../audit/result/compare.ts'
import { worstFirst } from '../../audit/vocabulary.ts'
import { counted } from '../../web/text/english-count.ts'
import { Icon } from '../Icon.tsx'
import { PointsTag, SeverityBadge } from './Severity.tsx'

interface ComparisonSummaryProps extends GapChanges {
  /** The heading, by default that of the last two audits. */
  title?: string | undefined
  /** The page of a gap. */
  hrefOf?: ((gap: ComparedGap) => string) | undefined
}

/** How the gaps changed since the audit before. */
export function ComparisonSummary(props: ComparisonSummaryProps): JSX.Element {
  const { change, fixed, new: fresh, still_open, not_judged, newly_judged, title, hrefOf } = props
  const about = aboutTrend(props)
  const list = (title: string, gaps: readonly ComparedGap[], open = false) => (
    <ComparedList {...{ title, gaps, open, hrefOf }} />
  )
  return (
    <section class="card comparison">
      <h2>{title ?? 'Since the last audit'}</h2>
      {change !== null && <ScoreChange change={change} />}
      {about !== null && <p class="quiet">{about}</p>}
      {list(`New (${fresh.length})`, fresh, true)}
      {list(`Fixed (${fixed.length})`, fixed, true)}
      {list(`Still open (${still_open.length})`, still_open)}
      {list(`Open, but not judged before (${newly_judged.length})`, newly_judged)}
      {list(`Open before, not judged this time (${not_judged.length})`, not_judged)}
      <NotSeen reasons={props.not_seen} />
    </section>
  )
}

function ScoreChange({ change }: { change: number }): JSX.Element {
  const way = change === 0 ? 'same' : change > 0 ? 'up' : 'down'
  const tone = { up: 'is-good', down: 'is-bad', same: '' }[way]
  return (
    <p class={`change ${tone}`}>
      <Icon shape={way === 'same' ? 'level' : way} />
      {change === 0
        ? 'The score did not change.'
        : `The score ${change > 0 ? 'rose' : 'fell'} by ${Math.abs(change)}.`}
    </p>
  )
}

/** What was judged before and not this time, and why. */
function NotSeen({ reasons }: { reasons: GapChanges['not_seen'] }): JSX.Element | null {
  if (reasons.length === 0) return null
  const all = reasons.reduce((sum, { rules }) => sum + rules, 0)
  return (
    <details class="verdicts">
      <summary>Judged before, not seen this time ({all})</summary>
      <ul>
        {reasons.map(({ reason, rules }) => (
          <li key={reason}>
            <span class="wild">
              {reason} ({counted(rules, 'rule')})
            </span>
          </li>
        ))}
      </ul>
    </details>
  )
}

interface ComparedListProps extends Pick<ComparisonSummaryProps, 'hrefOf'> {
  title: string
  gaps: readonly ComparedGap[]
  open: boolean
}

function ComparedList({ title, gaps, open, hrefOf }: ComparedListProps): JSX.Element | null {
  if (gaps.length === 0) return null
  return (
    <details class="verdicts" open={open}>
      <summary>{title}</summary>
      <ul>
        {gaps.toSorted(worstFirst).map((gap) => (
          <li key={gap.id}>
            <SeverityBadge severity={gap.severity} />
            <span>
              {hrefOf === undefined ? gap.label : <a href={hrefOf(gap)}>{gap.label}</a>}{' '}
              <PointsTag points={gap.points} />
            </span>
          </li>
        ))}
      </ul>
    </details>
  )
}
