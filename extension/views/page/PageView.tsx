import { Action } from '../../../shared/view/Action.tsx'
import { GapList } from '../../../shared/view/audit/GapList.tsx'
import { ScoreCard } from '../../../shared/view/audit/ScoreCard.tsx'
import { withToDo } from '../../../shared/view/audit/to-do.ts'
import { JudgedPages, PassedList, SkippedList } from '../../../shared/view/audit/Verdicts.tsx'
import { Notice } from '../../../shared/view/Notice.tsx'
import type { PageAudit } from '../../page/audit/page-audit.ts'
import { REFUSAL_WORDS } from '../../page/audit/refusal.ts'
import { useApp } from '../app/app-state.ts'
import { LiveRegion, useAnnouncer } from '../app/LiveRegion.tsx'
import { ExportMenu } from '../export/ExportMenu.tsx'
import { useNow } from '../tasks/clock.ts'
import { NeedsScript } from './NeedsScript.tsx'
import { useGapActions } from './use-gap-actions.ts'
import { WhatWasFound } from './WhatWasFound.tsx'

/** The audit of the open page, or why there is none. */
export function PageView() {
  const { page } = useApp()
  const { audit, refusal, isChecking, check } = page
  const isUnread = audit === null && !isChecking
  const status =
    audit === null
      ? ''
      : `This page: ${audit.result.score} of 100. Gaps: ${audit.result.gaps.length}.`
  return (
    <>
      {/* One live region for all states: one added together with its text is not announced. */}
      <LiveRegion text={isChecking ? 'Auditing this page…' : status} hidden={audit !== null} />
      {audit !== null && <Checked audit={audit} />}
      {isUnread && (
        <Notice
          kind="info"
          title={
            refusal === null || refusal === 'no_grant'
              ? 'This page has not been audited yet'
              : 'This page cannot be audited'
          }
          action={{ label: 'Audit again', onAct: check }}
        >
          {refusal !== null && <p>{REFUSAL_WORDS[refusal]}</p>}
        </Notice>
      )}
    </>
  )
}

function Checked({ audit }: { audit: PageAudit }) {
  const { page, go } = useApp()
  const now = useNow()
  const [said, announce] = useAnnouncer()
  const withActions = useGapActions(announce)
  const { result, served } = audit
  const gaps = withToDo(result, result.gaps)
  const { platform } = result
  return (
    <>
      <ScoreCard of="page" result={result} title={audit.title || audit.url} now={now}>
        <p class="wild quiet address">{audit.url}</p>
        <p class="quiet">This page was audited in your browser; nothing was sent.</p>
        <p class="quiet">
          This score is of this page alone. For the grade of the whole store, audit it under Store.
        </p>
        {!served.ok && <Notice kind="warning" title={servedText(served)} />}
        {audit.kind.is !== 'product' && (
          <Notice
            kind="info"
            title={
              audit.kind.is === 'other'
                ? 'This is not a product page'
                : 'We could not tell whether this is a product page'
            }
            action={{ label: 'Audit the whole site', onAct: () => go('store') }}
          >
            <p>So the rules for product pages do not apply: {audit.kind.because.join('; ')}.</p>
          </Notice>
        )}
        <div class="actions">
          <Action
            label={page.isChecking ? 'Auditing this page…' : 'Audit again'}
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
        <h2>To fix</h2>
        {platform !== undefined && (
          <p class="quiet">
            This store runs on {platform.name}, recognised by {platform.seen_by.join(', ')}.
          </p>
        )}
        <GapList
          gaps={gaps.map((gap) => withActions(gap, true))}
          empty="Nothing to fix was found on this page."
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

/** Why the page was judged as the browser shows it. */
function servedText({ reason, detail }: Unserved): string {
  const causes: Record<Unserved['reason'], string> = {
    status: `The server answered ${detail} when asked without cookies`,
    redirected: `Without cookies the server redirects to ${detail}`,
    not_html: `When asked again, the server sent ${detail} instead of a page`,
    timeout: 'The server took too long to send the page again',
    unreachable: 'The page could not be fetched again',
    unreadable: 'The answer of the server could not be read',
  }
  return `${causes[reason]}, so the page was judged as your browser shows it.`
}

type Unserved = Extract<PageAudit['served'], { ok: false }>
