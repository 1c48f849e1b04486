import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { browser } from 'wxt/browser'
import type { Gap } from '../../../shared/audit/result/result.ts'
import { clearBadge, showBadge } from '../../browser/badge.ts'
import {
  auditTab,
  clearOnPage,
  findTab,
  isSamePage,
  showOnPage,
  tabHost,
  watchTabs,
} from '../../browser/tab.ts'
import type { PageAudit } from '../../page/audit/page-audit.ts'
import { highlightNote } from '../../page/highlight/note.ts'
import { lastPageAudit, pageAudits, rememberPageAudit } from '../../stored/storage.ts'
import { useDeleted } from '../../stored/use-stored.ts'
import type { OpenPage } from '../app/app-state.ts'
import type { Placement } from '../app/view.ts'

type Seen = Pick<OpenPage, 'tab' | 'audit' | 'refusal'>

const showScore = (tabId: number, { result, is_scored }: PageAudit): Promise<void> =>
  is_scored
    ? showBadge(browser.action, tabId, result, `Aisle: this page has ${result.score} of 100`)
    : clearBadge(browser.action, tabId)

const NOTHING: Seen = { tab: null, audit: null, refusal: null }

/**
 * Audits the open page immediately, and again when another tab is opened, or the page reloads or is
 * replaced by its script; a jump to another place on it is not a new page. Only the newest audit is
 * shown. `server` makes the links of the gaps; nothing is sent to it.
 */
export function useOpenPage(server: { url: string } | null, placement: Placement): OpenPage {
  const [seen, setSeen] = useState<Seen>(NOTHING)
  const [isChecking, setChecking] = useState(true)
  const newest = useRef(0)
  const current = useRef<Seen>(NOTHING)
  const serverUrl = server?.url ?? null
  /** The tab on whose page a gap was shown. */
  const marked = useRef<number | null>(null)
  const unmark = useCallback(() => {
    if (marked.current !== null) void clearOnPage(marked.current)
    marked.current = null
  }, [])

  const check = useCallback(async () => {
    newest.current += 1
    const own = newest.current
    // A gap of the earlier audit may be closed, or of another page.
    unmark()
    const put = (next: Seen) => {
      if (own !== newest.current) return false
      current.current = next
      setSeen(next)
      return true
    }
    setChecking(true)
    const tab = await findTab(location.search)
    const isSame = tab?.url !== undefined && tab.url === current.current.audit?.url
    const before = isSame
      ? current.current.audit
      : // Storage may be damaged: the page can be audited all the same.
        await lastPageAudit(tab?.url ?? '').catch(() => null)
    if (!put({ tab, audit: before, refusal: null })) return
    const checked = await auditTab(tab, serverUrl)
    const isNewest =
      'refusal' in checked
        ? put({ tab, audit: null, refusal: checked.refusal })
        : put({ tab, audit: checked, refusal: null })
    if (!isNewest) return
    setChecking(false)
    if (tab === null) return
    if ('refusal' in checked) return clearBadge(browser.action, tab.id)
    await showScore(tab.id, checked)
    // Storage may be full: the audit is shown all the same.
    await rememberPageAudit(checked).catch(() => {})
  }, [serverUrl, unmark])

  // What is on the screen is one of them.
  useDeleted(pageAudits, () => {
    const { tab, audit } = current.current
    if (audit === null) return
    newest.current += 1
    current.current = { tab, audit: null, refusal: null }
    setSeen(current.current)
    setChecking(false)
    if (tab !== null) void clearBadge(browser.action, tab.id)
  })

  useEffect(() => {
    void check()
    const unwatchTabs = watchTabs(location.search, (loaded) => {
      const { tab, audit } = current.current
      if (loaded !== null && loaded.id !== tab?.id) return
      if (!audit || !isSamePage(tab?.url ?? '', loaded?.url ?? '')) return void check()
      current.current = { ...current.current, tab: loaded }
      // The badge was reset with the address.
      if (loaded !== null) void showScore(loaded.id, audit)
    })
    const unwatchAudits = pageAudits.watch(() => {
      // A click on Firefox's toolbar opens the popup, and grants the page to the sidebar as well.
      if (current.current.refusal === 'no_grant') void check()
    })
    return () => {
      unwatchTabs()
      unwatchAudits()
    }
  }, [check])

  useEffect(() => {
    // A popup closes with the click on the page that was to be shown.
    if (placement === 'popup') return
    addEventListener('pagehide', unmark)
    return () => removeEventListener('pagehide', unmark)
  }, [placement, unmark])

  const show = async (gap: Gap) => {
    if (seen.tab === null || seen.audit === null) return false
    marked.current = seen.tab.id
    return showOnPage(seen.tab.id, highlightNote(seen.audit, gap))
  }
  return { ...seen, domain: tabHost(seen.tab), isChecking, check: () => void check(), show }
}
