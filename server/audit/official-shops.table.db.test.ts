import { request as ask } from 'node:http'
import { sql } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { CHECK_NAMES, type CheckName, DEFAULT_CHECKS } from '../../shared/audit/vocabulary.ts'
import { fewRows } from '../../shared/testing/few-rows.ts'
import type { Answer } from '../../shared/web/http/fetched.ts'
import { createStore } from '../store/app.ts'
import { products } from '../store/db/tables.ts'
import type { PlatformProfiles } from '../store/dialects/ucp/negotiation/platform-profiles.ts'
import { officialMeasure, parsedJson } from '../store/testing/official/measure.ts'
import { platformsWith } from '../store/testing/platforms.ts'
import { testDeps } from '../store/testing/store.ts'
import type { Fetcher } from './probe/fetch/fetch.ts'
import { fetcherTo } from './probe/testing/fetcher.ts'
import { auditHere } from './testing/audit-here.ts'
import { type Ask, type Asked, behind } from './testing/official-shops/front.ts'
import {
  domainOf,
  MEASURED,
  OFFICIAL_SHOPS,
  type OfficialShop,
  type Sign,
} from './testing/official-shops.ts'

const FEW = fewRows(
  OFFICIAL_SHOPS,
  ({ gaps = {} }) => Object.keys(gaps).join(),
  ({ gaps = {} }) => Object.keys(gaps),
)

/** With OFFICIAL_SCHEMAS, what these stores answer is held to what the protocols publish. */
const measure = officialMeasure(process.env.OFFICIAL_SCHEMAS)

let fetcher: Fetcher
let port: number | undefined

/** The version that an agent speaks stands in the address of its profile. */
const platforms: PlatformProfiles = {
  find: (url) => platformsWith(/\d{4}-\d\d-\d\d/.exec(url)?.[0]).find(url),
}

beforeAll(async () => {
  const { deps } = await testDeps({ now: () => new Date() })
  // A third of the assortment shows as much as all of it, and is read sooner.
  await deps.db.delete(products).where(sql`right(${products.id}, 2)::int > 5`)
  const store = createStore({ deps, faults: [], official: true, platforms })
  const hosts = new Map(
    OFFICIAL_SHOPS.flatMap(({ name, hosts = [], fronts }) => {
      const domain = domainOf({ name })
      const whole = behind(fronts, async ({ method, path, search, headers, text, env }) =>
        store.fetch(
          new Request(`http://${domain}${path}${search}`, {
            method,
            headers,
            ...(text !== '' && { body: text }),
          }),
          env,
        ),
      )
      return [domain, `www.${domain}`, ...hosts].map((host): [string, Ask] => [host, whole])
    }),
  )
  const front = {
    fetch: async (request: Request, env: Asked['env']): Promise<Response> => {
      const { hostname: host, pathname: path, search } = new URL(request.url)
      port ??= env.incoming.socket.localPort
      const { method, headers } = request
      const text = await request.text()
      const whole = hosts.get(host)
      return whole === undefined
        ? new Response('Unknown host.', { status: 421 })
        : whole({ method, host, path, search, headers, text, env })
    },
  }
  fetcher = await fetcherTo(front, { clock: () => 0 })
})

const audit = (domain: string, checks: readonly CheckName[] = CHECK_NAMES) =>
  auditHere({ domain, checks }, { fetcher })

/** What is answered, in any status. */
async function answered(shop: OfficialShop, sign: Sign): Promise<Answer> {
  const session = fetcher.open()
  try {
    const answer = await session.request({
      method: sign.method ?? 'GET',
      url: new URL(sign.at, `https://${domainOf(shop)}`).href,
      headers: sign.headers ?? {},
      ...(sign.json !== undefined && { json: sign.json }),
      maxBytes: 2 ** 20,
    })
    if (answer.kind !== 'answer') throw new Error(JSON.stringify(answer))
    // What agents refuse by the schema is one of the shop's gaps.
    const held = 'ucp_form_departs' in (shop.gaps ?? {}) ? null : measure
    await held?.exchange({
      method: answer.method,
      // A platform has its tenants below a path of their own.
      path: new URL(answer.url).pathname.replace(/^\/kiln/, ''),
      headers: new Headers(sign.headers),
      sent: sign.json,
      status: answer.status,
      received: parsedJson(answer.body),
    })
    return answer
  } finally {
    await session.close()
  }
}

