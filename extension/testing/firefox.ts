import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Browser, type ElementHandle, launch, type Page } from 'puppeteer-core'
import { inject } from 'vitest'
import type { Hosts } from '../../shared/testing/browser.ts'
import { PATIENCE_MS } from '../../shared/testing/wait.ts'
import { builtForTests } from './build.ts'
import type { View } from './scenarios.ts'

// The page's own global, for code that is evaluated in a page of the extension.
declare const browser: typeof import('wxt/browser').browser

const NAMES = ['firefox-esr', 'firefox']

/**
 * The path of a Firefox: the one that FIREFOX names, else one on the PATH; null if there is none.
 */
export function findFirefox(): string | null {
  const named = process.env.FIREFOX
  if (named) {
    if (!existsSync(named)) throw new Error(`FIREFOX is ${named}, and nothing is there.`)
    return named
  }
  try {
    const script = NAMES.map((name) => `command -v ${name}`).join(' || ')
    return execFileSync('sh', ['-c', script], { encoding: 'utf8', stdio: 'pipe' }).trim()
  } catch {
    return null
  }
}

const ID = 'aisle@aisle.example'
/** Firefox gives an installed extension a random address, unless its profile sets one. */
const ADDRESS = '2f1a7c8e-6b53-4f0e-9d0a-51a3c0de0001'
const ORIGIN = `moz-extension://${ADDRESS}`

/**
 * All requests of Firefox to other machines come here: `hosts` answer `*.example`, and nothing
 * answers the rest.
 */
