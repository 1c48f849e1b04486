import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { describeInBrowser } from '../../../shared/testing/browser.ts'
import { eventually } from '../../../shared/testing/wait.ts'
import { htmlPage, openShops, type Shops } from '../../pages/tools/orders/testing/shops.ts'
import { openGate } from '../testing/service-gate.ts'
import { openMedusa } from './testing/medusa.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A folder in which Medusa is installed; empty: the plugin is not run. */
    medusa: string
  }
}

const medusa = inject('medusa')

describe.skipIf(!medusa)('the plugin in Medusa', () => {
  describeInBrowser('and a browser', () => {
    let shops: Shops
    let open: Awaited<ReturnType<Shops['openShop']>>
    let gate: Awaited<ReturnType<typeof openGate>>
    let shop: Awaited<ReturnType<typeof openMedusa>>
    let visit = ''
    beforeAll(async () => {
      shops = await openShops()
      open = await shops.openShop('medusa.example')
      gate = await openGate(open.env.AISLE_URL)
      const recipe = open.recipe('medusa')
      shop = await openMedusa(medusa, { url: gate.url, key: open.key, recipe })
      const tag = `<script async src="https://aisle.example/attribution.js?id=${open.id}"></script>`
      open.serve(() => htmlPage(tag, 'Trail Mug'))
    }, 600_000)
    afterAll(async () => {
      await shop?.close()
      await gate?.close()
      await shops?.stop()
    })
    const buy = async (by = visit) => shop.complete(await shop.fill(by))
    const chatgpt = async () => (await open.report()).by_surface.chatgpt

    test('joins an order and its refund, and a cancellation', async () => {
      visit = await shops.visit(open, await shops.openTab())
      await buy('')
      const order = await buy()
      await open.expectJoined(1250)
      await shop.capture(order.id)
      await shop.refund(order.id, 5)
      await eventually(chatgpt).toMatchObject({ refunds: 1, refunded_cents: 500 })

      const unpaid = await buy()
      await shop.cancel(unpaid.id)
      await eventually(chatgpt).toMatchObject({ orders: 2, refunds: 2, refunded_cents: 1750 })
      const paid = await buy()
      await shop.capture(paid.id)
      await shop.cancel(paid.id)
      await eventually(chatgpt).toMatchObject({ orders: 3, refunds: 3, refunded_cents: 3000 })
    })

    test('no buyer waits for a service that is out of order, and nothing is lost', async () => {
      const { orders } = await chatgpt()
      const usual = Math.max((await buy()).took, (await buy()).took, (await buy('')).took)
      for (const mood of ['away', 'slow', 'refusing'] as const) {
        gate.become(mood)
        const { took, status } = await buy()
        expect(status).toBe(200)
        expect(took).toBeLessThan(usual + 1000)
      }
      gate.become('away')
      const last = await buy()
      await shop.restart()
      await shop.capture(last.id)
      await shop.refund(last.id, 2.5)
      expect((await chatgpt()).orders).toBe(orders + 2)
      gate.become('well')
      await expect
        .poll(chatgpt, { timeout: 180_000, interval: 500 })
        .toMatchObject({ orders: orders + 6, refunds: 4, refunded_cents: 3250 })
    })

    test('an item that ran out is a checkout that failed', async () => {
      const cart = await shop.fill(visit)
      await shop.sellOut()
      expect((await shop.complete(cart)).status).toBe(400)
      await eventually(open.report).toMatchObject({ funnel: { failed: 1 } })
    })

    test('an agent finds the products', async () => {
      const { ucp } = (await shop.ask('/.well-known/ucp')).body
      expect(ucp.services['dev.ucp.shopping'][0].endpoint).toBe(`${shop.url}/aisle/ucp`)
      const search = await shop.ask('/aisle/ucp/catalog/search', { query: 'jacket' })
      const [jacket] = search.body.products
      expect(jacket).toMatchObject({
        title: 'Rain Jacket',
        url: 'https://medusa.example/us/products/rain-jacket',
        price_range: { min: { amount: 17900, currency: 'USD' } },
      })
      const stock = jacket.variants.map(
        (each: { options: { label: string }[]; availability: { available: boolean } }) =>
          `${each.options[0]?.label} ${each.availability.available}`,
      )
      expect(stock.toSorted()).toEqual(['L false', 'S true'])
      const ids = [jacket.variants[1].id]
      const { body } = await shop.ask('/aisle/ucp/catalog/lookup', { ids })
      expect(body.products[0].variants).toMatchObject([{ id: ids[0], inputs: [{ id: ids[0] }] }])
      const none = await shop.ask('/aisle/ucp/catalog/product', { id: 'prod_none' })
      expect(none.body.messages[0].code).toBe('not_found')
      expect((await shop.ask('/aisle/ucp/catalog/search', {})).status).toBe(400)
    })
  })
})
