import type { JSX } from 'preact'
import type { AuditResult } from '../../../shared/audit.ts'
import { gradeOf } from '../../../shared/score.ts'
import { CodeBlock } from '../../../shared/view/CodeBlock.tsx'
import { GapList } from '../../../shared/view/GapList.tsx'
import { HistoryList } from '../../../shared/view/HistoryList.tsx'
import { ScoreCard } from '../../../shared/view/ScoreCard.tsx'
import { PassedList, SkippedList } from '../../../shared/view/Verdicts.tsx'
import type { PastAudit } from '../../db/audits.ts'
import { useSite } from '../site.tsx'
import { SharePanel, type SharePanelProps } from './SharePanel.tsx'

export interface AuditPageProps {
  result: AuditResult
  /** Newest first, this one included. */
  history: readonly PastAudit[]
  now: Date
  /** What only the holder of a key sees. */
  own?: { isBadgeShown: boolean; share: Pick<SharePanelProps, 'shares'> } | undefined
}

/** The latest audit of a domain and those before it. */
export function AuditPage({ result, history, now, own }: AuditPageProps): JSX.Element {
  const { domain } = result
  // Scores of other checks or another engine are no measure of change.
  const alike = history.filter(
    ({ checks, engine_version }) =>
      engine_version === result.engine_version && checks.join() === result.checks.join(),
  )
  const before = alike.find(({ checked_at }) => checked_at < result.checked_at)
  return (
    <>
      <ScoreCard result={result} before={before} level={1} now={now} />
      <h2>Gaps, worst first</h2>
      <GapList gaps={result.gaps} />
      <PassedList passed={result.passed} notes={result.passed_notes} />
      <SkippedList skipped={result.skipped} />
      <section class="card">
        <h2>History</h2>
        <HistoryList runs={alike.map((run) => ({ ...run, grade: gradeOf(run.score) }))} />
      </section>
      {own !== undefined && (
        <>
          <BadgePanel domain={domain} isShown={own.isBadgeShown} />
          <SharePanel domain={domain} view="audit" {...own.share} />
        </>
      )}
    </>
  )
}

function BadgePanel({ domain, isShown }: { domain: string; isShown: boolean }): JSX.Element {
  const { path, baseUrl } = useSite()
  const address = `${baseUrl}/badge/${domain}.svg`
  return (
    <section class="card no-print" id="badge">
      <h2>Badge</h2>
      <p>
        {isShown
          ? 'Everybody can see the latest grade of this domain at the address below.'
          : 'A small picture with the latest grade, for your own pages. Nobody sees it before you switch it on.'}
      </p>
      {isShown && (
        <>
          <p>
            <img src={path(`/badge/${domain}.svg`)} alt="The badge as it looks now" height="20" />
          </p>
          <CodeBlock label="HTML" code={`<img src="${address}" alt="AI shopping grade">`} />
        </>
      )}
      <form method="post" action={path(`/audits/${domain}/badge`)}>
        <input type="hidden" name="shown" value={isShown ? 'no' : 'yes'} />
        <button type="submit" class="button">
          {isShown ? 'Switch the badge off' : 'Switch the badge on'}
        </button>
      </form>
    </section>
  )
}