async function isSeen(shop: OfficialShop, sign: Sign): Promise<void> {
  const { status, body, headers } = await answered(shop, sign)
  expect([sign.at, status]).toEqual([sign.at, sign.status])
  if (typeof sign.says === 'string') expect(body).toBe(sign.says)
  else if (sign.says !== undefined) expect(body).toMatch(sign.says)
  expect(headers).toMatchObject(sign.has ?? {})
}

test('there are enough of them, each under a name of its own', () => {
  expect(OFFICIAL_SHOPS.length).toBeGreaterThanOrEqual(25)
  expect(new Set(OFFICIAL_SHOPS.map(({ name }) => name)).size).toBe(OFFICIAL_SHOPS.length)
})

test.each(FEW)('$name is what it says', async (shop) => {
  for (const sign of shop.signs) await isSeen(shop, sign)
})

// The schemas are not ours to keep, so that this runs where they are.
test.runIf(measure !== null).each(OFFICIAL_SHOPS)('$name is valid', async (shop) => {
  for (const each of MEASURED) await answered(shop, each)
})

async function saysNothingFalse({ name, gaps = {} }: OfficialShop): Promise<void> {
  const found = await audit(domainOf({ name }))
  // What is false is shown with what is said of it.
  const said = found.gaps.map(({ id, detail }) => (id in gaps ? id : `${id}: ${detail}`))
  expect(said.toSorted()).toEqual(Object.keys(gaps).toSorted())
}

test.each(FEW)('$name: nothing false is said', saysNothingFalse)

test.each([
  ['rest-only', undefined],
  ['untagged', /^UCP also asks for an ETag or Last-Modified/],
])('%s: what UCP advises of caching is said, and costs nothing', async (name, note) => {
  const shop = OFFICIAL_SHOPS.find((each) => each.name === name)
  const { gaps, passed_notes } = await audit(domainOf({ name: shop?.name ?? 'none' }), [
    'well_known',
  ])
  expect(gaps).toEqual([])
  if (note === undefined) expect(passed_notes.well_known_cacheable).toBeUndefined()
  else expect(passed_notes.well_known_cacheable).toMatch(note)
})

test('acp-alone: by default checks it sells, and only UCP is missing', async () => {
  const { gaps, passed_notes, breakdown, skipped } = await audit(
    domainOf({ name: 'acp-alone' }),
    DEFAULT_CHECKS,
  )
  expect(gaps.map(({ id }) => id)).toEqual(['well_known_missing'])
  expect(gaps[0]?.detail).toMatch(/speak UCP .+ find nothing\. Those that speak ACP buy at https:/)
  expect(passed_notes.checkout_reachable).toMatch(/^agents buy over ACP, at .+checkout_sessions/)
  expect(breakdown.checkout).toBeGreaterThan(5)
  expect(skipped.map(({ id }) => id)).toContain('checkout_dry_run_failed')
})

test('names of headers are written in title case', async () => {
  const names = await new Promise<string[]>((resolve, reject) => {
    const headers = { host: 'titlecase.example' }
    ask({ port, path: '/.well-known/ucp', headers }, (answer) => {
      answer.resume()
      resolve(answer.rawHeaders.filter((_, at) => at % 2 === 0))
    })
      .on('error', reject)
      .end()
  })
  expect(names).toEqual(expect.arrayContaining(['Content-Type', 'Cache-Control']))
})

test('a profile that is known already is not sent again', async () => {
  const session = fetcher.open()
  const ask = (headers: Record<string, string>) =>
    session.request({
      url: 'https://validated.example/.well-known/ucp',
      headers,
      maxBytes: 2 ** 18,
    })
  const first = await ask({})
  const etag = first.kind === 'answer' ? first.headers.etag : undefined
  expect(await ask({ 'if-none-match': etag ?? '' })).toMatchObject({ status: 304, body: '' })
  await session.close()
})
