import type { ComponentChildren, JSX } from 'preact'
import { capText } from '../../audit/gap/cap-text.ts'
import { auditVerdict } from '../../audit/gap/verdict.ts'
import { aboutTrend } from '../../audit/result/about-trend.ts'
import type { TrendSince } from '../../audit/result/compare.ts'
import type { AuditResult } from '../../audit/result/result.ts'
import { signedAsText } from '../../web/signed-as.ts'
import { seenWithText } from '../../web/site-access.ts'
import { formatDate } from '../format.ts'
import { Icon } from '../Icon.tsx'
import { useLanguage } from '../language.ts'
import { Moment } from '../Moment.tsx'
import { Breakdown } from './Breakdown.tsx'
import { catalogShare } from './catalog-share.ts'
import { ScoreRing } from './ScoreRing.tsx'
import { SeverityCounts } from './Severity.tsx'

export interface ScoreCardProps {
  result: Pick<
    AuditResult,
    | 'domain'
    | 'score'
    | 'grade'
    | 'checked_at'
    | 'gaps'
    | 'breakdown'
    | 'coverage'
    | 'cap'
    | 'catalog_seen'
    | 'checks'
    | 'signed_as'
    | 'seen_with'
  >
  /**
   * What was judged: a page has a number without a grade, so that it does not pass for the store's.
   */
  of?: 'store' | 'page' | undefined
  /** The trend since the audit before this one. */
  since?: TrendSince | null | undefined
  /** Heading instead of the domain. */
  title?: string | undefined
  /** Level of the heading; 2 by default. */
  level?: 1 | 2 | undefined
  /** If given, the age of the audit is shown instead of its date. */
  now?: Date | undefined
  /** Buttons and text below. */
  children?: ComponentChildren
}

/** The head of an audit: grade, score, its age and change, gaps by severity, score by area. */
export function ScoreCard(props: ScoreCardProps): JSX.Element {
  const { result, of = 'store', since, title, level = 2, now, children } = props
  const Heading = `h${level}` as const
  const verdict = of === 'store' ? auditVerdict(result) : null
  return (
    <section class="card score-card">
      <div class="score-head">
        <ScoreRing score={result.score} grade={of === 'page' ? null : result.grade} />
        <div class="score-about">
          <Heading class="score-title">{title ?? result.domain}</Heading>
          {verdict !== null && <p class="score-verdict">{verdict}</p>}
          <p class="quiet">
            Audited <Moment at={result.checked_at} now={now} />
          </p>
          {since && <ScoreChange since={since} />}
          {of === 'page' && <p>This page: {result.score} of 100</p>}
          <Coverage result={result} />
          <CatalogRead seen={result.catalog_seen} />
          <SeverityCounts gaps={result.gaps} />
        </div>
      </div>
      <Breakdown breakdown={result.breakdown} coverage={result.coverage} />
      {children}
    </section>
  )
}

/** How much could be judged, and what caps the score. */
function Coverage({ result }: Pick<ScoreCardProps, 'result'>): JSX.Element {
  const { judged, applicable } = result.coverage
  const cap = capText(result)
  return (
    <>
      <p class="quiet">
        Judged {judged} of {applicable} rules
      </p>
      {cap !== null && <p>{cap}</p>}
      {result.signed_as && <p class="quiet wild">{signedAsText(result.signed_as)}</p>}
      {result.seen_with && <p class="wild">{seenWithText(result.seen_with)}</p>}
    </>
  )
}

/** How many products were read for the catalog's verdicts; empty if none was. */
function CatalogRead({ seen }: { seen: AuditResult['catalog_seen'] }): JSX.Element | null {
  const { locale } = useLanguage()
  if (seen === undefined) return null
  return <p class="quiet wild">{catalogShare(seen, locale).join(' ')}</p>
}

function ScoreChange({ since }: { since: TrendSince }): JSX.Element {
  const { dates } = useLanguage()
  const { change, checked_at } = since
  const day = formatDate(checked_at, dates)
  const about = aboutTrend(since)
  return (
    <>
      {change === 0 && <p class="quiet">Unchanged since {day}</p>}
      {change !== null && change !== 0 && (
        <p class={`change ${change > 0 ? 'is-good' : 'is-bad'}`}>
          <Icon shape={change > 0 ? 'up' : 'down'} />
          {change > 0 ? 'Up' : 'Down'} {Math.abs(change)} since {day}
        </p>
      )}
      {about !== null && <p class="quiet">{about}</p>}
    </>
  )
}
