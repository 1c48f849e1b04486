import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { type Hosts, launchBrowser, type Site, serveHosts } from '../browser/testing.ts'
import { buildSnippet } from '../build.ts'

export const TAG = '<script async src="https://aisle.example/attribution.js?id=prop_1"></script>'

export interface Beacon {
  url: string
  headers: Headers
  body: { [key: string]: unknown; id: string; surface: string; confidence: number }
}

export interface Visit {
  /** Markup ahead of the tag; the tag, if it is another; markup after it. */
  head?: string
  tag?: string
  body?: string
  headers?: Record<string, string>
  query?: string
  /** The site whose link the visitor follows; without it, the address is typed in. */
  from?: string
  /** A script that runs in every document ahead of everything. */
  init?: string
}

/**
 * A browser, a shop whose pages a test writes, assistants that link to it, and an Aisle that
 * remembers what it was sent. `sites` adds hosts or replaces them.
 */
export function useShop(sites: Record<string, Site> = {}, options = {}) {
  const pages = new Map<string, { html: string; headers: Record<string, string> }>()
  const beacons: Beacon[] = []
  const requests: Request[] = []
  let code: string
  let hosts: Hosts
  let browser: BrowserContext

  const serveAisle: Site = async (request) => {
    const headers = {
      'Access-Control-Allow-Origin': '*',
      'Cross-Origin-Resource-Policy': 'cross-origin',
    }
    const { pathname } = new URL(request.url)
    if (pathname.endsWith('.js')) {
      return new Response(code, { headers: { ...headers, 'Content-Type': 'text/javascript' } })
    }
    beacons.push({ url: request.url, headers: request.headers, body: await request.json() })
    return Response.json({}, { headers })
  }

  const serveShop: Site = (request) => {
    requests.push(request)
    const { pathname } = new URL(request.url)
    const page = pages.get(pathname)
    if (page !== undefined) {
      return new Response(page.html, { headers: { 'Content-Type': 'text/html', ...page.headers } })
    }
    // The shop's own proxy for Aisle, or its icon.
    return pathname.startsWith('/proxy/')
      ? serveAisle(request)
      : new Response(null, { status: 204 })
  }

  beforeAll(async () => {
    code = (await buildSnippet()).code
    hosts = await serveHosts({
      'shop.example': serveShop,
      'aisle.example': serveAisle,
      'chatgpt.com': serveAnswer,
      'claude.ai': serveAnswer,
      'other.example': serveAnswer,
      ...sites,
    })
    browser = await launchBrowser({ hosts, ...options })
  })
  afterAll(async () => {
    await browser?.close()
    await hosts?.close()
  })
  beforeEach(() => {
    beacons.length = 0
  })

  /** Writes a page and says its address. */
  const write = ({ head = '', tag = TAG, body = '', headers = {}, query = '' }: Visit): string => {
    const path = `/page-${pages.size}`
    pages.set(path, { html: `<!doctype html><head>${head}${tag}</head>${body}`, headers })
    return `https://shop.example${path}${query}`
  }

  /** Writes a page and visits it. `heard` is what its own handlers and console heard go wrong. */
  async function visit(given: Visit = {}, page?: Page) {
    const url = write(given)
    const tab = page ?? (await browser.newPage())
    const errors: string[] = []
    tab.on('pageerror', (error) => errors.push(String(error)))
    tab.on('console', (message) => {
      if (message.type() === 'error') errors.push(message.text())
    })
    if (page === undefined) await tab.addInitScript(LISTEN + (given.init ?? ''))
    await (given.from === undefined ? tab.goto(url) : follow(tab, given.from, url))
    await tab.waitForLoadState('networkidle')
    const heard = async () => [...errors, ...(await tab.evaluate<string[]>('heard'))]
    return { page: tab, url, heard }
  }

  return {
    beacons,
    requests,
    visit,
    write,
    code: () => code,
    hosts: () => hosts,
    browser: () => browser,
  }
}

const LISTEN = `
  window.heard = [];
  for (const type of ['error', 'unhandledrejection', 'securitypolicyviolation']) {
    addEventListener(type, (event) =>
      heard.push([type, event.message || event.reason || event.violatedDirective].join(' ')), true);
  }
`

/** An assistant's answer: a page with a link to where the query says. */
const serveAnswer: Site = (request) => {
  const to = new URL(request.url).searchParams.get('to') ?? ''
  const link = `<a href="${to.replaceAll('&', '&amp;')}">shop</a>`
  return new Response(`<!doctype html>${link}`, { headers: { 'Content-Type': 'text/html' } })
}

export async function follow(page: Page, from: string, to: string): Promise<void> {
  await page.goto(`${from}/?to=${encodeURIComponent(to)}`)
  await page.click('a')
  await page.waitForURL(to)
}

/** What `aisle.session()` answers. */
export const sessionOf = (page: Page) => page.evaluate<Beacon['body'] | null>('aisle.session()')

/** Everything that the tab's sessionStorage holds. */
export const storedIn = (page: Page) =>
  page.evaluate<Record<string, string>>('({ ...sessionStorage })')
