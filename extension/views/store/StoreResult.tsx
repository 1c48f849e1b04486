import type { ComponentChildren } from 'preact'
import type { AuditResult } from '../../../shared/audit/result/result.ts'
import { GapList } from '../../../shared/view/audit/GapList.tsx'
import { ReadinessLists } from '../../../shared/view/audit/ReadinessLists.tsx'
import { ScoreCard } from '../../../shared/view/audit/ScoreCard.tsx'
import { withToDo } from '../../../shared/view/audit/to-do.ts'
import { JudgedPages, PassedList, SkippedList } from '../../../shared/view/audit/Verdicts.tsx'
import type { StoredRun } from '../../stored/history.ts'
import { useApp } from '../app/app-state.ts'
import type { Server } from '../app/server.ts'
import { ExportMenu } from '../export/ExportMenu.tsx'
import { useGapActions } from '../page/use-gap-actions.ts'
import { useNow } from '../tasks/clock.ts'
import { mergeFindings } from './merge-findings.ts'
import { StoreHistory } from './StoreHistory.tsx'
import { useStoreTrends } from './use-store-trends.ts'

interface StoreResultProps {
  server: Server
  result: AuditResult
  runs: readonly StoredRun[]
  announce: (sentence: string) => void
  /** How to get a newer result. */
  children: ComponentChildren
}

/** A result of the server, merged with the audit of the open page if it is of the same domain. */
export function StoreResult({ server, result, runs, announce, children }: StoreResultProps) {
  const { page } = useApp()
  const now = useNow()
  const withActions = useGapActions(announce)
  const here = page.audit?.domain === result.domain ? page.audit : null
  const gaps = mergeFindings(here, result)
  const toDo = withToDo(result, gaps)
  const trends = useStoreTrends(result, runs)
  return (
    <>
      <ScoreCard result={result} since={trends?.since} now={now}>
        <div class="actions">
          {children}
          <ExportMenu
            audit={{ of: 'store', subject: result.domain, result, gaps }}
            announce={announce}
          />
        </div>
        <p class="quiet">
          Only the domain name {result.domain} and your key are sent to {server.name}, and nothing
          from the page.
        </p>
      </ScoreCard>
      {trends !== null && <StoreHistory trends={trends} />}
      <GapList
        result={result}
        gaps={toDo.map((gap) => withActions(gap, here !== null && gap.origin !== 'server'))}
        newTab
      >
        {here !== null && (
          <p class="quiet wild">The page audit of {here.url} is in this list as well.</p>
        )}
      </GapList>
      <ReadinessLists groups={result.readiness} newTab />
      <PassedList passed={result.passed} notes={result.passed_notes} />
      <JudgedPages pages={result.product_pages} />
      <SkippedList skipped={result.skipped} />
    </>
  )
}
