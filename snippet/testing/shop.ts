import type { BrowserContext, Page, Request as Sent } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { type Hosts, launchBrowser, type Site, serveHosts } from '../../shared/testing/browser.ts'
import { eventually } from '../../shared/testing/wait.ts'
import { buildSnippet } from '../build.ts'

export const TAG = '<script async src="https://aisle.example/attribution.js?id=prop_1"></script>'

interface Beacon {
  url: string
  headers: Headers
  body: { [key: string]: unknown; id: string; surface: string; confidence: number }
}

export interface Visit {
  /** Markup before the tag; the tag, if it is another; markup after it. */
  head?: string
  tag?: string
  body?: string
  headers?: Record<string, string>
  query?: string
  /** The site whose link the visitor follows; without it, the address is typed. */
  from?: string
  /** A script that runs first in every document. */
  init?: string
}

/**
 * A browser, a store whose pages a test writes, assistants that link to it, and an Aisle that
 * records requests. `sites` adds hosts or replaces them. `always` is in the head of each page of
 * the store.
 */
export function useShop(sites: Record<string, Site> = {}, options = {}, always = '') {
  const pages = new Map<string, { html: string; headers: Record<string, string> }>()
  const beacons: Beacon[] = []
  const requests: Request[] = []
  const underWay = new Set<Sent>()
  let code: string
  let hosts: Hosts
  let browser: BrowserContext

  const serveAisle: Site = async (request) => {
    const headers = {
      'Access-Control-Allow-Origin': '*',
      'Cross-Origin-Resource-Policy': 'cross-origin',
      'Timing-Allow-Origin': '*',
      'Cache-Control': 'public, max-age=3600',
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
    // The store's own proxy for Aisle, or its icon.
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
    browser.on('request', (request) => void underWay.add(request))
    browser.on('requestfinished', (request) => void underWay.delete(request))
    browser.on('requestfailed', (request) => void underWay.delete(request))
  })
  afterAll(async () => {
    await browser?.close()
    await hosts?.close()
  })
  beforeEach(() => {
    beacons.length = 0
  })
  afterEach(async () => {
    const [, ...pages] = browser?.pages() ?? []
    await Promise.all(pages.map((page) => page.close()))
    underWay.clear()
  })

  /**
   * Until the page has loaded and all its requests were answered. The script sends its request when
   * it runs, before the page has loaded.
   */
  async function quiet(page: Page): Promise<void> {
    await page.waitForLoadState('load')
    // What happened before it answers has been reported before.
    await page.evaluate(TURNS)
    await eventually(() => [...underWay].map((request) => request.url())).toEqual([])
    await page.evaluate(TURNS)
  }

  /** Goes to a page, and waits until it is quiet. */
  async function open(page: Page, url: string): Promise<void> {
    await page.goto(url)
    await quiet(page)
  }

  /** Writes a page and says its address. */
  const write = ({ head = '', tag = TAG, body = '', headers = {}, query = '' }: Visit): string => {
    const path = `/page-${pages.size}`
    pages.set(path, { html: `<!doctype html><head>${always}${head}${tag}</head>${body}`, headers })
    return `https://shop.example${path}${query}`
  }

  /** Writes a page and visits it. `heard` are the errors that its own handlers and console got. */
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
    await quiet(tab)
    const heard = async () => [...errors, ...(await tab.evaluate<string[]>('heard'))]
    return { page: tab, url, heard }
  }

  return {
    beacons,
    requests,
    visit,
    open,
    quiet,
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

/** Lets the page run its postponed work, such as reporting a rejection. */
const TURNS = 'new Promise((resolve) => setTimeout(() => setTimeout(resolve)))'

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

/** What `aisle.session()` answers, without when the visitor was seen last. */
export const sessionOf = (page: Page) =>
  page.evaluate<Beacon['body'] | null>(`(() => {
    const { seen, ...session } = aisle.session() ?? {}
    return session.id ? session : null
  })()`)

/** Everything that the tab's sessionStorage holds. */
export const storedIn = (page: Page) =>
  page.evaluate<Record<string, string>>('({ ...sessionStorage })')
