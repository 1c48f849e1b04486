import { readFile } from 'node:fs/promises'
import { unzipSync } from 'fflate'
import { expect, test } from 'vitest'
import { zipShopifyApp } from '../../build/connectors.ts'

// The app has not been run in a store: what runs here is the pixel's own code, in the sandbox's
// place, and what the package holds.

const PIXEL = 'server/connectors/shopify/aisle/extensions/aisle-pixel/src/index.js'

type Started = (event: unknown) => Promise<void>

/** Calls the pixel as Shopify's sandbox does, and returns what it sent. */
async function startCheckout({ cookie, token }: { cookie: string; token?: string }) {
  const source = await readFile(PIXEL, 'utf8')
  const code = source.replace(/^import .*$/m, '')
  const sent: [string, RequestInit][] = []
  const started: Started[] = []
  const api = {
    analytics: {
      subscribe: (name: string, called: Started) =>
        name === 'checkout_started' && started.push(called),
    },
    browser: { cookie: { get: async (name: string) => (name === 'aisle_visit' ? cookie : '') } },
    settings: { server: 'https://hooks.shop.example' },
  }
  const fetch = async (url: string, init: RequestInit) => void sent.push([url, init])
  new Function('register', 'fetch', code)((start: (given: unknown) => void) => start(api), fetch)
  for (const each of started) await each({ data: { checkout: { token } } })
  return sent
}

test('tells the server which checkout a visit went into', async () => {
  const [sent] = await startCheckout({ cookie: '1796018400-abcdef', token: 'bd5a8aa1' })
  expect(sent).toEqual([
    'https://hooks.shop.example/visits',
    {
      ...{ method: 'POST', keepalive: true, mode: 'no-cors' },
      body: JSON.stringify({ visit: '1796018400-abcdef', checkout_token: 'bd5a8aa1' }),
    },
  ])
})

test.each([
  { cookie: '', token: 'bd5a8aa1' },
  { cookie: '<script>', token: 'bd5a8aa1' },
  { cookie: '1796018400-abcdef' },
])('sends nothing without a visit or a checkout: %o', async (started) => {
  expect(await startCheckout(started)).toEqual([])
})

test('the package has the scripts that the theme embed names', async () => {
  const files = unzipSync(await zipShopifyApp())
  const text = (path: string) => Buffer.from(files[`aisle/${path}`] ?? []).toString()
  const block = text('extensions/aisle-tag/blocks/aisle.liquid')
  const named = [...block.matchAll(/'(\w+\.js)' \| asset_url/g)].map(([, name]) => name)
  expect(named).toEqual(['consent.js', 'visit.js', 'cart.js'])
  for (const name of named) {
    const script = text(`extensions/aisle-tag/assets/${name}`)
    expect(script).toContain('aisle')
    expect(script).not.toContain('<script')
  }
  expect(JSON.parse(/{% schema %}([\s\S]*){% endschema %}/.exec(block)?.[1] ?? '')).toMatchObject({
    ...{ target: 'head' },
  })
})
