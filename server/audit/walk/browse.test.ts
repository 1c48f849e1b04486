import { Hono } from 'hono'
import { beforeAll, expect, test } from 'vitest'
import { walkSeenOf } from '../../../shared/walk/seen.ts'
import { JUDGES_HERE } from '../judging/testing/judges-here.ts'
import { fetcherTo } from '../probe/testing/fetcher.ts'
import { createWalker } from './testing/walker.ts'

const VERSION = '2026-08-25'
const PRICE = { amount: 1500, currency: 'USD' }
const POT = {
  id: 'pot',
  title: 'Pot',
  description: { plain: 'A pot.' },
  price_range: { min: PRICE, max: PRICE },
  variants: [{ id: 'pot', title: 'Pot', price: PRICE, availability: { available: true } }],
}

const potWith = (variant: object) => ({ ...POT, variants: [{ ...POT.variants[0], ...variant }] })

/** What a store lists over each transport, and in its feed; null: nothing is there. */
interface Lists {
  rest?: object[] | null
  mcp?: object[] | null
  feed?: boolean
  /** What it says of the pot if it is asked for it by its id. */
  again?: object | null
  /** Its MCP server answers only those who opened a session. */
  greeted?: boolean
}

const STORES: Readonly<Record<string, Lists>> = {
  rest: { rest: [POT], mcp: null },
  mcp: { rest: null, mcp: [POT] },
  feed: { rest: null, mcp: null, feed: true },
  'empty-with-feed': { rest: [], feed: true },
  empty: { rest: [] },
  nameless: { rest: [{ ...POT, id: '', variants: [] }] },
  none: { rest: null, mcp: null },
  greeted: { rest: null, mcp: [POT], greeted: true },
  agrees: { rest: [POT], again: POT },
  dearer: { rest: [POT], again: potWith({ price: { amount: 1600, currency: 'USD' } }) },
  'sold-out': { rest: [POT], again: potWith({ availability: { available: false } }) },
  forgets: { rest: [POT], again: null },
  silent: { rest: [{ ...POT, variants: [{ ...POT.variants[0], availability: undefined }] }] },
}

const profileOf = (host: string, { rest, mcp, again }: Lists) => ({
  ucp: {
    version: VERSION,
    services: {
      'dev.ucp.shopping': [
        ...(rest === undefined ? [] : [over('rest', `https://${host}/rest`)]),
        ...(mcp === undefined ? [] : [over('mcp', `https://${host}/mcp`)]),
      ],
    },
    capabilities: Object.fromEntries(
      ['checkout', 'catalog.search', ...(again === undefined ? [] : ['catalog.lookup'])].map(
        (name) => [`dev.ucp.shopping.${name}`, [{ version: VERSION }]],
      ),
    ),
    payment_handlers: {},
  },
})
const over = (transport: string, endpoint: string) => ({ version: VERSION, transport, endpoint })

const catalog = (products: object[], cursor: string | null = null) => ({
  ucp: { version: VERSION },
  products,
  pagination: { has_next_page: cursor !== null, ...(cursor !== null && { cursor }) },
})

/** Sessions of the MCP server that wants them: how many were opened, and ended. */
const sessions = { opened: 0, ended: 0 }

const FEED = `id,title,description,link,image_link,price,availability
pot,Pot,A pot,https://feed.example/pot,https://feed.example/pot.png,15.00 USD,in_stock`

