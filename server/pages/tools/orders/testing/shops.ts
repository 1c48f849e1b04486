import { execFile, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { parseTar } from 'nanotar'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { TouchChoice } from '../../../../../shared/attribution/report.ts'
import { launchBrowser, type Site, serveHosts } from '../../../../../shared/testing/browser.ts'
import { eventually } from '../../../../../shared/testing/wait.ts'
import { DAY_MS, dayOf } from '../../../../../shared/web/moment.ts'
import { buildSnippet } from '../../../../../snippet/build.ts'
import { createProperty } from '../../../../attribution/properties.ts'
import { prepareSnippet } from '../../../../attribution/snippet/asset.ts'
import { packAisleNode } from '../../../../build/aisle-node.ts'
import { collectRecipeCode } from '../../../../build/recipe-code.ts'
import { testApp } from '../../../../testing/app.ts'
import { installPackages } from '../../../../testing/registry.ts'
import { fillIn } from '../recipe-files.ts'
import { findRecipe } from '../recipes.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The version of Next.js (300 MB) to install and run the recipe with; empty: it is skipped. */
    nextjs: string
  }
}

const PRELOAD = resolve('server/pages/tools/orders/testing/preload.mjs')

const run = promisify(execFile)

/**
 * The service at https://aisle.example, a person's browser, and stores that tests write. `stop`
 * ends everything that was started.
 */
