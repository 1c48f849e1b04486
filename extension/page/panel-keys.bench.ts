import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContext, Worker } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Browser } from 'wxt/browser'
import { HOSTILE_INPUTS } from '../../server/audit/testing/hostile-inputs.ts'
import {
  describeInBrowser,
  type Hosts,
  launchBrowser,
  serveHosts,
} from '../../shared/testing/browser.ts'
import { buildForTests } from '../testing/build.ts'

/** In the extension's worker and pages, where the functions given to `evaluate` run. */
declare const chrome: typeof Browser

/** Milliseconds from a key to the panel's answer. */
const MAX_MS = 200

const PAGES = HOSTILE_INPUTS.flatMap(({ name, page }) =>
  page === undefined ? [] : [{ name, page }],
)

describeInBrowser('keys while a hostile page is judged', () => {
  let folder: string
  let hosts: Hosts
  let browser: BrowserContext
  let worker: Worker
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'aisle-extension-'))
    hosts = await serveHosts({
      'shop.example': ({ url }) => {
        const served = PAGES[Number(new URL(url).pathname.split('/').at(-1))]
        return new Response(served?.page() ?? '', {
          headers: { 'Content-Type': 'text/html; charset=utf-8' },
        })
      },
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

  test.each(PAGES.map(({ name }, index) => ({ name, index })))(
    '$name',
    async ({ name, index }) => {
      const page = await browser.newPage()
      await page.goto(`https://shop.example/products/${index}`, { waitUntil: 'commit' })
      const tabId = await worker.evaluate(async () => {
        const [tab] = await chrome.tabs.query({ active: true })
        return tab?.id ?? 0
      })
      const panel = await browser.newPage()
      await panel.goto(new URL(`/sidepanel.html?tab=${tabId}`, worker.url()).href)
      const started = performance.now()
      let longest = 0
      let keys = 0
      let isDone = false
      while (!isDone) {
        // Answered once the panel has handled the key.
        const pressed = performance.now()
        await panel.keyboard.press('Tab')
        longest = Math.max(longest, performance.now() - pressed)
        keys += 1
        // Stored once it is judged; a page that is too large is reported in the panel.
        isDone = await panel.evaluate(async () => {
          const { page_audits } = await chrome.storage.local.get('page_audits')
          return (
            page_audits !== undefined ||
            /could not be (judged|read)|took too/.test(document.body.innerText)
          )
        })
        expect(performance.now() - started, `${name} is not judged`).toBeLessThan(60_000)
      }
      const took = performance.now() - started
      process.stdout.write(
        `${longest.toFixed(0)} ms at most for ${keys} keys in ${(took / 1000).toFixed(1)} s: ${name}\n`,
      )
      await worker.evaluate(() => chrome.storage.local.clear())
      await Promise.all([page.close(), panel.close()])
      expect(longest).toBeLessThan(MAX_MS)
    },
    120_000,
  )
})
