import type { BrowserContext, Page } from 'playwright-core'
import { expect } from 'vitest'
import { createEngine } from '../../server/audit/engine.ts'
import { JUDGES_HERE } from '../../server/audit/judging/testing/judges-here.ts'
import { parseTestHosts } from '../../server/audit/probe/fetch/test-hosts.ts'
import { PATIENT_LIMITS } from '../../server/audit/probe/testing/patient-limits.ts'
import { createStore } from '../../server/store/app.ts'
import { testDeps } from '../../server/store/testing/store.ts'
import { testApp } from '../../server/testing/app.ts'
import { onLoopback } from '../../server/testing/on-loopback.ts'
import { treeFaultsOf } from '../../shared/testing/accessibility-tree.ts'
import { launchBrowser, type Site, serveHosts } from '../../shared/testing/browser.ts'
import { cutOff, shoot, violationsOf } from '../../shared/testing/look.ts'
import { eventually } from '../../shared/testing/wait.ts'
import { builtForTests } from './build.ts'
import type { View } from './scenarios.ts'

// The worker's own global, for code that is evaluated there.
declare const chrome: typeof import('wxt/browser').browser

export const SHOP_HOME = 'https://shop.example/'
export const PRODUCT = 'https://shop.example/products/ao-1101'
/** The same store with several faults at once. */
export const FAULTY_PRODUCT = 'https://faulty.example/products/ao-1101'

const FAULTS = [
  'well-known-wrong-content-type',
  'checkout-error-body-invalid',
  'product-schema-price-invalid',
  'product-schema-gtin-invalid',
  'product-schema-brand-missing',
  'snippet-duplicated',
  'feed-missing',
]

/** Answers on a port of this machine; `answer` can be changed, and the port closed. */
export async function listen(answer: Site) {
  const { port, close } = await onLoopback({ fetch: (request) => answer(request) })
  return {
    url: `http://localhost:${port}`,
    answerWith: (next: Site) => {
      answer = next
    },
    close,
  }
}

/** An API server with the real engine and a database of its own. */
async function startServer(storePort: number) {
  const { url, answerWith, close } = await listen(() => new Response(null, { status: 503 }))
  const now = () => new Date()
  const testHosts = parseTestHosts(`*.example=http://127.0.0.1:${storePort}`, 'test')
  const options = { baseUrl: url, testHosts, limits: PATIENT_LIMITS }
  const engine = createEngine(options, now, JUDGES_HERE)
  const made = await testApp({ ...engine, now, baseUrl: url })
  const { key } = await made.createTestKey()
  answerWith((request) => made.app.fetch(request))
  const stop = async () => {
    await close()
    await engine.close()
  }
  return { ...made, key, url, stop }
}

/**
 * The real store at https://shop.example and, each with its fault, at its siblings; `sites` take
 * precedence. And an API server.
 */
export async function startShop(sites: Record<string, Site> = {}) {
  const { deps } = await testDeps({ now: () => new Date() })
  const snippetUrl = 'https://shop.example/attribution.js?id=prop_shop'
  const store = createStore({ deps, faults: [], snippetUrl })
  const faulty = createStore({ deps, faults: FAULTS, snippetUrl })
  const mended = { current: false }
  const hosts = await serveHosts({
    '*.example': (request) => store.fetch(request),
    'faulty.example': (request) => (mended.current ? store : faulty).fetch(request),
    ...sites,
  })
  const server = await startServer(hosts.httpPort)
  const stop = async () => {
    await Promise.all([hosts.close(), server.stop()])
  }
  return { hosts, server, mended, stop }
}

/** That store, and a browser with the extension. */
export async function startExtension(sites: Record<string, Site> = {}) {
  const { hosts, server, mended, stop: stopShop } = await startShop(sites)
  const browser = await launchBrowser({ hosts, extension: await builtForTests() })
  const stop = async () => {
    await browser.close()
    await stopShop()
  }
  return { browser, server, mended, stop, ...(await openExtension(browser)) }
}

export type ExtensionWorld = Awaited<ReturnType<typeof startExtension>>