/** Its checkout says no to everything: what is bought does not matter here. */
const stores = new Hono()
  .get('/', (c) =>
    c.html(
      '<!doctype html><title>Shop</title><link rel="alternate" type="text/csv" title="Product feed" href="/product-feed.csv">',
    ),
  )
  .get('/.well-known/ucp', (c) => {
    const host = c.req.header('host') ?? ''
    return c.json(profileOf(host, listsOf(host)))
  })
  .get('/product-feed.csv', (c) =>
    listsOf(c.req.header('host')).feed
      ? c.body(FEED, 200, { 'content-type': 'text/csv' })
      : c.notFound(),
  )
  .post('/rest/catalog/search', (c) => {
    const { rest } = listsOf(c.req.header('host'))
    return rest ? c.json(catalog(rest)) : c.notFound()
  })
  .post('/rest/catalog/:ask{lookup|product}', (c) => {
    const { again = null } = listsOf(c.req.header('host'))
    const ucp = { version: VERSION }
    return c.req.param('ask') === 'lookup'
      ? c.json({ ucp, products: again === null ? [] : [again] })
      : again === null
        ? c.json({ code: 'not_found', content: 'There is none.' }, 404)
        : c.json({ ucp, product: again })
  })
  .delete('/mcp', (c) => {
    sessions.ended += 1
    return c.body(null, 204)
  })
  .post('/mcp', async (c) => {
    const { mcp, greeted = false } = listsOf(c.req.header('host'))
    const { id, method, params } = await c.req.json()
    const answer = (result: object) => c.json({ jsonrpc: '2.0', id, result })
    if (id === undefined) return c.body(null, 202)
    if (greeted && method !== 'initialize' && c.req.header('mcp-session-id') === undefined) {
      return c.text('Bad Request: No valid session ID provided', 400)
    }
    if (method === 'initialize') {
      sessions.opened += 1
      if (greeted) c.header('mcp-session-id', `session-${sessions.opened}`)
      const serverInfo = { name: 'x', version: '1' }
      return answer({ protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo })
    }
    const tool = { name: 'search_catalog', inputSchema: { type: 'object' } }
    if (method === 'tools/list') return answer({ tools: mcp ? [tool] : [] })
    const isFirst = params.arguments.catalog?.pagination?.cursor === undefined
    const cursor = greeted && isFirst ? 'next' : null
    return answer({ structuredContent: catalog(mcp ?? [], cursor) })
  })
  .all('*', (c) => c.json({ code: 'unauthorized', content: 'Who are you?' }, 401))

const listsOf = (host = ''): Lists => STORES[host.split('.')[0] ?? ''] ?? {}

let walker: ReturnType<typeof createWalker>
beforeAll(async () => {
  walker = createWalker({ fetcher: await fetcherTo(stores), judges: JUDGES_HERE })
})

/** How a walk looked for goods over one dialect, and whether it then went to the checkout. */
async function found(name: string, dialect: 'ucp_rest' | 'ucp_mcp') {
  const transcript = await walker.walk(`${name}.example`, 'look', ['cheapest_variant'], [dialect])
  const [route] = transcript.routes
  const [step] = route?.browsing ?? []
  const [purchase] = route?.purchases ?? []
  return {
    said: step?.failed?.found ?? step?.concluded.at(-1)?.text,
    failed: step?.failed?.expectation ?? null,
    steps: purchase?.steps.map((each) => each.step),
    outcome: purchase?.outcome,
    why: purchase?.why,
    whole: walkSeenOf(transcript).whole,
  }
}

test.each([
  ['rest', 'ucp_rest', 'The catalog over REST lists 1 product,'],
  ['rest', 'ucp_mcp', 'The catalog over REST lists 1 product,'],
  ['mcp', 'ucp_rest', 'The catalog over MCP lists 1 product,'],
  ['mcp', 'ucp_mcp', 'The catalog over MCP lists 1 product,'],
  ['feed', 'ucp_rest', 'The feed lists 1 product,'],
  ['feed', 'ucp_mcp', 'The feed lists 1 product,'],
  ['empty-with-feed', 'ucp_rest', 'The feed lists 1 product,'],
] as const)('what the store %s sells over %s: %s', async (name, dialect, said) => {
  const { said: text, failed, steps } = await found(name, dialect)
  expect(text).toMatch(said)
  expect([failed, steps?.[0]]).toEqual([null, 'open'])
})

test.each([
  ['rest', '1 of them in stock.'],
  ['silent', 'and does not say what is in stock.'],
])('what is in stock at the store %s: %s', async (name, said) => {
  expect((await found(name, 'ucp_rest')).said).toBe(
    `The catalog over REST lists 1 product, with 1 thing to choose from, ${said}`,
  )
})

