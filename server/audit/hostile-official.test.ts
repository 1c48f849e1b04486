import { afterAll, beforeAll, expect, test } from 'vitest'
import { CHECK_NAMES, type CheckName } from '../../shared/audit/vocabulary.ts'
import { PATIENCE_MS } from '../../shared/testing/wait.ts'
import { program } from '../testing/program.ts'
import { createJudges, type Judges } from './judging/judges.ts'
import type { Fetcher } from './probe/fetch/fetch.ts'
import { fetcherTo } from './probe/testing/fetcher.ts'
import { auditHere } from './testing/audit-here.ts'

// Official stores that answer what no store would, to break what reads them.

const VERSION = '2026-08-25'
const PAGE = '<!doctype html><title>Shop</title><a href="/products/green-tent">Tent</a>'
/** What a worker can read, and this thread cannot send on. */
const DEPTH = 4_000
const deep = (open: string, close: string) => open.repeat(DEPTH) + close.repeat(DEPTH)
/** Neither a text nor a number: it hides what would make it one. */
const HIDING = '{"toString":1,"valueOf":1}'

const profileOf = (host: string) => ({
  ucp: {
    version: VERSION,
    services: {
      'dev.ucp.shopping': ['rest', 'mcp'].map((transport) => ({
        version: VERSION,
        spec: `https://ucp.dev/${VERSION}/specification/overview`,
        schema: `https://ucp.dev/${VERSION}/services/shopping/${transport}.json`,
        transport,
        endpoint: `https://${host}/${transport}`,
      })),
    },
    capabilities: Object.fromEntries(
      ['checkout', 'catalog.search', 'catalog.lookup'].map((name) => [
        `dev.ucp.shopping.${name}`,
        [
          {
            version: VERSION,
            spec: `https://ucp.dev/${VERSION}/specification/${name}`,
            schema: `https://ucp.dev/${VERSION}/schemas/shopping/${name.replace('.', '_')}.json`,
          },
        ],
      ]),
    ),
    payment_handlers: {},
  },
})

/** Text by which a store answers where its own is meant; JSON unless it begins an event. */
interface Hostile {
  rest?: string
  mcp?: string
  acp?: string
  keys?: string
}

const productWith = (members: string): string =>
  `{"products":[{"id":"a","title":"Tent","description":{"plain":"x"},"variants":[{"id":"v"},{"id":"w"}],${members}}]}`
const error = (members: string) => `{"jsonrpc":"2.0","id":1,"error":{"code":-32000,${members}}}`
const tool = (result: string) => `{"jsonrpc":"2.0","id":1,"result":${result}}`

const HOSTILE: Record<string, Hostile> = {
  'names-that-hide': {
    rest: productWith(
      `"options":[{"name":${HIDING}}],"variants":[{"id":"v","barcodes":[{"type":${HIDING}}],"options":[{"name":${HIDING},"label":${HIDING}}]},{"id":"w","price":{"amount":${HIDING}}}]`,
    ),
  },
  'names-that-nest': {
    rest: productWith(`"variants":[{"id":"v","barcodes":[{"type":${deep('[', ']')}}]},{"id":"w"}]`),
  },
  'a-message-of-accepts': { mcp: error(`"message":"${'accept '.repeat(250_000)}"`) },
  'data-that-nests': { mcp: error(`"message":"No.","data":${deep('[', ']')}`) },
  'text-that-nests': {
    mcp: tool(
      `{"tools":[{"name":"search_catalog"}],"content":[{"text":${JSON.stringify(
        `{"ucp":${deep('{"a":', '}').replace(':}', ':1}')}}`,
      )}}]}`,
    ),
  },
  'an-address-of-slashes': {
    acp: `{"api_base_url":"https://shop.example/${'/'.repeat(250_000)}a"}`,
  },
  'an-address-that-is-private': { acp: '{"api_base_url":"https://u:p@127.0.0.1:22/x"}' },
  'numbers-and-halves': {
    rest: productWith(
      '"__proto__":{"id":1},"constructor":1,"price_range":{"min":{"amount":1e999,"currency":"\\ud800"}},"url":"\\udfff"',
    ),
  },
  'keys-that-hide': {
    keys: `[{"kid":"a","kty":${HIDING},"crv":${HIDING},"alg":${HIDING},"x":${HIDING},"y":1}]`,
  },
}

