import type { JSX } from 'preact'
import { gradeOf } from '../../../../shared/audit/score.ts'
import { GapList } from '../../../../shared/view/audit/GapList.tsx'
import { HistoryList } from '../../../../shared/view/audit/HistoryList.tsx'
import { ReadinessLists } from '../../../../shared/view/audit/ReadinessLists.tsx'
import { ScoreCard } from '../../../../shared/view/audit/ScoreCard.tsx'
import { JudgedPages, PassedList, SkippedList } from '../../../../shared/view/audit/Verdicts.tsx'
import { useLanguage } from '../../../../shared/view/language.ts'
import { SharePanel, type SharePanelProps } from '../share/SharePanel.tsx'
import { AuditForm } from './AuditForm.tsx'
import { BadgePanel } from './BadgePanel.tsx'
import type { ReadAudit } from './read-audit.ts'

export interface AuditPageProps extends ReadAudit {
  now: Date
  /** What only the holder of a key sees. */
  own?: { isBadgeShown: boolean; share: Pick<SharePanelProps, 'shares'> } | undefined
}

/** The latest audit of a domain and those before it. */
export function AuditPage({ result, history, now, own }: AuditPageProps): JSX.Element {
  const { text } = useLanguage()
  const { domain } = result
  const before = history.find(({ checked_at }) => checked_at < result.checked_at)
  return (
    <>
      <ScoreCard result={result} before={before} level={1} now={now}>
        {own !== undefined && <AuditForm domain={domain} label="Audit again" />}
      </ScoreCard>
      <ReadinessLists groups={result.readiness} />
      <h2>Gaps, worst first</h2>
      <GapList gaps={result.gaps} />
      <PassedList passed={result.passed} notes={result.passed_notes} />
      <JudgedPages pages={result.product_pages} />
      <SkippedList skipped={result.skipped} />
      {history.length > 0 && (
        <section class="card">
          <h2>{text('history')}</h2>
          <HistoryList runs={history.map((run) => ({ ...run, grade: gradeOf(run.score) }))} />
        </section>
      )}
      {own !== undefined && (
        <>
          <BadgePanel domain={domain} isShown={own.isBadgeShown} />
          <SharePanel domain={domain} view="audit" {...own.share} />
        </>
      )}
    </>
  )
}
