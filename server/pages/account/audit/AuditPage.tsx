import type { ComponentChildren, JSX } from 'preact'
import { type FixChange, fixLines } from '../../../../shared/attribution/worth/words.ts'
import { withTrends } from '../../../../shared/audit/result/compare.ts'
import { ENGINE_VERSION } from '../../../../shared/audit/result/result.ts'
import { Ticket } from '../../../../shared/view/audit/GapDetails.tsx'
import { GapList } from '../../../../shared/view/audit/GapList.tsx'
import { HistoryList } from '../../../../shared/view/audit/HistoryList.tsx'
import { ReadinessLists } from '../../../../shared/view/audit/ReadinessLists.tsx'
import { ScoreCard, type ScoreCardProps } from '../../../../shared/view/audit/ScoreCard.tsx'
import { withToDo } from '../../../../shared/view/audit/to-do.ts'
import { JudgedPages, PassedList, SkippedList } from '../../../../shared/view/audit/Verdicts.tsx'
import { Notice } from '../../../../shared/view/Notice.tsx'
import type { GapWorth } from '../../../attribution/worth/gap-worth.ts'
import { Link, useSite } from '../../site.tsx'
import { LocalName } from '../LocalName.tsx'
import { SharePanel, type SharePanelProps } from '../share/SharePanel.tsx'
import { AuditForm } from './AuditForm.tsx'
import { BadgePanel } from './BadgePanel.tsx'
import { PastAudits, type PastAuditsProps } from './PastAudits.tsx'
import type { ReadAudit } from './read-audit.ts'

interface AuditPageProps extends ReadAudit {
  now: Date
  own?: OwnAudit | undefined
}

/** Shown only to the holder of a key. */
export interface OwnAudit {
  isBadgeShown: boolean
  share: Pick<SharePanelProps, 'shares'>
  past: Pick<PastAuditsProps, 'audits' | 'hasMore'>
  /** Null for who may not read reports, and where nothing was brought yet. */
  worth: GapWorth | null
  fixes: readonly FixChange[]
}

/** The latest audit of a domain and those before it. */
export function AuditPage({ result, history, now, own }: AuditPageProps): JSX.Element {
  const { domain } = result
  const runs = withTrends(history)
  const since = runs.find(({ checked_at }) => checked_at === result.checked_at)?.trend
  return (
    <>
      {result.engine_version !== ENGINE_VERSION && (
        <Notice kind="info" title="Our rules have changed since this audit">
          <p>
            {own === undefined
              ? 'A new one may come to another score. The owner of the store can make it.'
              : 'Audit again to see how the store does by those of today.'}
          </p>
        </Notice>
      )}
      <AuditedStore result={result} since={since} now={now} worth={own?.worth}>
        {own !== undefined && <AuditForm domain={domain} label="Audit again" />}
      </AuditedStore>
      {own === undefined && history.length > 0 && (
        <section class="card">
          <h2>Score history</h2>
          <HistoryList runs={runs} />
        </section>
      )}
      {own !== undefined && (
        <>
          {own.fixes.length > 0 && <FixesPanel fixes={own.fixes} />}
          <PastAudits domain={domain} {...own.past} />
          <PublicPanels domain={domain} {...own} />
        </>
      )}
    </>
  )
}

/** What changed after the latest fixes, each number with its interval. */
export const FixesPanel = ({
  fixes,
  children,
}: Pick<OwnAudit, 'fixes'> & { children?: ComponentChildren }): JSX.Element => (
  <section class="card">
    <h2>Did it help?</h2>
    {children}
    {fixes.map((fix) => {
      const [what, ...changes] = fixLines(fix)
      return (
        <div key={`${fix.gone} ${fix.labels[0]}`}>
          <h3>{what}</h3>
          {changes.map((line) => (
            <p key={line}>{line}</p>
          ))}
        </div>
      )
    })}
  </section>
)

/** How the audit is shared, and how to end that. */
export const PublicPanels = ({
  domain,
  isBadgeShown,
  share,
}: { domain: string } & Pick<OwnAudit, 'isBadgeShown' | 'share'>): JSX.Element => (
  <>
    <BadgePanel domain={domain} isShown={isBadgeShown} />
    <SharePanel domain={domain} view="audit" {...share} />
  </>
)

interface AuditedStoreProps extends Pick<ScoreCardProps, 'since'> {
  result: ReadAudit['result']
  now?: Date | undefined
  worth?: GapWorth | null | undefined
  /** Below the score. */
  children?: ComponentChildren
}

/** Everything that one audit found. */
export function AuditedStore({
  result,
  since,
  now,
  worth,
  children,
}: AuditedStoreProps): JSX.Element {
  const { path } = useSite()
  const gaps = withToDo(
    result,
    result.gaps.map((gap) => ({ ...gap, worth: worth?.gaps.get(gap.id) })),
  )
  const docs = (gap: string) => path(`/gaps/${encodeURIComponent(gap)}`)
  return (
    <>
      <LocalName domain={result.domain} />
      <ScoreCard result={result} since={since} level={1} now={now}>
        {children}
      </ScoreCard>
      <GapList result={result} gaps={gaps} anchored>
        {worth != null && gaps.length > 0 && <p>{worth.store.join(' ')}</p>}
      </GapList>
      {gaps.length > 1 && (
        <details class="verdicts no-print">
          <summary>All gaps in one text, for a tracker</summary>
          <Ticket markdown={gaps.map(({ ticket }) => ticket).join('\n')} />
        </details>
      )}
      <ReadinessLists groups={result.readiness} routeHref={(vendor) => path(`/routes/${vendor}`)} />
      <p>
        A scanner elsewhere shows a low number?{' '}
        <Link to={`/audits/${result.domain}/standards`}>Which standards this store needs</Link>
      </p>
      <PassedList passed={result.passed} notes={result.passed_notes} docs={docs} />
      <JudgedPages pages={result.product_pages} />
      <SkippedList skipped={result.skipped} docs={docs} />
    </>
  )
}
