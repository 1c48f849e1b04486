import { browser } from 'wxt/browser'
import { callToolOfPage, readToolsOfPage } from '../../shared/view/webmcp/page-script.ts'
import {
  type CheckedTools,
  checkTools,
  hasTools,
  listTools,
} from '../../shared/walk/webmcp/check-tools.ts'
import type { ReadPage } from '../../shared/walk/webmcp/page-answers.ts'

/** Runs a function in the page's own world, where its tools are; undefined if it cannot. */
async function inPage<In, Out>(
  tabId: number,
  func: (input: In) => Promise<Out>,
  input: In,
): Promise<Out | undefined> {
  const [injected] = await browser.scripting
    .executeScript({ target: { tabId }, world: 'MAIN', func, args: [input] })
    .catch(() => [])
  return injected?.result as Out | undefined
}

const readPage = (tabId: number): Promise<ReadPage | undefined> =>
  inPage(tabId, readToolsOfPage, null)

/** The tools of the page in a tab; null if it has none. */
export async function toolsOfTab(tabId: number): Promise<CheckedTools | null> {
  const page = await readPage(tabId)
  return page && hasTools(page) ? listTools(page) : null
}

/** Calls those that only read; null if the page has none any more. */
export async function callToolsOfTab(tabId: number, url: string): Promise<CheckedTools | null> {
  const page = await readPage(tabId)
  if (!page || !hasTools(page)) return null
  return checkTools(page, url, async (order) => {
    const called = await inPage(tabId, callToolOfPage, order)
    if (called) return called
    const nothing = { url, basketLink: '', basket: '', stored: '' }
    const failed = 'The page was left, or did not answer.'
    return { ...order, answer: null, failed, before: nothing, after: nothing }
  })
}