async function openExtension(browser: BrowserContext) {
  const worker = browser.serviceWorkers()[0] ?? (await browser.waitForEvent('serviceworker'))
  const origin = `chrome-extension://${new URL(worker.url()).host}`
  await browser.grantPermissions(['clipboard-read', 'clipboard-write'])

  /**
   * A tab that begins with `url`: one that Playwright opens begins empty, in a process that it then
   * leaves for another.
   */
  async function openTab(url: string) {
    const [page, tabId] = await Promise.all([
      browser.waitForEvent('page'),
      worker.evaluate((url) => chrome.tabs.create({ url }).then(({ id = 0 }) => id), url),
    ])
    // Its load event may have come before Playwright listened.
    await eventually(() => page.evaluate('document.readyState')).toBe('complete')
    return { page, tabId }
  }

  /** The app with the page that it audits, as a click on the toolbar opens it. */
  async function openApp(url: string, { width = 400, file = 'sidepanel' } = {}) {
    const { page, tabId } = await openTab(url)
    const { page: app } = await openTab(`${origin}/${file}.html?tab=${tabId}`)
    await app.setViewportSize({ width, height: 900 })
    return { page, app, tabId }
  }
  const keep = (values: Record<string, unknown>) =>
    worker.evaluate((values) => chrome.storage.local.set(values), values)
  const kept = () => worker.evaluate(() => chrome.storage.local.get(null))
  /** As freshly installed, but for `values`, with no page open. */
  const reset = async (values: Record<string, unknown> = { onboarded: true }) => {
    const [, ...pages] = browser.pages()
    await Promise.all(pages.map((page) => page.close()))
    await worker.evaluate(() =>
      Promise.all([chrome.storage.local.clear(), chrome.storage.session.clear()]),
    )
    await keep(values)
  }
  const manifest = () => worker.evaluate(() => chrome.runtime.getManifest())
  const badge = (tabId: number) =>
    worker.evaluate((tabId) => chrome.action.getBadgeText({ tabId }), tabId)
  return { origin, openApp, keep, kept, reset, manifest, badge }
}

/** The app for scenarios that are the same in every browser. */
export const viewOf = (app: Page): View => ({
  text: (words) => app.getByText(words).first().waitFor(),
  image: (name) => app.getByRole('img', { name }).waitFor(),
  press: (name) => app.getByRole('button', { name }).first().click(),
  all: (selector) => app.locator(selector).allInnerTexts(),
})

/** Opens a view of the app by its tab. */
export const turnTo = (app: Page, view: string) => app.getByRole('tab', { name: view }).click()

const NARROWEST = 320
/** The narrowest at which the tabs have their full size (views.css). */
const FULL_TABS = 448

/**
 * In light and dark: axe finds nothing, and a picture is kept in screenshots/. Nothing is wider
 * than the view, nor than the narrowest panel.
 */
export async function lookAt(app: Page, name: string): Promise<void> {
  await app.evaluate(() => scrollTo(0, 0))
  for (const colorScheme of ['light', 'dark'] as const) {
    await app.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await shoot(app, `extension-${name}-${colorScheme}`, { fullPage: true })
    expect(await violationsOf(app, colorScheme), `${name}, ${colorScheme}`).toEqual([])
  }
  const size = app.viewportSize()
  for (const width of [size?.width ?? NARROWEST, FULL_TABS, NARROWEST]) {
    await app.setViewportSize({ width, height: 900 })
    await expectToFit(app, `${name} on ${width} pixels`)
  }
  if (size !== null) await app.setViewportSize(size)
}

/** And with text of twice the size nothing is cut off, and a screen reader's tree is in order. */
export async function lookCloselyAt(app: Page, name: string): Promise<void> {
  await lookAt(app, name)
  await app.evaluate(() => {
    document.documentElement.style.fontSize = '200%'
  })
  await shoot(app, `extension-${name}-text-200`, { fullPage: true })
  await expectToFit(app, `${name} with text of twice the size`)
  expect.soft(await cutOff(app), `${name}: cut off`).toEqual([])
  await app.evaluate(() => document.documentElement.style.removeProperty('font-size'))
  expect.soft(await treeFaultsOf(app), `${name}, to a screen reader`).toEqual([])
}

async function expectToFit(app: Page, name: string): Promise<void> {
  const [content, view] = await app.evaluate(() => [
    document.documentElement.scrollWidth,
    document.documentElement.clientWidth,
  ])
  expect.soft(content, `${name} is too wide`).toBeLessThanOrEqual(view ?? 0)
  const tabs = await app
    .getByRole('tablist')
    .evaluate((list) => list.scrollWidth - list.clientWidth)
  expect.soft(tabs, `the tabs of ${name} are cut off`).toBe(0)
}
