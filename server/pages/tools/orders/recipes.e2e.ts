import { execFile } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import Stripe from 'stripe'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { describeInBrowser, type Site } from '../../../../shared/testing/browser.ts'
import { eventually } from '../../../../shared/testing/wait.ts'
import { DAY_MS } from '../../../../shared/web/moment.ts'
import { htmlPage, openShops, type Shops } from './testing/shops.ts'

const run = promisify(execFile)

/** Stands for a store's own code: it places every order, and reads its form. */
const SHOP = `
let last = 1000
export async function placeOrder(request) {
  let text = ''
  for await (const chunk of request) text += chunk
  last += 1
  return {
    order: { id: 'order-' + last, total: 4999, currency: 'USD' },
    form: new URLSearchParams(text),
  }
}
`

/** The rest of a store in Next.js. */
const NEXT_SHOP = {
  'shop.js': `let last = 1000
export async function placeOrder(cart) {
  if (!cart) throw new Error('no cart')
  last += 1
  return { id: 'order-' + last, total: 4999, currency: 'USD' }
}`,
  'app/page.js': `import Link from 'next/link'
export default function Home() {
  return <Link href="/checkout">Checkout</Link>
}`,
  'app/checkout/page.js': `import { BuyButton } from './buy-button.js'
export default function Checkout() {
  return <BuyButton cart={[{ product: 'tent' }]} />
}`,
  'app/thanks/page.js': `export default function Thanks() {
  return <p>Thank you</p>
}`,
}

const BUY = '<form method="post" action="/orders"><button>Buy</button></form>'

const BANNER = `<button onclick="aisle.consent(true)">Accept</button>
  <button onclick="aisle.consent(false)">Refuse</button>`

/** As every theme of Shopify has it (https://shopify.dev/docs/api/ajax). */
const THEME = '<script>window.Shopify = { routes: { root: "/" } }</script>'

/** What a recipe puts into the head of each page. */
const headOf = (files: Record<string, string>): string =>
  ['The tag, in the head', 'After the tag', 'After both'].map((name) => files[name] ?? '').join('')

const cookieOf = async (page: Page): Promise<string | undefined> =>
  (await page.context().cookies(page.url())).find(({ name }) => name === 'aisle_visit')?.value

