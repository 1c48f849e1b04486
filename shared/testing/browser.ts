import { spawn } from 'node:child_process'
import { hash, X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer as createHttpServer } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import type { AddressInfo, Server } from 'node:net'
import { join } from 'node:path'
import { getRequestListener } from '@hono/node-server'
import { type BrowserContext, chromium } from 'playwright-core'
import { describe, inject } from 'vitest'
import { PATIENCE_MS } from './wait.ts'

/** What answers for a host: `app.fetch` of a Hono app, or any function like it. */
export type Site = (request: Request, env?: unknown) => Response | Promise<Response>

export interface Hosts {
  httpPort: number
  httpsPort: number
  close: () => Promise<void>
}

const PEM = readFileSync(new URL('./loopback.pem', import.meta.url), 'utf8')

const publicKey = new X509Certificate(PEM).publicKey.export({ type: 'spki', format: 'der' })
const KEY_HASH = hash('sha256', publicKey, 'base64')

/** `describe` for tests that need a browser: skipped by name if there is none. */
export const describeInBrowser = describe.skipIf(inject('browserPath') === null)

/**
 * Serves each site by its name, such as `shop.example` or `*.example`, over http and https on
 * loopback. Other hosts are 404.
 */
export async function serveHosts(sites: Record<string, Site>): Promise<Hosts> {
  const siteOf = (host: string): Site | undefined =>
    sites[host] ?? sites[host.replace(/^[^.]+/, '*')]
  const listener = getRequestListener(
    (request, env) =>
      siteOf(new URL(request.url).hostname)?.(request, env) ?? new Response(null, { status: 404 }),
  )
  const http = createHttpServer(listener)
  const https = createHttpsServer({ key: PEM, cert: PEM }, listener)
  const [httpPort, httpsPort] = await Promise.all([listen(http), listen(https)])
  return {
    httpPort,
    httpsPort,
    close: async () => {
      await Promise.all([stop(http), stop(https)])
    },
  }
}

const listen = (server: Server): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
  })

const stop = (server: ReturnType<typeof createHttpServer>): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })

/**
 * A headless Chromium with its own profile, for which every name is this machine: ports 80 and 443
 * are those of `hosts`, other ports stay. `extension` is the folder of an unpacked one;
 * `backForwardCache` keeps left pages, which Playwright otherwise disables. `asShipped` is for
 * measuring time: people's browsers optimize scripts. `close()` also deletes the profile.
 */
export async function launchBrowser({
  hosts,
  extension,
  backForwardCache = false,
  asShipped = false,
}: {
  hosts?: Hosts
  extension?: string
  backForwardCache?: boolean
  asShipped?: boolean
}): Promise<BrowserContext> {
  const profile = await mkdtemp(PROFILES)
  // The shell has no extensions and no back/forward cache, and people do not use it.
  const needsAll = asShipped || backForwardCache || extension !== undefined
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: needsAll ? browserPath() : (inject('headlessShellPath') ?? browserPath()),
    headless: true,
    chromiumSandbox: !IS_ROOT,
    ...(backForwardCache && { ignoreDefaultArgs: ['--disable-back-forward-cache'] }),
    args: [
      ...(asShipped ? [] : LEAN),
      ...(asShipped ? [] : extension ? ONE_PROCESS_A_SITE : ONE_PROCESS),
      ...loopbackOnly(hosts),
      // Tools of pages, which are behind a trial.
      ...(extension ? ['--enable-blink-features=WebMCP'] : []),
      ...(extension ? [`--disable-extensions-except=${extension}`] : []),
      ...(extension ? [`--load-extension=${extension}`] : []),
    ],
  })
  context.setDefaultTimeout(PATIENCE_MS)
  context.once('close', () => {
    removeProfile(profile)
  })
  return context
}

/**
 * Opens a page in a Chromium without Playwright: one that it drives never prerenders. Resolves to
 * what closes it.
 */
export async function openUnattended(url: string, hosts: Hosts): Promise<() => Promise<void>> {
  const profile = await mkdtemp(PROFILES)
  const args = [
    '--headless',
    `--user-data-dir=${profile}`,
    '--no-first-run',
    ...(IS_ROOT ? ['--no-sandbox'] : []),
    ...loopbackOnly(hosts),
    url,
  ]
  const browser = spawn(browserPath(), args, { stdio: 'ignore' })
  return async () => {
    const closed = once(browser, 'close')
    browser.kill()
    await closed
    removeProfile(profile)
  }
}

const PROFILES = join(inject('profiles'), 'browser-')

/** Only the last `--disable-features` counts: Playwright's names, and below them ours. */
const WITHOUT_FEATURES = [
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
  // Pages of the browser's own, which its address bar loads at every start.
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
]

/**
 * Animations of the browser's own window are off, as it is drawn on the processor. Scripts are not
 * optimized: pages are too short-lived for it to pay.
 */
const LEAN = [
  '--animation-duration-scale=0',
  '--js-flags=--no-opt --no-maglev',
  `--disable-features=${WITHOUT_FEATURES.join()}`,
]

// Pages in a process that has warmed up. With an extension, one for all would be slower.
const ONE_PROCESS_A_SITE = ['--process-per-site']
const ONE_PROCESS = ['--disable-site-isolation-trials', '--renderer-process-limit=1']

// Chromium refuses a sandbox to root, the user of containers.
const IS_ROOT = process.getuid?.() === 0

const loopbackOnly = (hosts?: Hosts): string[] => {
  const rules = [
    ...(hosts ? [`MAP *:443 127.0.0.1:${hosts.httpsPort}`] : []),
    ...(hosts ? [`MAP *:80 127.0.0.1:${hosts.httpPort}`] : []),
    'MAP * 127.0.0.1',
  ]
  return [
    `--host-resolver-rules=${rules.join(', ')}`,
    `--ignore-certificate-errors-spki-list=${KEY_HASH}`,
  ]
}

const browserPath = (): string => {
  const path = inject('browserPath')
  if (path === null) throw new Error('There is no browser: use describeInBrowser.')
  return path
}

const removeProfile = (profile: string): void => {
  rm(profile, { recursive: true, force: true, maxRetries: 5 }).catch(() => {})
}