export async function openShops() {
  const snippet = await prepareSnippet((await buildSnippet()).code)
  const made = await testApp({ now: () => new Date(), baseUrl: 'https://aisle.example', snippet })
  const sites = new Map<string, Site>([
    ['aisle.example', made.app.fetch],
    ['127.0.0.1', made.app.fetch],
  ])
  const answer: Site = (request, env) =>
    sites.get(new URL(request.url).hostname)?.(request, env) ?? new Response(null, { status: 404 })
  const hosts = await serveHosts({
    '*.example': answer,
    '*.hosts.example': answer,
    'api.stripe.com': answer,
    // Servers reach the service by its address.
    '127.0.0.1': answer,
  })
  const browser = await launchBrowser({ hosts })
  const closing: (() => Promise<unknown>)[] = []
  const serviceUrl = `http://127.0.0.1:${hosts.httpPort}`

  /**
   * A store with its own property. `recipe(id)` has the files of that recipe with the store's
   * values in them, by the names that the page gives them.
   */
  async function openShop(domain: string, lookback_days?: number) {
    const { id } = await createProperty(made.db, { domain, lookback_days }, new Date())
    const { key } = await made.createTestKey({ domains: [domain] })
    const names = { baseUrl: 'https://aisle.example', domain, id, lookback_days }
    const code = collectRecipeCode()
    const recipe = (of: string): Record<string, string> =>
      Object.fromEntries(
        (findRecipe(of)?.steps ?? []).flatMap(({ files = [] }) =>
          files.map((file) => [file.name, fillIn(code[file.code] ?? '', names)]),
        ),
      )

    /** The report of today and yesterday (midnight may pass meanwhile) for this store. */
    const reportBy = async (touch: TouchChoice) => {
      const now = Date.now()
      const [start = '', end = ''] = [now - DAY_MS, now].map(dayOf)
      const query = new URLSearchParams({ domain, start, end, touch })
      const headers = { Authorization: `Bearer ${key}` }
      const read = await made.app.request(`/api/report?${query}`, { headers })
      const { summary, currency, by_surface, funnel } = await read.json()
      const { ai_sessions, ai_orders, ai_revenue_cents } = summary
      return { ai_sessions, ai_orders, ai_revenue_cents, currency, by_surface, funnel }
    }
    const report = () => reportBy('last')
    /** One visit and one order, which is in it: joined. */
    const expectJoined = (value: number, currency = 'USD') =>
      eventually(report).toMatchObject({
        ai_sessions: 1,
        ai_orders: 1,
        ai_revenue_cents: value,
        currency,
        by_surface: { chatgpt: { sessions: 1, orders: 1 } },
      })

    return {
      id,
      key,
      url: `https://${domain}`,
      recipe,
      report,
      reportBy,
      expectJoined,
      serve: (site: Site) => void sites.set(domain, site),
      /** The environment of the store's server. */
      env: { AISLE_URL: serviceUrl, AISLE_KEY: key },
    }
  }

  /** A folder with these files, and `aisle-node` installed. */
  async function install(files: Record<string, string>, packages: readonly string[] = []) {
    const folder = await mkdtemp(join(tmpdir(), 'aisle-shop-'))
    closing.push(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
    const packed = parseTar(new Uint8Array(gunzipSync(await packAisleNode())))
    const installed = packed.map(({ name, text }) => [
      name.replace(/^package/, 'node_modules/aisle-node'),
      text,
    ])
    const all = { 'package.json': '{ "type": "module" }', ...files }
    for (const [name = '', text = ''] of [...Object.entries(all), ...installed]) {
      await mkdir(dirname(join(folder, name)), { recursive: true })
      await writeFile(join(folder, name), text)
    }
    for (const name of packages) {
      await symlink(resolve('node_modules', name), join(folder, 'node_modules', name))
    }
    return folder
  }

  /** Starts `server.js` of a folder as a process. Resolves to its address. */
  async function start(folder: string, env: Record<string, string>) {
    const child = fork(join(folder, 'server.js'), {
      cwd: folder,
      execArgv: ['--import', PRELOAD],
      env: { PATH: process.env.PATH, PORT: '0', STAND_IN_PORT: String(hosts.httpsPort), ...env },
    })
    closing.unshift(async () => {
      const closed = once(child, 'close')
      child.kill('SIGTERM')
      await closed
    })
    const [{ port }] = await once(child, 'message')
    return `http://127.0.0.1:${port}`
  }

  /** Installs Next.js into a folder, builds its app, and starts it. Resolves to its address. */
  async function startNext(folder: string, version: string, env: Record<string, string>) {
    const aisleNode = join(folder, 'node_modules/aisle-node')
    const kept = join(folder, 'aisle-node')
    await rename(aisleNode, kept)
    if (!(await installPackages(folder, [`next@${version}`, 'react@19', 'react-dom@19']))) {
      throw new Error('The npm registry cannot be reached, which has Next.js.')
    }
    await rename(kept, aisleNode)
    const program = join(folder, 'node_modules/next/dist/bin/next')
    const own = { PATH: process.env.PATH, HOME: folder, NEXT_TELEMETRY_DISABLED: '1' }
    await run(process.execPath, [program, 'build'], { cwd: folder, env: own })
    const child = spawn(process.execPath, [program, 'start', '-p', '0', '-H', '127.0.0.1'], {
      cwd: folder,
      env: { ...own, ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    closing.unshift(async () => {
      const closed = once(child, 'close')
      child.kill('SIGTERM')
      await closed
    })
    for await (const line of createInterface({ input: child.stdout })) {
      const [address] = /http:\/\/127\.0\.0\.1:\d+/.exec(line) ?? []
      if (address !== undefined) return address
    }
    throw new Error('Next.js did not say where it listens.')
  }

  /** Forwards a browser's request to the store's server, like a proxy. */
  const forward = async (request: Request, origin: string): Promise<Response> => {
    const { pathname } = new URL(request.url)
    const headers = new Headers(request.headers)
    for (const name of ['host', 'connection', 'content-length']) headers.delete(name)
    const body = await request.arrayBuffer()
    const sent = { method: request.method, headers, redirect: 'manual' as const }
    const answered = await fetch(`${origin}${pathname}`, {
      ...sent,
      ...(request.method === 'GET' ? {} : { body }),
    })
    const kept = new Headers(answered.headers)
    for (const name of ['content-encoding', 'transfer-encoding', 'connection']) kept.delete(name)
    return new Response(await answered.arrayBuffer(), { status: answered.status, headers: kept })
  }

  /** A new tab, in the browser of a person: headless ones count as robots. */
  async function openTab(): Promise<Page> {
    const page = await browser.newPage()
    const userAgent = (await page.evaluate(() => navigator.userAgent)).replace('Headless', '')
    const session = await page.context().newCDPSession(page)
    await session.send('Network.setUserAgentOverride', { userAgent })
    return page
  }

  /** Follows a link of ChatGPT into the store, until its visit is in the report. */
  async function visit(shop: Awaited<ReturnType<typeof openShop>>, page: Page) {
    await page.goto(`${shop.url}/?utm_source=chatgpt.com`)
    await eventually(shop.report).toMatchObject({ ai_sessions: 1, ai_orders: 0 })
    const found = await page.evaluate<{ id: string } | null>('aisle.session()')
    expect(found).not.toBeNull()
    return found?.id ?? ''
  }

  return {
    ...made,
    hosts,
    sites,
    openShop,
    install,
    start,
    startNext,
    forward,
    openTab,
    visit,
    closing,
    stop: async () => {
      for (const close of closing) await close()
      await browser.close()
      await hosts.close()
    },
  }
}

export type Shops = Awaited<ReturnType<typeof openShops>>

/** A page in HTML. */
export const htmlPage = (head: string, body: string): Response =>
  new Response(
    `<!doctype html><html lang="en"><head><title>Shop</title>${head}</head><body>${body}`,
    {
      headers: { 'Content-Type': 'text/html; charset=utf-8' },
    },
  )
