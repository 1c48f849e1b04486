import type { ComponentChildren, JSX } from 'preact'
import type { AuditResult } from '../../audit/result/result.ts'
import { formatDate } from '../format.ts'
import { Icon } from '../Icon.tsx'
import { useLanguage } from '../language.ts'
import { Moment } from '../Moment.tsx'
import { Breakdown } from './Breakdown.tsx'
import { catalogShare } from './catalog-share.ts'
import { ScoreRing } from './ScoreRing.tsx'
import { SeverityCounts } from './Severity.tsx'

/** An earlier audit. */
interface ScoreBefore {
  score: number
  checked_at: string
}

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
  >
  /**
   * What was judged: a page has a number without a grade, so that it does not pass for the store's.
   */
  of?: 'store' | 'page' | undefined
  /** The audit before this one. */
  before?: ScoreBefore | undefined
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
  const { result, of = 'store', before, title, level = 2, now, children } = props
  const { text } = useLanguage()
  const Heading = `h${level}` as const
  const [checkedBefore = '', checkedAfter = ''] = text('checked', '\n').split('\n')
  return (
    <section class="card score-card">
      <div class="score-head">
        <ScoreRing score={result.score} grade={of === 'page' ? null : result.grade} />
        <div class="score-about">
          <Heading class="score-title">{title ?? result.domain}</Heading>
          <p class="quiet">
            {checkedBefore}
            <Moment at={result.checked_at} now={now} />
            {checkedAfter}
          </p>
          {before !== undefined && <ScoreChange score={result.score} before={before} />}
          {of === 'page' && <p>{text('score_label_page', result.score)}</p>}
          <Coverage coverage={result.coverage} cap={result.cap} />
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
function Coverage({ coverage, cap }: Pick<AuditResult, 'coverage' | 'cap'>): JSX.Element {
  const { text } = useLanguage()
  return (
    <p class="quiet">
      {text('coverage', coverage.judged, coverage.applicable)}
      {cap && `. ${text(`cap_${cap.reason}`, cap.at)}`}
    </p>
  )
}

/** How many products were read for the catalog's verdicts; empty if none was. */
function CatalogRead({ seen }: { seen: AuditResult['catalog_seen'] }): JSX.Element | null {
  const { text, locale } = useLanguage()
  if (seen === undefined) return null
  return <p class="quiet wild">{catalogShare(seen, text, locale).join(' ')}</p>
}

function ScoreChange({ score, before }: { score: number; before: ScoreBefore }): JSX.Element {
  const { text, dates } = useLanguage()
  const change = score - before.score
  const since = formatDate(before.checked_at, dates)
  if (change === 0) return <p class="quiet">{text('change_points_none', since)}</p>
  const way = change > 0 ? 'up' : 'down'
  return (
    <p class={`change ${change > 0 ? 'is-good' : 'is-bad'}`}>
      <Icon shape={way} />
      {text(`change_points_${way}`, Math.abs(change), since)}
    </p>
  )
}