test.each([
  ['empty', 'The catalog over REST has an empty list.'],
  ['nameless', 'No product that the catalog over REST lists has an id.'],
])('a list without anything to buy is at fault: %s', async (name, said) => {
  expect(await found(name, 'ucp_rest')).toEqual({
    said,
    failed: 'something_to_buy',
    steps: ['find'],
    outcome: 'not_walked',
    why: said,
    whole: false,
  })
})

test('a store that lists nothing anywhere is not at fault, and cannot be walked', async () => {
  const why = expect.stringMatching(
    /^Nothing to buy was found\. The catalog over MCP lists nothing: .+ The catalog over REST lists nothing: .+ The feed lists nothing: none was found\.$/,
  )
  expect(await found('none', 'ucp_mcp')).toEqual({
    said: why,
    failed: null,
    steps: ['find'],
    outcome: 'not_walked',
    why,
    // Nobody knows what its checkout would have done.
    whole: false,
  })
})

test.each([
  ['rest', 'pot', /^The catalog over REST lists 1 product, with 1 thing/],
  ['rest', 'cup', 'Nothing that was read lists cup; it is bought as it was given.'],
  ['none', 'cup', 'Nothing that was read lists cup; it is bought as it was given.'],
])('at the store %s, the given item %s is bought, listed or not', async (name, item, said) => {
  const { routes, missing } = await walker.walk(
    `${name}.example`,
    'look',
    ['cheapest_variant'],
    ['ucp_rest', 'acp'],
    item,
  )
  const [{ browsing, purchases } = { browsing: [], purchases: [] }] = routes
  expect(browsing[0]?.concluded.at(-1)?.text).toMatch(said)
  expect(purchases[0]?.steps[0]?.title).toMatch(/^Opens a checkout with 1 × /)
  const [opening] = purchases[0]?.steps[0]?.exchanges ?? []
  expect(opening?.request.body).toContain(item)
  expect(missing).toEqual([{ protocol: 'ACP', why: 'ACP was not found.' }])
})

test('one session of MCP is opened to read all pages of a catalog, and ended', async () => {
  sessions.opened = 0
  sessions.ended = 0
  expect((await found('greeted', 'ucp_rest')).said).toMatch('The catalog over MCP lists')
  expect(sessions).toEqual({ opened: 1, ended: 1 })
})

test('what is listed is read once, whichever dialects it is bought over', async () => {
  const { routes } = await walker.walk('feed.example', 'look', ['cheapest_variant'])
  const [first, second] = routes.flatMap(({ browsing: [step] }) => step ?? [])
  expect(first?.exchanges.map(({ request }) => new URL(request.url).pathname)).toContain(
    '/product-feed.csv',
  )
  expect(second?.exchanges).toEqual([])
  expect(second?.concluded.map(({ text }) => text)).toEqual([
    'It was read for another protocol before.',
    expect.stringMatching(/^The catalog over /),
    expect.stringMatching(/^The feed lists 1 product,/),
  ])
  expect(second?.held).toEqual(['something_to_buy'])
})

test.each([
  ['agrees', null, null],
  ['dearer', 'The look-up says 16.00 USD, where the list says 15.00 USD.', 'price'],
  [
    'sold-out',
    'The look-up calls it out_of_stock, where the list calls it in_stock.',
    'availability',
  ],
  ['forgets', 'The look-up does not have it.', 'id'],
])('what is listed is looked up again, at the store %s: %s', async (name, said, place) => {
  const [route] = (await walker.walk(`${name}.example`, 'look', ['cheapest_variant'], ['ucp_rest']))
    .routes
  const [, step] = route?.browsing ?? []
  expect(step?.title).toBe('Looks up Pot again')
  expect(step?.exchanges).toHaveLength(2)
  expect([step?.failed?.found ?? null, step?.failed?.field ?? null]).toEqual([
    said,
    place && `products[].variants[].${place}`,
  ])
  expect(step?.held).toEqual(name === 'agrees' ? ['catalog_agrees'] : [])
  // What is bought is bought all the same.
  expect(route?.purchases[0]?.steps[0]?.step).toBe('open')
})