/** Every answer of its services is the same. */
const FULL = 'has-had-enough'

/** It answers over MCP within sessions alone. */
const GREETED = 'wants-to-be-greeted'
const sessions = new Set<string>()

let fetcher: Fetcher
let judges: Judges
const asked: string[] = []

beforeAll(async () => {
  judges = createJudges({ maxMs: PATIENCE_MS, file: await program('judging-worker') })
  fetcher = await fetcherTo(
    {
      fetch: async (request: Request) => {
        const { hostname, pathname } = new URL(request.url)
        const hostile = HOSTILE[hostname.replace('.example', '')]
        asked.push(`${request.method} ${pathname}`)
        const json = (text: string, status = 200) =>
          new Response(text, { status, headers: { 'content-type': 'application/json' } })
        if (pathname === '/')
          return new Response(PAGE, { headers: { 'content-type': 'text/html' } })
        if (pathname === '/.well-known/ucp') {
          const profile = JSON.stringify(profileOf(hostname))
          const { keys } = hostile ?? {}
          return json(keys === undefined ? profile : `${profile.slice(0, -1)},"keys":${keys}}`)
        }
        if (pathname === '/.well-known/acp.json' && hostile?.acp) return json(hostile.acp)
        if (pathname.startsWith('/rest/') && hostile?.rest) return json(hostile.rest)
        if (hostname === `${FULL}.example`) return json('{}', 429)
        if (hostname === `${GREETED}.example` && pathname === '/mcp') {
          const { method } = request.method === 'POST' ? await request.json() : { method: 'end' }
          const id = request.headers.get('mcp-session-id')
          if (method === 'end') sessions.delete(id ?? '')
          if (method === 'initialize') sessions.add('one')
          const result = { protocolVersion: '2025-06-18', tools: [] }
          return method === 'initialize' || sessions.has(id ?? '')
            ? new Response(JSON.stringify({ jsonrpc: '2.0', id: 1, result }), {
                headers: { 'content-type': 'application/json', 'mcp-session-id': 'one' },
              })
            : json(error('"message":"No session."'), 400)
        }
        if (pathname === '/mcp' && hostile?.mcp) return json(hostile.mcp)
        return new Response('', { status: 404 })
      },
    },
    { clock: () => 0 },
  )
})

afterAll(() => judges?.close())

async function audit(name: string, checks: readonly CheckName[] = CHECK_NAMES) {
  asked.length = 0
  return auditHere({ domain: `${name}.example`, checks }, { fetcher, judges })
}

test('a service that has had enough is asked nothing more', async () => {
  await audit(FULL)
  const ofServices = asked.filter((each) => / \/(rest|mcp|acp)/.test(each))
  expect(ofServices.toSorted()).toEqual([
    'POST /acp/checkout/create',
    'POST /mcp',
    'POST /rest/catalog/search',
    'POST /rest/checkout-sessions',
  ])
})

test.each([
  ['well_known', 1],
  ['schema', 1],
  ['attribution', 0],
] as const)('checks of %s leave no session of MCP open', async (check, opened) => {
  // With the snippet's rules there is something to judge in any store.
  await audit(GREETED, [check, 'attribution'])
  expect([...sessions]).toEqual([])
  expect(asked.filter((each) => each === 'DELETE /mcp').length).toBe(opened)
  expect(asked.some((each) => each.endsWith('/mcp'))).toBe(opened > 0)
})

test.each(Object.keys(HOSTILE))('%s is audited to the end', async (name) => {
  const found = await audit(name)
  const thrown = found.skipped.filter(({ reason }) => reason.startsWith('could not be judged'))
  expect(thrown).toEqual([])
  expect(asked.length).toBeLessThanOrEqual(31)
  expect(JSON.stringify(found).length).toBeLessThan(200_000)
})
