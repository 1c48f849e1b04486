import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { describeInBrowser } from '../../../shared/testing/browser.ts'
import { eventually } from '../../../shared/testing/wait.ts'
import { openShops, type Shops } from '../../pages/tools/orders/testing/shops.ts'
import { openWordPress } from './testing/wordpress.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A folder with WordPress and, in it, WooCommerce; empty: the plugin is not run. */
    wordpress: string
  }
}

const DOMAIN = 'woo.example'
const ADDRESS = {
  ...{ first_name: 'Ada', last_name: 'Byron' },
  ...{ address_1: '1 Main St', city: 'Denver', postcode: '80202' },
}
const wordpress = inject('wordpress')

describe.skipIf(!wordpress)('the plugin in WooCommerce', () => {
  describeInBrowser('and a browser', () => {
    let shops: Shops
    let shop: Awaited<ReturnType<typeof openWordPress>>
    let open: Awaited<ReturnType<Shops['openShop']>>
    beforeAll(async () => {
      shops = await openShops()
      shop = await openWordPress(wordpress)
      open = await shops.openShop(DOMAIN)
    })
    afterAll(async () => {
      await shop?.close()
      await shops?.stop()
    })

    const background = async (what = '') => JSON.parse(await shop.php('background.php', what))

    const CHECKOUTS = {
      block: async (page: Page) => {
        await page.fill('#email', 'buyer@shop.example')
        for (const [name, value] of Object.entries(ADDRESS)) {
          await page.fill(`#shipping-${name}`, value)
        }
        // WooCommerce 9 does not know it by the postcode.
        const state = page.locator('input#shipping-state, #shipping-state input')
        if (await state.count()) await state.first().fill('Colorado')
        // Shipping is known: the block has sent the address.
        await page.getByText('Free shipping').first().waitFor()
        return '.wc-block-components-checkout-place-order-button'
      },
      classic: async (page: Page) => {
        await page.goto(`${shop.url}/classic-checkout/`)
        await page.selectOption('#billing_state', 'CO')
        const more = { email: 'buyer@shop.example', phone: '5550100' }
        for (const [name, value] of Object.entries({ ...ADDRESS, ...more })) {
          await page.fill(`#billing_${name}`, value)
        }
        // A changed address is sent, and the page is covered until it has its answer.
        await page.locator('#billing_postcode').blur()
        await page.locator('.blockUI').first().waitFor({ state: 'detached' })
        return '#place_order'
      },
    }

    /** A guest buys after this landing. Resolves to how long the last click took, in ms. */
    async function buy(landing: string, checkout: keyof typeof CHECKOUTS = 'block') {
      const page = await shops.openTab()
      // Somebody else each time: all tabs are in one browser.
      await page.context().clearCookies()
      await page.goto(`${shop.url}/product/trail-mug/${landing}`)
      if (landing !== '') await page.waitForFunction('document.cookie.includes("aisle_visit=1")')
      await page.goto(`${shop.url}/checkout/?add-to-cart=${await mugId()}`)
      const button = await CHECKOUTS[checkout](page)
      const started = performance.now()
      await page.click(button)
      await page.waitForURL(/order-received/)
      const took = performance.now() - started
      await page.close()
      return took
    }
    const ask = async (path: string, body?: unknown) => {
      const answer = await fetch(`${shop.url}${path}`, {
        ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
        headers: { 'Content-Type': 'application/json' },
      })
      return { status: answer.status, body: await answer.json() }
    }
    const mugId = async () => {
      const { body } = await ask('/wp-json/wc/store/v1/products?search=mug')
      return String(body[0].id)
    }

    test('connects in one screen, joins an order and its refund, and leaves nothing behind', async () => {
      await shop.install()
      const admin = await shops.openTab()
      await admin.goto(`${shop.url}/wp-login.php`)
      await admin.fill('#user_login', 'admin')
      await admin.fill('#user_pass', 'admin')
      await admin.click('#wp-submit')
      const connect = async (key: string) => {
        await admin.goto(`${shop.url}/wp-admin/admin.php?page=aisle`)
        await admin.fill('#aisle-url', open.env.AISLE_URL)
        await admin.fill('#aisle-key', key)
        await admin.fill('#aisle-domain', DOMAIN)
        await admin.click('form .button-primary')
      }
      await connect('aisle_live_wrong')
      await admin.getByText('key').first().waitFor()
      expect(await admin.locator('.notice-error').innerText()).toMatch(/key/i)
      await connect(open.key)
      await admin.locator('#aisle-overview h2').first().waitFor()
      expect(await admin.locator('.notice-success').count()).toBe(1)

      const without = await buy('')
      expect(await background()).toMatchObject({ waiting: 0, visit: '' })
      expect(await open.report()).toMatchObject({ ai_sessions: 0, ai_orders: 0 })

      // An update replaces the files: the shop stays connected.
      await shop.install()
      const joined = await buy('?utm_source=chatgpt.com')
      expect(await background()).toMatchObject({ waiting: 0, problem: '' })
      await open.expectJoined(1250)
      await background('refund')
      expect((await open.report()).by_surface.chatgpt).toMatchObject({
        refunds: 1,
        refunded_cents: 500,
      })
      // Nobody waits for a report: the same as an order that makes none.
      expect(joined).toBeLessThan(without + 3000)

      await buy('?utm_source=perplexity.ai', 'classic')
      expect(await background()).toMatchObject({ waiting: 0, problem: '' })
      expect((await open.report()).by_surface.perplexity).toMatchObject({ sessions: 1, orders: 1 })

      expect(await shop.php('background.php', 'uninstall')).toBe('[]')
      const html = await (await fetch(`${shop.url}/product/trail-mug/`)).text()
      expect(html).not.toContain('attribution.js')
    })

    test('an agent finds the products, and its cart opens the checkout filled', async () => {
      await shop.install()
      const profile = await ask('/.well-known/ucp')
      const service = profile.body.ucp.services['dev.ucp.shopping'][0]
      expect(service.endpoint).toBe(`${shop.url}/wp-json/aisle/ucp`)
      const ucp = (path: string, body: unknown) => ask(`/wp-json/aisle/ucp${path}`, body)
      const { products } = (await ucp('/catalog/search', { query: 'jacket' })).body
      expect(products).toMatchObject([
        { title: 'Rain Jacket', price_range: { min: { amount: 17900, currency: 'USD' } } },
      ])
      const [small, large] = ['S', 'L'].map((label) =>
        products[0].variants.find(
          ({ options }: { options: { label: string }[] }) => options[0]?.label === label,
        ),
      )
      expect([small.availability.available, large.availability.available]).toEqual([true, false])
      const { body: chosen } = await ucp('/catalog/product', {
        id: products[0].id,
        selected: [{ name: 'Size', label: 'L' }],
      })
      expect(chosen.product.variants[0].id).toBe(large.id)

      const line = (id: string, quantity: number) => ({ item: { id }, quantity })
      const attribution = { utm_source: 'chatgpt.com', _from: 'x' }
      const cart = await ucp('/carts', {
        line_items: [line(await mugId(), 2), line(small.id, 1), line(large.id, 1)],
        attribution,
      })
      expect(cart.status).toBe(201)
      expect(cart.body.totals.at(-1)).toEqual({ type: 'total', amount: 20400 })
      expect(cart.body.messages).toMatchObject([{ code: 'out_of_stock', path: '$.line_items[2]' }])
      const page = await shops.openTab()
      await page.goto(cart.body.continue_url)
      await eventually(() => page.innerText('body')).toContain('$204.00')
      expect(page.url()).toContain('utm_source=chatgpt.com')
      await page.close()

      const { body: again } = await ask(`/wp-json/aisle/ucp/carts/${cart.body.id}`)
      expect(again.id).toBe(cart.body.id)
      await ucp(`/carts/${cart.body.id}/cancel`, {})
      const gone = await ask(`/wp-json/aisle/ucp/carts/${cart.body.id}`)
      expect(gone.body.messages[0].code).toBe('not_found')
      for (const body of [
        {},
        { line_items: [] },
        { line_items: [line('1', 0)] },
        { line_items: 'x' },
      ]) {
        expect((await ucp('/carts', body)).status).toBe(400)
      }
    })
  })
})
