import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContext, CDPSession, Page, Worker } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Browser } from 'wxt/browser'
import {
  describeInBrowser,
  type Hosts,
  launchBrowser,
  serveHosts,
} from '../../shared/testing/browser.ts'
import { median } from '../../shared/testing/median.ts'
import { eventually } from '../../shared/testing/wait.ts'
import { buildForTests } from '../testing/build.ts'

/** In the extension's worker and pages, where the functions given to `evaluate` run. */
declare const chrome: typeof Browser

const ROUNDS = 5

const PRODUCT = {
  '@context': 'https://schema.org',
  '@type': 'Product',
  name: 'Mug',
  image: 'https://shop.example/mug.jpg',
}
const CARD =
  '<li class="card"><a href="/p/1" title="Mug"><img src="data:," alt=""><b>Mug</b></a></li>'
const pageOf = (cards: number) =>
  `<!doctype html><html><head><script type="application/ld+json">${JSON.stringify(PRODUCT)}</script></head><body><h1>Mug</h1>${CARD.repeat(cards)}</body>`

/** A page of a megabyte, and a nearly empty one. */
const PAGES: Record<string, string> = {
  '/products/megabyte': pageOf(12_000),
  '/products/small': pageOf(1),
}

/** Milliseconds of the main thread's own time since the tab was opened. */
async function workOf(devtools: CDPSession): Promise<number> {
  const { metrics } = await devtools.send('Performance.getMetrics')
  return 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN)
}

async function watch(page: Page): Promise<CDPSession> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' })
  return devtools
}

describeInBrowser('the work of an audit', () => {
  let folder: string
  let hosts: Hosts
  let browser: BrowserContext
  let worker: Worker
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'aisle-extension-'))
    hosts = await serveHosts({
      'shop.example': ({ url }) =>
        new Response(PAGES[new URL(url).pathname] ?? '', {
          headers: { 'Content-Type': 'text/html; charset=utf-8' },
        }),
    })
    browser = await launchBrowser({
      hosts,
      extension: await buildForTests(folder),
      asShipped: true,
    })
    worker = browser.serviceWorkers()[0] ?? (await browser.waitForEvent('serviceworker'))
  })
  afterAll(async () => {
    await browser?.close()
    await hosts?.close()
    await rm(folder, { recursive: true, force: true })
  })

  async function measure(path: string) {
    const page = await browser.newPage()
    const inPage = await watch(page)
    await page.goto(`https://shop.example${path}`)
    const tabId = await worker.evaluate(async () => {
      const [tab] = await chrome.tabs.query({ active: true })
      return tab?.id ?? 0
    })
    const own = await workOf(inPage)
    const panel = await browser.newPage()
    const inPanel = await watch(panel)
    await panel.goto(new URL(`/sidepanel.html?tab=${tabId}`, worker.url()).href)
    await eventually(async () => {
      const kept = await panel.evaluate(() => chrome.storage.local.get('page_audits'))
      return kept.page_audits
    }).toHaveProperty([page.url()])
    const work = { own, page: (await workOf(inPage)) - own, panel: await workOf(inPanel) }
    await worker.evaluate(() => chrome.storage.local.clear())
    await Promise.all([page.close(), panel.close()])
    return work
  }

  test('a page of a megabyte costs less than half to judge of what the browser takes to show it', async () => {
    const shares: number[] = []
    const added: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const small = await measure('/products/small')
      const large = await measure('/products/megabyte')
      // The panel's own drawing is not the page's work.
      const judging = large.page + Math.max(0, large.panel - small.panel)
      shares.push(judging / large.own)
      added.push(judging)
    }
    process.stdout.write(
      `a page of 1 MB: ${median(added).toFixed(0)} ms of work in page and panel, ${median(shares).toFixed(2)} of what the browser takes to show it\n`,
    )
    expect(median(shares)).toBeLessThan(0.5)
  })
})
