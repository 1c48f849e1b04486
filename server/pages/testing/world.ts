import type { BrowserContext, Page } from 'playwright-core'
import { expect } from 'vitest'
import { treeFaultsOf } from '../../../shared/testing/accessibility-tree.ts'
import { launchBrowser, type Site, serveHosts } from '../../../shared/testing/browser.ts'
import { cutOff, shoot, textBelow, violationsOf } from '../../../shared/testing/look.ts'
import { createEngine } from '../../audit/engine.ts'
import { JUDGES_HERE } from '../../audit/judging/testing/judges-here.ts'
import { parseTestHosts } from '../../audit/probe/fetch/test-hosts.ts'
import { PATIENT_LIMITS } from '../../audit/probe/testing/patient-limits.ts'
import { buildAssets } from '../../build/asset-bundler.ts'
import { collectDecisions } from '../../build/decisions.ts'
import { createStore } from '../../store/app.ts'
import { testDeps } from '../../store/testing/store.ts'
import { testApp } from '../../testing/app.ts'
import { ASSETS_WITHOUT_CONTENT, prepareAssets } from '../assets.ts'

const SERVICE = 'https://aisle.example'

/** Changes what a store answers. */
export type Mend = (request: Request, answer: Response) => Response | Promise<Response>

/**
 * The service at https://aisle.example with its real engine, the reference store under every other
 * `.example` name, and a browser. `mend` lets an owner change what their host answers; `overrides`
 * replace parts of the service.
 */
export async function startWorld(overrides: Parameters<typeof testApp>[0] = {}) {
  const { deps } = await testDeps({ now: () => new Date() })
  const snippetUrl = `${SERVICE}/attribution.js?id=prop_0123456789abcdefghij`
  const store = createStore({ deps, faults: [], snippetUrl })
  const mends = new Map<string, Mend>()
  const site: { service: Site } = { service: () => new Response(null, { status: 503 }) }
  const hosts = await serveHosts({
    'aisle.example': (request) => site.service(request),
    '*.example': async (request) => {
      const answer = await store.fetch(request)
      return mends.get(new URL(request.url).hostname)?.(request, answer) ?? answer
    },
  })
  const testHosts = parseTestHosts(`*.example=http://127.0.0.1:${hosts.httpPort}`, 'test')
  const now = () => new Date()
  // A test may hold an answer back with `mend` to see the audit meanwhile, which must not time out.
  const options = { baseUrl: SERVICE, testHosts, limits: PATIENT_LIMITS }
  const engine = createEngine(options, now, JUDGES_HERE)
  const files = Object.fromEntries(await buildAssets())
  const made = await testApp({
    ...engine,
    now,
    baseUrl: SERVICE,
    assets: prepareAssets({ ...ASSETS_WITHOUT_CONTENT, ...files }),
    decisions: collectDecisions(),
    extension: (['chrome', 'firefox'] as const).map((browser) => ({
      browser,
      file: `aisle-0.1.0-${browser}.zip`,
      version: '0.1.0',
      bytes: 180_000,
      read: async () => new Uint8Array(),
    })),
    help: { text: 'Write to us, and say which shop it is for.', email: 'help@aisle.example' },
    ...overrides,
  })
  site.service = made.app.fetch
  const browser = await launchBrowser({ hosts })
  const complaints = listen(browser)
  return {
    ...made,
    deps,
    browser,
    /** What a browser refused or a script threw; reading it empties it. */
    complaints: () => complaints.splice(0),
    mend: (host: string, mend: Mend) => void mends.set(host, mend),
    stop: async () => {
      await browser.close()
      await Promise.all([hosts.close(), engine.close()])
    },
  }
}

export type World = Awaited<ReturnType<typeof startWorld>>

function listen(browser: BrowserContext): string[] {
  const heard: string[] = []
  browser.on('console', (message) => {
    const text = message.text()
    if (/Content Security Policy|Refused to/.test(text)) heard.push(text)
  })
  browser.on('weberror', (error) => heard.push(String(error.error())))
  return heard
}

export const addressOf = (path: string): string => SERVICE + path

/** Signs in on the page, like a person who is signed out. */
export async function signIn(page: Page, key: string, next = '/report'): Promise<void> {
  await page.context().clearCookies()
  await page.goto(addressOf(`/sign-in?next=${encodeURIComponent(next)}`))
  await page.getByLabel('API key').fill(key)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: 'Sign out' }).waitFor()
}

/** Switches the scripts of pages on or off. What a test runs in a page still runs. */
export async function enableScripts(page: Page, value: boolean): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setScriptExecutionDisabled', { value: !value })
}

/** A window of 1280 pixels at 200 % and at 400 % (WCAG 1.4.10), and text alone at 200 % (1.4.4). */
const ENLARGED = [
  ['zoom', { width: 640, text: '' }],
  ['zoom-400', { width: 320, text: '' }],
  ['text-200', { width: 1200, text: '200%' }],
] as const

/**
 * On a screen, light and dark, on a phone and on paper: nothing is wider than the page, a picture
 * is kept in screenshots/, and axe finds nothing.
 */
export async function look(page: Page, name: string): Promise<void> {
  // A click is over when the next page begins, perhaps before the awaited element is there.
  await page.waitForLoadState()
  const judgeWidth = (kind: string) => expectToFit(page, name, kind)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.setViewportSize({ width: 1200, height: 800 })
    await page.emulateMedia({ colorScheme, media: 'screen', reducedMotion: 'reduce' })
    await judgeWidth(colorScheme)
    expect(await violationsOf(page, colorScheme), `${name}, ${colorScheme}`).toEqual([])
  }
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: 390, height: 800 })
  await judgeWidth('phone')
  await page.setViewportSize({ width: 794, height: 1123 })
  await page.emulateMedia({ media: 'print' })
  await judgeWidth('print')
  await page.emulateMedia({ media: 'screen' })
  await page.setViewportSize({ width: 1200, height: 800 })
}

/** And enlarged nothing is cut off, all text grows, and a screen reader's tree is in order. */
export async function lookClosely(page: Page, name: string): Promise<void> {
  await look(page, name)
  expect.soft(await treeFaultsOf(page), `${name}, to a screen reader`).toEqual([])
  for (const [kind, { width, text }] of ENLARGED) {
    await page.setViewportSize({ width, height: 800 })
    await page.evaluate((size) => {
      document.documentElement.style.fontSize = size
    }, text)
    await expectToFit(page, name, kind)
    expect.soft(await cutOff(page), `${name}, ${kind}: cut off`).toEqual([])
  }
  expect.soft(await textBelow(page, 20), `${name}: text that does not grow`).toEqual([])
  await page.evaluate(() => document.documentElement.style.removeProperty('font-size'))
  await page.setViewportSize({ width: 1200, height: 800 })
}

async function expectToFit(page: Page, name: string, kind: string): Promise<void> {
  await shoot(page, `pages-${name}-${kind}`, { fullPage: true })
  const [content = 0, view = 0] = await page.evaluate(() => [
    document.documentElement.scrollWidth,
    document.documentElement.clientWidth,
  ])
  expect.soft(content, `${name}, ${kind}: too wide`).toBeLessThanOrEqual(view)
}