describeInBrowser('recipes, as their pages show them', () => {
  let shops: Shops
  beforeAll(async () => {
    shops = await openShops()
  })
  afterAll(() => shops?.stop())

  /** The recipe for Node, behind the store's pages. */
  async function serveNode(
    shop: Awaited<ReturnType<Shops['openShop']>>,
    files: Record<string, string>,
  ) {
    const origin = await shops.start(
      await shops.install({ 'server.js': files['server.js']!, 'shop.js': SHOP }),
      shop.env,
    )
    const head = headOf(files)
    shop.serve((request) =>
      request.method === 'POST' ? shops.forward(request, origin) : htmlPage(head, BUY),
    )
  }

  test('Node: an order is joined to the visit that a surface brought', async () => {
    const shop = await shops.openShop('node.example')
    await serveNode(shop, shop.recipe('node'))
    const page = await shops.openTab()
    const id = await shops.visit(shop, page)
    await page.goto(`${shop.url}/cart`)
    await page.getByRole('button', { name: 'Buy' }).click()
    await page.waitForURL(`${shop.url}/thanks?order=order-1001`)
    expect(await cookieOf(page)).toBe(id)
    await shop.expectJoined(4999)
  })

  test('whoever no surface sent has no cookie, and their order is not reported', async () => {
    const shop = await shops.openShop('direct.example')
    await serveNode(shop, shop.recipe('node'))
    const page = await shops.openTab()
    await page.goto(shop.url)
    await page.getByRole('button', { name: 'Buy' }).click()
    await page.waitForURL(`${shop.url}/thanks?order=order-1001`)
    expect(await cookieOf(page)).toBeUndefined()
    expect(await shop.report()).toMatchObject({ ai_sessions: 0, ai_orders: 0 })
  })

  test('the cookie waits for consent, and goes with it', async () => {
    const shop = await shops.openShop('consent.example')
    const files = shop.recipe('node')
    const tag = files['The tag, in the head']!.replace('async', 'async data-consent="required"')
    shop.serve(() => htmlPage(tag + files['After the tag']!, '<p>Shop</p>'))
    const page = await shops.openTab()
    const id = await shops.visit(shop, page)
    await page.getByText('Shop').click()
    expect(await cookieOf(page)).toBeUndefined()
    await page.evaluate('aisle.consent(true)')
    await page.getByText('Shop').click()
    expect(await cookieOf(page)).toBe(id)
    await page.evaluate('aisle.consent(false)')
    await page.getByText('Shop').click()
    expect(await cookieOf(page)).toBeUndefined()
  })

  test('the click that accepts writes the cookie, and the one that refuses takes it', async () => {
    const shop = await shops.openShop('click.example')
    const files = shop.recipe('node')
    const tag = files['The tag, in the head']!.replace('async', 'async data-consent="required"')
    shop.serve(() => htmlPage(tag + files['After the tag']!, BANNER))
    const page = await shops.openTab()
    const id = await shops.visit(shop, page)
    await page.getByRole('button', { name: 'Accept' }).click()
    await eventually(() => cookieOf(page)).toBe(id)
    await page.getByRole('button', { name: 'Refuse' }).click()
    await eventually(() => cookieOf(page)).toBeUndefined()
  })

  test('a click does not renew the cookie: it ends a day after its visit began', async () => {
    const shop = await shops.openShop('renewed.example')
    const files = shop.recipe('node')
    shop.serve(() => htmlPage(files['The tag, in the head']! + files['After the tag']!, BANNER))
    const page = await shops.openTab()
    const id = await shops.visit(shop, page)
    await eventually(() => cookieOf(page)).toBe(id)
    const endOf = async () =>
      (await page.context().cookies(page.url())).find(({ name }) => name === 'aisle_visit')?.expires
    const end = await endOf()
    await page.waitForTimeout(1100)
    await page.mouse.click(5, 5)
    await page.goto(`${shop.url}/cart`)
    expect(await cookieOf(page)).toBe(id)
    expect(await endOf()).toBe(end)
  })

  /** The visit that each recipe's code sends to the store, as its server gets it. */
  const visitIn = {
    node: async ({ headers }: Request) =>
      /aisle_visit=([^;]*)/.exec(headers.get('cookie') ?? '')?.[1],
    html: async (request: Request) => new URLSearchParams(await request.text()).get('aisle_visit'),
    shopify: async (request: Request) => (await request.json()).attributes.aisle_visit,
  }

  test.each(['node', 'html', 'shopify'] as const)(
    '%s: a store that looks back joins the order of a later tab, by both visits',
    async (recipe) => {
      const shop = await shops.openShop(`lookback-${recipe}.example`, 14)
      const files = shop.recipe(recipe)
      const sent: unknown[] = []
      shop.serve(async (request) => {
        if (request.method === 'GET')
          return htmlPage(THEME + headOf(files), files['checkout.html'] ?? BUY)
        sent.push(await visitIn[recipe](request))
        return Response.json({})
      })
      const page = await shops.openTab()
      const first = await shops.visit(shop, page)
      await eventually(() => cookieOf(page)).toBe(first)
      const cookies = await page.context().cookies(page.url())
      const days =
        (cookies.find(({ name }) => name === 'aisle_visit')!.expires * 1000 - Date.now()) / DAY_MS
      expect(Math.round(days * 10)).toBe(140)
      await page.goto(`${shop.url}/?utm_source=perplexity`)
      const last = await page.evaluate<string>('aisle.session().id')
      await eventually(() => cookieOf(page)).toBe(`${last}_${first}`)
      const later = await page.context().newPage()
      await later.goto(shop.url)
      await later.getByRole('button', { name: 'Buy' }).click()
      await eventually(() => sent.at(-1)).toBe(`${last}_${first}`)
      const order = { event: 'ai_checkout_completed', domain: `lookback-${recipe}.example` }
      const properties = { visit_id: sent.at(-1), value: 4999, currency: 'USD' }
      const body = JSON.stringify({ ...order, session_id: 'order-1', source: 'web', properties })
      const headers = { Authorization: `Bearer ${shop.key}`, 'Content-Type': 'application/json' }
      const told = await shops.app.request('/api/report', { method: 'POST', headers, body })
      expect(await told.json()).toMatchObject({ status: 'recorded', ai_source: 'perplexity' })
      expect((await shop.report()).by_surface).toMatchObject({
        chatgpt: { sessions: 1, orders: 0 },
        perplexity: { sessions: 1, orders: 1 },
      })
      expect((await shop.reportBy('first')).by_surface).toMatchObject({
        chatgpt: { sessions: 1, orders: 1 },
        perplexity: { sessions: 1, orders: 0 },
      })
      // What an advertisement brings is no visit of an assistant.
      await page.goto(`${shop.url}/?gclid=x`)
      await eventually(() => cookieOf(page)).toBeUndefined()
    },
  )

  test('with the line for it, a checkout on another host has the cookie, until consent goes', async () => {
    const shop = await shops.openShop('hosts.example')
    const files = shop.recipe('node')
    const script = files['After the tag']!.replace('// hosts =', 'hosts =')
    const site: Site = () => htmlPage(files['The tag, in the head']! + script, BANNER)
    shop.serve(site)
    shops.sites.set('checkout.hosts.example', site)
    const page = await shops.openTab()
    const id = await shops.visit(shop, page)
    await eventually(() => cookieOf(page)).toBe(id)
    await page.goto('https://checkout.hosts.example/')
    expect(await cookieOf(page)).toBe(id)
    await page.goto(shop.url)
    await page.getByRole('button', { name: 'Refuse' }).click()
    await eventually(() => cookieOf(page)).toBeUndefined()
  })

  test('Plain HTML: the form carries the visit, and one call reports the order', async () => {
    const shop = await shops.openShop('html.example')
    const files = shop.recipe('html')
    const sent: (string | null)[] = []
    shop.serve(async (request) => {
      if (request.method === 'GET') return htmlPage(headOf(files), files['checkout.html']!)
      sent.push(new URLSearchParams(await request.text()).get('aisle_visit'))
      return new Response(null, { status: 303, headers: { location: '/thanks' } })
    })
    const page = await shops.openTab()
    const id = await shops.visit(shop, page)
    await page.getByRole('button', { name: 'Buy' }).click()
    await page.waitForURL(`${shop.url}/thanks`)
    expect(sent).toEqual([id])
    const { stdout } = await run('sh', ['-c', files['With curl']!], {
      env: { PATH: process.env.PATH, ...shop.env, ORDER_ID: 'order-7', VISIT_ID: id },
    })
    expect(JSON.parse(stdout)).toMatchObject({ status: 'recorded', ai_source: 'chatgpt' })
    await shop.expectJoined(4999)
    // The tag still reports what brought the visitor, and keeps nothing of it from now on.
    await page.goto(`${shop.url}/?utm_source=chatgpt.com`)
    await page.evaluate('aisle.consent(false)')
    await page.getByRole('button', { name: 'Buy' }).click()
    await page.waitForURL(`${shop.url}/thanks`)
    expect(sent).toEqual([id, ''])
  })

  test('Plain HTML: an order that comes before consent is joined to no visit', async () => {
    const shop = await shops.openShop('html-consent.example')
    const files = shop.recipe('html')
    const waiting = headOf(files).replace('async', 'async data-consent="required"')
    const sent: (string | null)[] = []
    shop.serve(async (request) => {
      if (request.method === 'GET') return htmlPage(waiting, files['checkout.html']!)
      sent.push(new URLSearchParams(await request.text()).get('aisle_visit'))
      return new Response(null, { status: 303, headers: { location: '/thanks' } })
    })
    const page = await shops.openTab()
    await shops.visit(shop, page)
    await page.getByRole('button', { name: 'Buy' }).click()
    await page.waitForURL(`${shop.url}/thanks`)
    expect(sent).toEqual([''])
  })

  test('Google Tag Manager: what a container inserts writes the cookie', async () => {
    const shop = await shops.openShop('gtm.example')
    const files = shop.recipe('google-tag-manager')
    const node = shop.recipe('node')
    const origin = await shops.start(
      await shops.install({ 'server.js': node['server.js']!, 'shop.js': SHOP }),
      shop.env,
    )
    const tags = JSON.stringify(Object.values(files)).replaceAll('<', '\\u003c')
    // A container recreates scripts with only their text or address.
    const container = `<script>
      for (const html of ${tags}) {
        const box = document.createElement('div')
        box.innerHTML = html
        for (const { text, src } of box.querySelectorAll('script')) {
          const made = document.createElement('script')
          if (src) made.src = src
          else made.text = text
          document.body.append(made)
        }
      }
    </script>`
    shop.serve((request) =>
      request.method === 'POST' ? shops.forward(request, origin) : htmlPage('', BUY + container),
    )
    const page = await shops.openTab()
    const id = await shops.visit(shop, page)
    await page.getByRole('button', { name: 'Buy' }).click()
    await page.waitForURL(`${shop.url}/thanks?order=order-1001`)
    expect(await cookieOf(page)).toBe(id)
    await shop.expectJoined(4999)
  })

  // With NEXTJS=16.4.6: it installs 300 MB and builds an app, which takes minutes.
  describe.skipIf(inject('nextjs') === '')('in Next.js', () => {
    test('Next.js: an order is joined to the visit that a surface brought', async () => {
      const shop = await shops.openShop('nextjs.example')
      const folder = await shops.install({
        ...NEXT_SHOP,
        ...shop.recipe('nextjs'),
        'package.json': '{ "private": true }',
      })
      const origin = await shops.startNext(folder, inject('nextjs'), shop.env)
      shop.serve((request) => shops.forward(request, origin))
      const page = await shops.openTab()
      const id = await shops.visit(shop, page)
      await page.getByRole('link', { name: 'Checkout' }).click()
      const [ordered] = await Promise.all([
        page.waitForRequest(`${shop.url}/api/orders`),
        page.getByRole('button', { name: 'Buy' }).click(),
      ])
      expect(ordered.headers()['aisle-visit']).toBe(id)
      await page.waitForURL(`${shop.url}/thanks?order=order-1001`)
      await shop.expectJoined(4999)
      await page.goto(`${shop.url}/checkout?utm_source=chatgpt.com`)
      await page.evaluate('aisle.consent(false)')
      const [refused] = await Promise.all([
        page.waitForRequest(`${shop.url}/api/orders`),
        page.getByRole('button', { name: 'Buy' }).click(),
      ])
      expect(refused.headers()).not.toHaveProperty('aisle-visit')
    }, 600_000)
  })

  test('Stripe: the visit comes back with the signed webhook', async () => {
    const shop = await shops.openShop('stripe.example')
    const files = shop.recipe('stripe')
    const secret = 'whsec_test'
    const origin = await shops.start(
      await shops.install({ 'server.js': files['server.js']! }, ['stripe']),
      { ...shop.env, STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_WEBHOOK_SECRET: secret },
    )
    const created: URLSearchParams[] = []
    shops.sites.set('api.stripe.com', async (request) => {
      created.push(new URLSearchParams(await request.text()))
      return Response.json({ id: 'cs_1', object: 'checkout.session', url: `${shop.url}/paying` })
    })
    const head = files['The tag, in the head']! + files['After the tag']!
    const form = BUY.replace('/orders', '/checkout')
    shop.serve((request) =>
      request.method === 'POST' ? shops.forward(request, origin) : htmlPage(head, form),
    )
    const page = await shops.openTab()
    const id = await shops.visit(shop, page)
    await page.getByRole('button', { name: 'Buy' }).click()
    await page.waitForURL(`${shop.url}/paying`)
    expect(created[0]?.get('metadata[aisle_visit]')).toBe(id)

    const deliver = async (type: string, session: object, signedWith = secret) => {
      const payload = JSON.stringify({
        id: 'evt_1',
        object: 'event',
        created: Math.floor(Date.now() / 1000),
        type,
        data: { object: { id: 'cs_1', metadata: { aisle_visit: id }, ...session } },
      })
      const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret: signedWith })
      const headers = { 'stripe-signature': signature }
      const url = `${origin}/webhooks/stripe`
      return (await fetch(url, { method: 'POST', body: payload, headers })).status
    }
    const paid = { payment_status: 'paid', amount_total: 12_300, currency: 'eur' }
    expect(await deliver('checkout.session.completed', paid, 'whsec_other')).toBe(400)
    const unpaid = { ...paid, id: 'cs_0', payment_status: 'unpaid' }
    expect(await deliver('checkout.session.completed', unpaid)).toBe(200)
    expect(await deliver('checkout.session.async_payment_succeeded', paid)).toBe(200)
    expect(await deliver('checkout.session.completed', paid)).toBe(200)
    await shop.expectJoined(12_300, 'EUR')
  })

  test('Stripe: what an assistant bought is reported, and what was given back', async () => {
    const shop = await shops.openShop('stripe-agents.example')
    const secret = 'whsec_test'
    const server = shop.recipe('stripe')['server.js'] ?? ''
    const origin = await shops.start(await shops.install({ 'server.js': server }, ['stripe']), {
      ...shop.env,
      STRIPE_SECRET_KEY: 'sk_test_1',
      STRIPE_WEBHOOK_SECRET: secret,
    })
    shops.sites.set('api.stripe.com', (request) => {
      const url = new URL(request.url)
      expect(url.searchParams.get('expand[0]')).toBe('agent_details')
      const id = url.pathname.split('/').at(-1)
      const network_business_profile = id === 'pi_1' ? 'profile_1234' : 'profile_5678'
      return Response.json({
        id,
        object: 'payment_intent',
        agent_details: { network_business_profile },
      })
    })
    const created = Math.floor(Date.now() / 1000)
    const deliver = async (type: string, object: object) => {
      const payload = JSON.stringify({
        id: 'evt',
        object: 'event',
        created,
        type,
        data: { object },
      })
      const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret })
      const headers = { 'stripe-signature': signature }
      await fetch(`${origin}/webhooks/stripe`, { method: 'POST', body: payload, headers })
    }
    const paid = { payment_status: 'paid', amount_total: 2000, currency: 'usd', metadata: {} }
    const completed = 'checkout.session.completed'
    await deliver(completed, { ...paid, id: 'cs_1', payment_intent: 'pi_1', ui_mode: 'agentic' })
    await deliver(completed, {
      ...paid,
      id: 'cs_2',
      payment_intent: 'pi_2',
      metadata: { agentic: 'true' },
    })
    await deliver(completed, { ...paid, id: 'cs_3', payment_intent: 'pi_3', ui_mode: 'hosted' })
    await eventually(shop.report).toMatchObject({
      ai_orders: 2,
      ai_revenue_cents: 4000,
      by_surface: { chatgpt: { orders: 1 }, other_ai: { orders: 1 } },
    })
    const refund = { id: 're_1', payment_intent: 'pi_1', amount: 500, currency: 'usd', created }
    await deliver('refund.created', { ...refund, status: 'pending' })
    await deliver('refund.updated', { ...refund, status: 'succeeded' })
    await deliver('refund.updated', { ...refund, status: 'succeeded' })
    await eventually(shop.report).toMatchObject({
      by_surface: { chatgpt: { refunds: 1, refunded_cents: 500, net_revenue_cents: 1500 } },
    })
  })

  test('Shopify: the cart gets the visit, and a signed webhook reports the order', async () => {
    const shop = await shops.openShop('shopify.example')
    const files = shop.recipe('shopify')
    const origin = await shops.start(await shops.install({ 'server.js': files['server.js']! }), {
      ...shop.env,
      SHOPIFY_SECRET: 'hush',
    })
    const carts: { attributes: Record<string, string> }[] = []
    shop.serve(async (request) => {
      if (request.method === 'GET') return htmlPage(THEME + headOf(files), '')
      expect(new URL(request.url).pathname).toBe('/cart/update.js')
      carts.push(await request.json())
      return Response.json({})
    })
    const page = await shops.openTab()
    const id = await shops.visit(shop, page)
    await eventually(() => carts).toEqual([{ attributes: { aisle_visit: id } }])

    const deliver = async (order: object, signedWith = 'hush') => {
      const body = JSON.stringify(order)
      const headers = {
        'x-shopify-topic': 'orders/paid',
        'x-shopify-hmac-sha256': createHmac('sha256', signedWith).update(body).digest('base64'),
      }
      return (await fetch(`${origin}/webhooks/shopify`, { method: 'POST', body, headers })).status
    }
    const note_attributes = Object.entries(carts[0]!.attributes).map(([name, value]) => ({
      name,
      value,
    }))
    const order = {
      id: 820982911946154500,
      processed_at: new Date().toISOString(),
      total_price: '403.50',
      currency: 'USD',
      note_attributes,
    }
    expect(await deliver(order, 'other')).toBe(401)
    expect(await deliver({ ...order, id: 1, note_attributes: [] })).toBe(200)
    expect(await deliver(order)).toBe(200)
    expect(await deliver(order)).toBe(200)
    await shop.expectJoined(40_350)

    // "Buy it now": the pixel has told which checkout the visit went into.
    const checkout_token = 'bd5a8aa1ecd019dd3520ff791ee3a24c'
    const tell = (visit: string) =>
      fetch(`${origin}/visits`, { method: 'POST', body: JSON.stringify({ visit, checkout_token }) })
    expect((await tell(id)).status).toBe(204)
    expect((await tell(`${id} or what follows`)).status).toBe(204)
    expect((await tell('x'.repeat(2000))).status).toBe(204)
    expect(await deliver({ ...order, id: 3, note_attributes: [], checkout_token })).toBe(200)
    await eventually(shop.report).toMatchObject({
      ...{ ai_sessions: 1, ai_orders: 2, ai_revenue_cents: 80_700 },
    })
  })

  test('Shopify: an order without a visit is reported where it says that an assistant brought it', async () => {
    const shop = await shops.openShop('landing.example')
    const files = shop.recipe('shopify')
    const origin = await shops.start(await shops.install({ 'server.js': files['server.js']! }), {
      ...shop.env,
      SHOPIFY_SECRET: 'hush',
    })
    const deliver = (order: object) => {
      const body = JSON.stringify({
        processed_at: new Date().toISOString(),
        total_price: '49.99',
        currency: 'USD',
        note_attributes: [],
        ...order,
      })
      const headers = {
        'x-shopify-topic': 'orders/paid',
        'x-shopify-hmac-sha256': createHmac('sha256', 'hush').update(body).digest('base64'),
      }
      return fetch(`${origin}/webhooks/shopify`, { method: 'POST', body, headers })
    }
    const others = [
      { landing_site: null, referring_site: null },
      { landing_site: '/', referring_site: 'https://www.google.com/' },
      { landing_site: '/?utm_source=chatgpt.com', referring_site: 'https://github.com/' },
      { landing_site: '/?utm_source=chatgpt.com&gclid=x', referring_site: '' },
      { landing_site: '/?utm_source=chatgpt.com&utm_medium=email', referring_site: '' },
      { landing_site: '//[', referring_site: 'not a URL' },
    ]
    for (const [at, order] of others.entries()) await deliver({ id: 100 + at, ...order })
    const brought = [
      {
        landing_site: '/products/a?utm_source=chatgpt.com',
        referring_site: 'https://chatgpt.com/',
      },
      { landing_site: '/products/a?referrer=grok.com', referring_site: null },
      { landing_site: '/', referring_site: 'https://www.perplexity.ai/' },
    ]
    for (const [at, order] of brought.entries()) await deliver({ id: 1 + at, ...order })
    await deliver({ id: 1, ...brought[0] })
    await eventually(shop.report).toMatchObject({
      ai_orders: 3,
      ai_revenue_cents: 3 * 4999,
      by_surface: { chatgpt: { orders: 1 }, grok: { orders: 1 }, perplexity: { orders: 1 } },
    })
  })

  test('Shopify: what an assistant bought is reported, and what was given back', async () => {
    const shop = await shops.openShop('channels.example')
    const server = shop.recipe('shopify')['server.js'] ?? ''
    shops.sites.set('127.0.0.1', async (request) => {
      if (new URL(request.url).pathname !== '/admin') return shops.app.fetch(request)
      expect(request.headers.get('x-shopify-access-token')).toBe('shpat')
      const { variables } = await request.json()
      const displayName = variables.id.endsWith('/2') ? 'Microsoft Copilot' : 'Marketplace'
      return Response.json({ data: { order: { attribution: { handle: 'x', displayName } } } })
    })
    const origin = await shops.start(await shops.install({ 'server.js': server }), {
      ...shop.env,
      SHOPIFY_SECRET: 'hush',
      SHOPIFY_ADMIN_URL: `${shop.env.AISLE_URL}/admin`,
      SHOPIFY_ADMIN_TOKEN: 'shpat',
    })
    const deliver = async (topic: string, payload: object) => {
      const body = JSON.stringify(payload)
      const headers = {
        'x-shopify-topic': topic,
        'x-shopify-hmac-sha256': createHmac('sha256', 'hush').update(body).digest('base64'),
      }
      await fetch(`${origin}/webhooks/shopify`, { method: 'POST', body, headers })
    }
    const now = new Date().toISOString()
    const sources = ['Perplexity', '8890415', '580111', 'web', 'pos']
    for (const [at, source_name] of sources.entries()) {
      await deliver('orders/paid', {
        id: at + 1,
        admin_graphql_api_id: `gid://shopify/Order/${at + 1}`,
        source_name,
        processed_at: now,
        total_price: '49.99',
        currency: 'USD',
        note_attributes: [],
        landing_site: null,
        referring_site: null,
      })
    }
    await eventually(shop.report).toMatchObject({
      ai_orders: 2,
      by_surface: { perplexity: { orders: 1 }, copilot: { orders: 1 } },
    })
    const given = { kind: 'refund', status: 'success', amount: '10.00', currency: 'USD' }
    const transactions = [given, { ...given, status: 'failure' }]
    for (const order_id of [1, 1, 4]) {
      await deliver('refunds/create', {
        id: 70 + order_id,
        order_id,
        created_at: now,
        transactions,
      })
    }
    await eventually(shop.report).toMatchObject({
      by_surface: { perplexity: { orders: 1, refunds: 1, refunded_cents: 1000 } },
    })
  })

  test('Shopify: after consent the cart gets the visit, and loses it when consent goes', async () => {
    const shop = await shops.openShop('banner.example')
    const theme = headOf(shop.recipe('shopify'))
    const carts: string[] = []
    shop.serve(async (request) => {
      if (request.method === 'POST') {
        const { attributes } = await request.json()
        carts.push(attributes.aisle_visit)
        return Response.json({})
      }
      const head = THEME + theme.replace('async', 'async data-consent="required"')
      return htmlPage(head, BANNER)
    })
    const page = await shops.openTab()
    const id = await shops.visit(shop, page)
    expect(carts).toEqual([])
    // One click is enough: the banner tells the tag after this script was notified.
    await page.getByRole('button', { name: 'Accept' }).click()
    await eventually(() => carts).toEqual([id])
    await page.getByRole('button', { name: 'Refuse' }).click()
    await eventually(() => carts).toEqual([id, ''])
    await page.getByRole('button', { name: 'Accept' }).click()
    await eventually(() => carts.length).toBe(3)
    await page.evaluate('aisle.consent(false)')
    // Also if the page is left immediately.
    await page.goto(`${shop.url}/cart`)
    await eventually(() => carts.at(-1)).toBe('')
  })
})
