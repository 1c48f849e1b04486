import { Action } from '../../../shared/view/Action.tsx'
import { GapList } from '../../../shared/view/audit/GapList.tsx'
import { ScoreCard } from '../../../shared/view/audit/ScoreCard.tsx'
import { useToDo } from '../../../shared/view/audit/use-to-do.ts'
import { JudgedPages, PassedList, SkippedList } from '../../../shared/view/audit/Verdicts.tsx'
import { Notice } from '../../../shared/view/Notice.tsx'
import type { PageAudit } from '../../page/audit/page-audit.ts'
import { refusalText } from '../../page/audit/refusal.ts'
import { useApp } from '../app/app-state.ts'
import { LiveRegion, useAnnouncer } from '../app/LiveRegion.tsx'
import { ExportMenu } from '../export/ExportMenu.tsx'
import { useNow } from '../tasks/clock.ts'
import { NeedsScript } from './NeedsScript.tsx'
import { useGapActions } from './use-gap-actions.ts'
import { WhatWasFound } from './WhatWasFound.tsx'

/** The audit of the open page, or why there is none. */
export function PageView() {
  const { text, page } = useApp()
  const { audit, refusal, isChecking, check } = page
  const isUnread = audit === null && !isChecking
  const status =
    audit === null ? '' : text('page_status', audit.result.score, audit.result.gaps.length)
  return (
    <>
      {/* One live region for all states: one added together with its text is not announced. */}
      <LiveRegion text={isChecking ? text('page_checking') : status} hidden={audit !== null} />
      {audit !== null && <Checked audit={audit} />}
      {isUnread && (
        <Notice
          kind="info"
          title={text(refusal === null || refusal === 'no_grant' ? 'page_unread' : 'page_cannot')}
          action={{ label: text('page_again'), onAct: check }}
        >
          {refusal !== null && <p>{text(refusalText(refusal))}</p>}
        </Notice>
      )}
    </>
  )
}

function Checked({ audit }: { audit: PageAudit }) {
  const { text, page, go } = useApp()
  const now = useNow()
  const [said, announce] = useAnnouncer()
  const withActions = useGapActions(announce)
  const { result, served } = audit
  const gaps = useToDo(result, result.gaps)
  const { platform } = result
  return (
    <>
      <ScoreCard of="page" result={result} title={audit.title || audit.url} now={now}>
        <p class="wild quiet address">{audit.url}</p>
        <p class="quiet">{text('page_local')}</p>
        <p class="quiet">{text('page_not_store')}</p>
        {!served.ok && (
          <Notice kind="warning" title={text(`served_${served.reason}`, served.detail)} />
        )}
        {audit.kind.is !== 'product' && (
          <Notice
            kind="info"
            title={text(`page_${audit.kind.is}`)}
            action={{ label: text('page_audit_site'), onAct: () => go('store') }}
          >
            <p>{text('page_no_product_why', audit.kind.because.join('; '))}</p>
          </Notice>
        )}
        <div class="actions">
          <Action
            label={text(page.isChecking ? 'page_checking' : 'page_again')}
            onAct={page.check}
          />
          <ExportMenu
            audit={{ of: 'page', subject: audit.url, result, gaps: result.gaps }}
            announce={announce}
          />
        </div>
      </ScoreCard>
      <LiveRegion text={said} />
      <section>
        <h2>{text('page_fix_first')}</h2>
        {platform !== undefined && (
          <p class="quiet">{text('platform_seen', platform.name, platform.seen_by.join(', '))}</p>
        )}
        <GapList
          gaps={gaps.map((gap) => withActions(gap, true))}
          empty={text('page_no_gaps')}
          newTab
        />
        <PassedList passed={result.passed} notes={result.passed_notes} />
        <JudgedPages pages={result.product_pages} />
        <SkippedList skipped={result.skipped} />
      </section>
      <WhatWasFound found={audit.found} />
      <NeedsScript needed={audit.needs_script} />
    </>
  )
}
