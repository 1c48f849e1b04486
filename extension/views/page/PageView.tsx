import { Action } from '../../../shared/view/Action.tsx'
import { GapList } from '../../../shared/view/audit/GapList.tsx'
import { ScoreCard } from '../../../shared/view/audit/ScoreCard.tsx'
import { withToDo } from '../../../shared/view/audit/to-do.ts'
import { JudgedPages, PassedList, SkippedList } from '../../../shared/view/audit/Verdicts.tsx'
import { Notice } from '../../../shared/view/Notice.tsx'
import type { PageAudit, PagePlace, PageRefusalReason } from '../../page/audit/page-audit.ts'
import { REFUSAL_WORDS } from '../../page/audit/refusal.ts'
import { useApp } from '../app/app-state.ts'
import { LiveRegion, useAnnouncer } from '../app/LiveRegion.tsx'
import { ExportMenu } from '../export/ExportMenu.tsx'
import { useNow } from '../tasks/clock.ts'
import { NeedsScript } from './NeedsScript.tsx'
import { PageTools } from './PageTools.tsx'
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
      : `${audit.is_scored ? `This page: ${audit.result.score} of 100` : 'This page has no number'}. Gaps: ${audit.result.gaps.length}.`
  return (
    <>
      {/* One live region for all states: one added together with its text is not announced. */}
      <LiveRegion text={isChecking ? 'Auditing this page…' : status} hidden={audit !== null} />
      {audit !== null && <Checked audit={audit} />}
      {isUnread && (
        <Notice
          kind="info"
          title={titleOf(refusal)}
          action={{ label: 'Audit again', onAct: check }}
        >
          {refusal !== null && <p>{REFUSAL_WORDS[refusal]}</p>}
          {refusal !== null && OF_A_STORE.includes(refusal) && <StoreButton />}
        </Notice>
      )}
    </>
  )
}

function titleOf(refusal: PageRefusalReason | null): string {
  if (refusal === null || refusal === 'no_grant') return 'This page has not been audited yet'
  return refusal === 'error_page' ? 'This is an error page' : 'This page cannot be audited'
}

/** Pages that belong to a store all the same. */
const OF_A_STORE: readonly PageRefusalReason[] = ['error_page', 'nothing_judged', 'too_slow']

/** Where the rest is judged. */
function StoreButton() {
  const { go } = useApp()
  return (
    <div class="actions">
      <Action label="Audit the whole store" onAct={() => go('store')} />
    </div>
  )
}

function Checked({ audit }: { audit: PageAudit }) {
  const [said, announce] = useAnnouncer()
  const withActions = useGapActions(announce)
  const { result } = audit
  const gaps = withToDo(result, result.gaps)
  return (
    <>
      <Head audit={audit} announce={announce} />
      <LiveRegion text={said} />
      <GapList
        result={result}
        gaps={gaps.map((gap) => withActions(gap, true))}
        empty="Nothing to fix was found on this page."
        newTab
      />
      <PassedList passed={result.passed} notes={result.passed_notes} />
      <JudgedPages pages={result.product_pages} />
      <SkippedList skipped={result.skipped} />
      <WhatWasFound found={audit.found} />
      <NeedsScript needed={audit.needs_script} />
      <PageTools url={audit.url} />
    </>
  )
}

/** The number of the page, or what it is and why it has none; and what to do next. */
function Head({ audit, announce }: { audit: PageAudit; announce: (said: string) => void }) {
  const { page } = useApp()
  const now = useNow()
  const { result, served, is_scored } = audit
  const title = audit.title || audit.url
  const about = (
    <>
      <p class="wild quiet address">{audit.url}</p>
      <p class="quiet">This page was audited in your browser; nothing was sent.</p>
      {is_scored && (
        <p class="quiet">
          This score is of this page alone. For the grade of the whole store, audit it under Store.
        </p>
      )}
      {!served.ok && <Notice kind="warning" title={servedText(served)} />}
      <WhatItIs audit={audit} />
      <div class="actions">
        <Action
          label={page.isChecking ? 'Auditing this page…' : 'Audit again'}
          onAct={page.check}
        />
        {is_scored && (
          <ExportMenu
            audit={{ of: 'page', subject: audit.url, result, gaps: result.gaps }}
            announce={announce}
          />
        )}
      </div>
    </>
  )
  if (!is_scored) {
    return (
      <section class="card">
        <h2 class="score-title">{title}</h2>
        {about}
      </section>
    )
  }
  return (
    <ScoreCard of="page" result={result} title={title} now={now}>
      {about}
    </ScoreCard>
  )
}

/** What a page is, as a title; null for one that is judged as a product page. */
const PLACE_WORDS: Record<PagePlace, string | null> = {
  product: null,
  home: 'This is the home page',
  visitor: 'This is a page of one visitor, such as a cart or an account',
  list: 'This is a list of products, such as a category',
  other: 'This is not a product page',
  unclear: 'We could not tell whether this is a product page',
}

/** What a page is that is judged as no product page, and what was checked on it. */
function WhatItIs({ audit: { place, kind, is_scored } }: { audit: PageAudit }) {
  const words = PLACE_WORDS[place]
  if (words === null && is_scored) return null
  return (
    <Notice kind="info" title={words ?? 'This page could not be judged as a product page'}>
      {place !== 'home' && <p>{sentence(kind.because)}</p>}
      <p>
        {is_scored
          ? 'Here the details of the organization and the tag were checked; product markup is judged on product pages.'
          : 'So this page has no number. Here the tag alone was checked: product markup is judged on product pages, the organization on the home page.'}
      </p>
      <StoreButton />
    </Notice>
  )
}

/** Reasons, as a sentence. */
function sentence(reasons: readonly string[]): string {
  const said = reasons.join('; ')
  return `${said.charAt(0).toUpperCase()}${said.slice(1)}.`
}

/** Why the page was judged as the browser shows it. */
function servedText({ reason, detail }: Unserved): string {
  const causes: Record<Unserved['reason'], string> = {
    status: `The server answered ${detail} when asked without cookies`,
    redirected: `Without cookies the server redirects to ${detail}`,
    not_html: `When asked again, the server sent ${detail} instead of a page`,
    timeout: 'The page could not be fetched again in time',
    unreachable: 'The page could not be fetched again',
    unreadable: 'The answer of the server could not be read',
  }
  return `${causes[reason]}, so the page was judged as your browser shows it.`
}

type Unserved = Extract<PageAudit['served'], { ok: false }>
