import { Hono } from 'hono'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { CHECK_NAMES } from '../../shared/audit/vocabulary.ts'
import { intentsOf } from '../../shared/walk/intents.ts'
import { createStore } from '../store/app.ts'
import type { Env } from '../store/http/routing.ts'
import { JUDGES_HERE } from './judging/testing/judges-here.ts'
import type { Fetcher } from './probe/fetch/fetch.ts'
import { auditSession } from './probe/session.ts'
import { fetcherTo } from './probe/testing/fetcher.ts'
import { auditHere } from './testing/audit-here.ts'
import { validateUrl } from './validate-manifest.ts'
import { TRUSTING, walkedDeps } from './walk/testing/walked-store.ts'
import { createWalker } from './walk/testing/walker.ts'

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const KEYED = /^(?:POST \/(?:checkout-sessions|carts)(?:\/[^/]+\/(?:complete|cancel))?|PUT .*)$/

/** What UCP's OpenAPI requires of a request over REST and this one lacks. */
function lackOf(request: string, headers: Headers): string | null {
  if (!/^profile="https:/.test(headers.get('ucp-agent') ?? '')) return 'UCP-Agent'
  if (!UUID.test(headers.get('request-id') ?? '')) return 'Request-Id'
  const isKeyed = KEYED.test(request)
  if (isKeyed && !UUID.test(headers.get('idempotency-key') ?? '')) return 'Idempotency-Key'
  return /^P/.test(request) && !/\/cancel$/.test(request) && headers.get('content-type') === null
    ? 'Content-Type'
    : null
}

let fetcher: Fetcher
const asked = new Set<string>()
const lacking: string[] = []
beforeEach(() => void lacking.splice(0))
beforeAll(async () => {
  const { deps } = await walkedDeps()
  const store = createStore({ deps, faults: [], ...TRUSTING })
  const demanding = new Hono<Env>().all('*', (c) => {
    const { pathname } = new URL(c.req.url)
    const path = /^\/ucp\/v1(\/.+)/.exec(pathname)?.[1]
    if (path === undefined) return store.fetch(c.req.raw, c.env)
    const request = `${c.req.method} ${path}`
    asked.add(request.replace(/(sessions|orders|carts)\/[^/]+/, '$1/:id'))
    const lack = lackOf(request, c.req.raw.headers)
    if (lack === null) return store.fetch(c.req.raw, c.env)
    lacking.push(`${request} without ${lack}`)
    return c.json({ code: 'invalid_request', content: `Send ${lack}.` }, 400)
  })
  fetcher = await fetcherTo(demanding, { clock: () => 0 })
})

test('an audit and a validation send what official UCP requires', async () => {
  const { gaps } = await auditHere({ domain: 'ucp.example', checks: CHECK_NAMES }, { fetcher })
  expect(lacking).toEqual([])
  expect(gaps).toEqual([])
  const session = fetcher.open()
  const url = 'https://ucp.example/.well-known/ucp'
  const { valid } = await validateUrl(auditSession(session, JUDGES_HERE), url)
  await session.close()
  expect([valid, lacking]).toEqual([true, []])
})

test('and a walk does in every operation', async () => {
  const { walk } = createWalker({ fetcher, judges: JUDGES_HERE })
  const looked = await walk('ucp.example', 'look', intentsOf('look'), ['ucp_rest'])
  const paid = await walk('ucp.example', 'sandbox', ['cheapest_variant'], ['ucp_rest'])
  expect(lacking).toEqual([])
  const purchases = [looked, paid].flatMap(({ routes }) => routes.flatMap((each) => each.purchases))
  expect(purchases.filter(({ outcome }) => outcome === 'failed')).toEqual([])
  expect([...asked].toSorted()).toEqual([
    'GET /carts/:id',
    'GET /checkout-sessions/:id',
    'GET /orders/:id',
    'POST /carts',
    'POST /carts/:id/cancel',
    'POST /catalog/lookup',
    'POST /catalog/product',
    'POST /catalog/search',
    'POST /checkout-sessions',
    'POST /checkout-sessions/:id/cancel',
    'POST /checkout-sessions/:id/complete',
    'PUT /carts/:id',
    'PUT /checkout-sessions/:id',
  ])
})
