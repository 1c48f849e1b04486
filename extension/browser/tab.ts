import { type Browser, browser } from 'wxt/browser'
import { judgeApart } from '../page/audit/judge-apart.ts'
import type { PageAudit, PageRefusal } from '../page/audit/page-audit.ts'
import { pageRefusal } from '../page/audit/refusal.ts'
import type { Collected } from '../page/collect/collected.ts'
import type { HighlightNote } from '../page/highlight/highlighter.ts'
import { withoutPlace } from '../page/without-place.ts'

/**
 * The tab under audit. `url` is undefined until the toolbar button is clicked on it: that click
 * grants access (https://developer.chrome.com/docs/extensions/develop/concepts/activeTab).
 */
export interface OpenTab {
  id: number
  url: string | undefined
}

/**
 * The host of the page in a tab; null if the browser does not say, or the page is not on the web.
 */
export function tabHost(tab: OpenTab | null): string | null {
  const url = URL.parse(tab?.url ?? '')
  return url !== null && /^https?:$/.test(url.protocol) ? url.hostname : null
}

/** The tab that `?tab=` names, else the active one. */
export async function findTab(search: string): Promise<OpenTab | null> {
  const named = namedTab(search)
  try {
    if (named !== null) return toOpenTab(await browser.tabs.get(named))
    const [active] = await browser.tabs.query({ active: true, currentWindow: true })
    return toOpenTab(active)
  } catch {
    return null
  }
}

function namedTab(search: string): number | null {
  const named = Number(new URLSearchParams(search).get('tab'))
  return Number.isInteger(named) && named > 0 ? named : null
}

const toOpenTab = (tab: Browser.tabs.Tab | undefined): OpenTab | null =>
  tab?.id === undefined ? null : { id: tab.id, url: tab.url }

/**
 * Milliseconds without another navigation in a tab. With `pushState` a tab says `complete` before
 * the router has drawn the new page, and some scripts navigate with each screen of scrolling.
 */
const QUIET_MS = 700

/**
 * Calls back with the tab when a page was loaded, or replaced by its own script, and a moment has
 * passed; with null when another tab becomes active (unless `search` names one), or the toolbar
 * button was clicked, which grants access to the page. Returns what ends it.
 */
export function watchTabs(search: string, changed: (loaded: OpenTab | null) => void): () => void {
  const waiting = new Map<number, ReturnType<typeof setTimeout>>()
  const onUpdated = (
    id: number,
    { status }: { status?: string },
    { url }: { url?: string | undefined },
  ) => {
    if (status === undefined) return
    clearTimeout(waiting.get(id))
    if (status !== 'complete') return
    waiting.set(
      id,
      setTimeout(() => {
        waiting.delete(id)
        changed({ id, url })
      }, QUIET_MS),
    )
  }
  const onOther = () => changed(null)
  if (namedTab(search) === null) browser.tabs.onActivated.addListener(onOther)
  browser.tabs.onUpdated.addListener(onUpdated)
  browser.action.onClicked.addListener(onOther)
  return () => {
    browser.tabs.onActivated.removeListener(onOther)
    browser.tabs.onUpdated.removeListener(onUpdated)
    browser.action.onClicked.removeListener(onOther)
    for (const timer of waiting.values()) clearTimeout(timer)
  }
}

/**
 * Whether both addresses are on the same page: they differ only in a fragment that is not a route
 * (`#/cart`, `#!/cart`). A reload has the same address.
 */
export const isSamePage = (before: string, after: string): boolean =>
  before !== after && withoutPlace(before) === withoutPlace(after)

/** Milliseconds: the limit of the page's script, including its own request of 15 s. */
const ANSWER_MS = 40_000

/**
 * Reads and judges the page of a tab, here in the browser. A page that cannot be read, or does not
 * answer in time, is a refusal. Gaps link to the pages of the server at `serverUrl`.
 */
export async function auditTab(
  tab: OpenTab | null,
  serverUrl: string | null,
  judge = judgeApart,
): Promise<PageAudit | PageRefusal> {
  if (tab === null) return { refusal: 'no_tab' }
  const refusal = pageRefusal(tab.url)
  if (refusal !== null) return { refusal }
  const collected = await Promise.race([collectFrom(tab.id), afterAWhile()])
  return 'refusal' in collected ? collected : judge({ collected, serverUrl })
}

async function collectFrom(tabId: number): Promise<Collected | PageRefusal> {
  try {
    const [injected] = await browser.scripting.executeScript({
      target: { tabId },
      files: ['/collect.js'],
    })
    return asCollected(injected?.result) ?? { refusal: 'failed' }
  } catch {
    // The browser shows its own error page, or keeps extensions out of this one.
    return { refusal: 'failed' }
  }
}

/** Our own script created it, in a world that the page cannot reach. */
const asCollected = (result: unknown) => result as Collected | null | undefined

const afterAWhile = (): Promise<PageRefusal> =>
  new Promise((resolve) => setTimeout(resolve, ANSWER_MS, { refusal: 'no_answer' }))

/** Highlights a gap on the page. False if the page is off limits or gone. */
export async function showOnPage(tabId: number, note: HighlightNote): Promise<boolean> {
  const target = { tabId }
  try {
    await browser.scripting.executeScript({ target, files: ['/highlight.js'] })
    const [shown] = await browser.scripting.executeScript({
      target,
      // Sent as text: it sees the injected script's world, and nothing of this file
      // (https://developer.chrome.com/docs/extensions/reference/api/scripting).
      func: (drawn: HighlightNote) => globalThis.aisleHighlight?.(drawn),
      args: [note],
    })
    return shown?.result === true
  } catch {
    return false
  }
}

/** Removes the highlight, if there is one. */
export async function clearOnPage(tabId: number): Promise<void> {
  try {
    await browser.scripting.executeScript({
      target: { tabId },
      func: () => globalThis.aisleHighlight?.(null),
    })
  } catch {
    // The page is off limits or gone, and the highlight with it.
  }
}

/**
 * The store's file at /.well-known/ucp, requested from its own page; undefined if there is none.
 */
export async function readPublishedManifest(tabId: number): Promise<unknown> {
  try {
    const [injected] = await browser.scripting.executeScript({
      target: { tabId },
      files: ['/manifest-file.js'],
    })
    return injected?.result ?? undefined
  } catch {
    return undefined
  }
}