async function startProxy({ httpsPort }: Hosts) {
  const proxy = createServer((_, response) => void response.writeHead(403).end())
  proxy.on('connect', ({ url = '' }, socket) => {
    socket.on('error', () => {})
    if (!url.endsWith('.example:443')) {
      socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')
      return
    }
    const site = connect(httpsPort, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connected\r\n\r\n')
      site.pipe(socket).pipe(site)
    })
    site.on('error', () => socket.destroy())
    socket.on('close', () => site.destroy())
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const { port } = proxy.address() as AddressInfo
  const stop = () => {
    proxy.close()
    proxy.closeAllConnections()
  }
  return { port, stop }
}

const preferences = (proxyPort: number) => ({
  'extensions.webextensions.uuids': JSON.stringify({ [ID]: ADDRESS }),
  // No protocol can click the prompt of `permissions.request`: it is granted.
  'extensions.webextOptionalPermissionPrompts': false,
  'services.settings.server': 'data:,#remote-settings-dummy/v1',
  'network.proxy.type': 1,
  'network.proxy.http': '127.0.0.1',
  'network.proxy.http_port': proxyPort,
  'network.proxy.ssl': '127.0.0.1',
  'network.proxy.ssl_port': proxyPort,
})

/** A Firefox with the extension, in which every `*.example` is one of `hosts`. */
export async function startFirefox(path: string, hosts: Hosts) {
  const proxy = await startProxy(hosts)
  const profile = await mkdtemp(join(inject('profiles'), 'firefox-'))
  const firefox = await launch({
    browser: 'firefox',
    executablePath: path,
    userDataDir: profile,
    acceptInsecureCerts: true,
    extraPrefsFirefox: preferences(proxy.port),
    // Without it no page of an extension may be opened.
    args: ['--remote-allow-system-access'],
  })
  const stop = async () => {
    await firefox.close()
    proxy.stop()
    await rm(profile, { recursive: true, force: true, maxRetries: 5 })
  }
  try {
    await firefox.installExtension(await builtForTests('firefox'))
    return { stop, ...(await openExtension(firefox)) }
  } catch (error) {
    await stop()
    throw error
  }
}

/** A page of the extension. Firefox changes the process under it, and sends no load event. */
async function openOwn(firefox: Browser, path: string): Promise<Page> {
  const page = await firefox.newPage()
  await page.goto(`${ORIGIN}${path}`, { waitUntil: [], timeout: PATIENCE_MS })
  const isThere = () =>
    page.evaluate('document.readyState + location.protocol').catch(() => 'under way')
  await until(async () => (await isThere()) === 'completemoz-extension:', `${path} has not loaded`)
  return page
}

async function openExtension(firefox: Browser) {
  /** A page with the extension's interfaces, like its worker in Chromium. */
  const own = await openOwn(firefox, '/options.html')

  /** The app with the page that it audits, as in the sidebar. */
  async function openApp(url: string, { width = 400, file = 'sidepanel' } = {}) {
    const page = await firefox.newPage()
    await page.goto(url)
    const tabId = await own.evaluate(async (url) => {
      const tabs = await browser.tabs.query({})
      return tabs.find((tab) => tab.url === url)?.id ?? 0
    }, url)
    const app = await openOwn(firefox, `/${file}.html?tab=${tabId}`)
    await app.setViewport({ width, height: 900 })
    return { page, app, tabId, view: viewOf(app) }
  }
  /** As freshly installed, but for `values`, with no page open. */
  const reset = async (values: Record<string, unknown> = { onboarded: true }) => {
    const others = (await firefox.pages()).filter((page) => page !== own)
    await Promise.all(others.map((page) => page.close()))
    await own.evaluate(async (values) => {
      await browser.storage.local.clear()
      await browser.storage.local.set(values)
    }, values)
  }
  const kept = () => own.evaluate(() => browser.storage.local.get(null))
  const granted = () => own.evaluate(() => browser.permissions.getAll())
  const manifest = () => own.evaluate(() => browser.runtime.getManifest())
  const badge = (tabId: number) =>
    own.evaluate((tabId) => browser.action.getBadgeText({ tabId }), tabId)
  return { openApp, reset, kept, granted, manifest, badge }
}

/** Writes `screenshots/extension-firefox-<name>.png` if SCREENSHOTS=1. */
export async function shootFirefox(page: Page, name: string): Promise<void> {
  if (!inject('screenshots')) return
  await mkdir('screenshots', { recursive: true })
  await page.screenshot({ path: `screenshots/extension-firefox-${name}.png`, fullPage: true })
}

/** A page of the app as a person sees it. */
const viewOf = (app: Page): View => ({
  text: async (words) => void (await shown(app, 'body', words)),
  image: async (name) => void (await shown(app, '[role=img], img', name)),
  press: async (name) => {
    const button = await shown(app, 'button, [role=tab], summary', name)
    await button?.click()
  },
  all: (selector) =>
    app.$$eval(selector, (found) => found.map((each) => (each as HTMLElement).innerText)),
})

/** Waits for an element with that name or text, and resolves to it. */
async function shown(app: Page, selector: string, words: string | RegExp) {
  const options = { timeout: PATIENCE_MS, polling: 50 }
  const [source, isPattern] = words instanceof RegExp ? [words.source, true] : [words, false]
  const handle = await app
    .waitForFunction(FIND, options, selector, source, isPattern)
    .catch(() => Promise.reject(new Error(`${words} is not shown.`)))
  return handle.asElement() as ElementHandle<Element> | null
}

/** Browsers are started before the tests, where `eventually` is not available. */
async function until(isTrue: () => Promise<boolean>, failure: string): Promise<void> {
  const end = performance.now() + PATIENCE_MS
  while (!(await isTrue())) {
    if (performance.now() > end) throw new Error(failure)
    await sleep(50)
  }
}

/** The first element with that name or text. Runs in the page. */
const FIND = (selector: string, words: string, isPattern: boolean): Element | undefined =>
  [...document.querySelectorAll<HTMLElement>(selector)].find((each) => {
    const text = (each.ariaLabel ?? each.innerText).replace(/\s+/g, ' ').trim()
    return isPattern ? new RegExp(words).test(text) : text.includes(words)
  })
