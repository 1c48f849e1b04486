import { readFile } from 'node:fs/promises'
import { packMedusa } from '../../../build/connector-packages.ts'
import { emptyDatabase } from '../../../testing/app.ts'
import { freePort } from '../../../testing/free-port.ts'
import { openInstalled } from '../../testing/installed.ts'
import { storefrontCode } from '../../testing/storefront-code.ts'

const CLI = 'node_modules/@medusajs/cli/cli.js'

const CONFIG = `
const { defineConfig } = require('@medusajs/framework/utils')
const { DATABASE_URL, MEDUSA_BACKEND_URL: origin } = process.env
module.exports = defineConfig({
  admin: { disable: true },
  plugins: [require('./aisle')],
  projectConfig: {
    databaseUrl: DATABASE_URL,
    databaseDriverOptions: { connection: { ssl: false } },
    http: { storeCors: origin, adminCors: origin, authCors: origin, jwtSecret: 'x', cookieSecret: 'x' },
  },
})`

/**
 * A shop of Medusa, which is installed in `source`, with the plugin as the recipe has it, and an
 * empty database.
 */
export async function openMedusa(
  source: string,
  aisle: { url: string; key: string; recipe: Record<string, string> },
) {
  const port = await freePort()
  const url = `http://localhost:${port}`
  const env = {
    DATABASE_URL: await emptyDatabase(),
    MEDUSA_BACKEND_URL: url,
    AISLE_URL: aisle.url,
    AISLE_KEY: aisle.key,
    MEDUSA_PUBLISHABLE_KEY: 'pk_none',
    MEDUSA_DISABLE_TELEMETRY: 'true',
  }
  const seed = await readFile('server/connectors/medusa/testing/seed.js', 'utf8')
  const shop = await openInstalled(
    source,
    { name: 'aisle-medusa', packed: await packMedusa() },
    {
      'package.json': '{ "dependencies": { "@medusajs/medusa": "2" } }',
      'medusa-config.js': CONFIG,
      'aisle.js': aisle.recipe['aisle.js'] ?? '',
      'src/seed.js': seed,
    },
  )
  await shop.run([CLI, 'db:migrate'], env)
  const wrote = await shop.run([CLI, 'exec', './src/seed.js'], env)
  const seeded: Record<'key' | 'secret' | 'region' | 'shipping', string> = JSON.parse(
    /^SEEDED (.+)$/m.exec(wrote)?.[1] ?? '',
  )
  const start = () =>
    shop.start(
      [CLI, 'start', '--port', String(port)],
      { ...env, MEDUSA_PUBLISHABLE_KEY: seeded.key },
      `${url}/health`,
    )
  let kill = await start()

  const ask = async (path: string, body?: unknown) => {
    const answer = await fetch(`${url}${path}`, {
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
      headers: {
        'Content-Type': 'application/json',
        'x-publishable-api-key': seeded.key,
        ...(path.startsWith('/admin/') && { authorization: `Basic ${btoa(`${seeded.secret}:`)}` }),
      },
    })
    return { status: answer.status, body: await answer.json() }
  }
  const passVisit = storefrontCode(aisle.recipe['storefront.js'] ?? '')
  const variantOf = async (handle: string) => {
    const { body } = await ask(`/store/products?handle=${handle}`)
    return body.products[0].variants[0].id
  }
  const paymentOf = async (order: string) => {
    const { body } = await ask(`/admin/orders/${order}?fields=+payment_collections.payments.id`)
    return body.order.payment_collections[0].payments[0].id
  }

  return {
    url,
    ask,
    log: shop.log,
    close: shop.close,
    /** As after a crash. */
    async restart() {
      await kill()
      kill = await start()
    },
    /** A cart with a mug that only has to be completed. */
    async fill(visit: string): Promise<string> {
      const variant_id = await variantOf('trail-mug')
      const address = { first_name: 'Ada', last_name: 'Byron', address_1: '1 Main St' }
      const { body } = await ask('/store/carts', {
        region_id: seeded.region,
        email: 'buyer@shop.example',
        items: [{ variant_id, quantity: 1 }],
        metadata: { note: 'kept' },
        shipping_address: {
          ...address,
          city: 'Denver',
          postal_code: '80202',
          country_code: 'us',
        },
      })
      const cart = body.cart.id
      await passVisit({
        aisle: { session: () => (visit === '' ? null : { id: visit }) },
        sdk: {
          store: {
            cart: { update: (id: string, body: object) => ask(`/store/carts/${id}`, body) },
          },
        },
        cartId: cart,
      })
      await ask(`/store/carts/${cart}/shipping-methods`, { option_id: seeded.shipping })
      const collection = await ask('/store/payment-collections', { cart_id: cart })
      const { id } = collection.body.payment_collection
      await ask(`/store/payment-collections/${id}/payment-sessions`, {
        provider_id: 'pp_system_default',
      })
      return cart
    },
    /** Resolves to the order, and to how long the buyer waited for it, in ms. */
    async complete(cart: string) {
      const started = performance.now()
      const { status, body } = await ask(`/store/carts/${cart}/complete`, {})
      return { status, id: body.order?.id ?? '', took: performance.now() - started }
    },
    async capture(order: string) {
      await ask(`/admin/payments/${await paymentOf(order)}/capture`, {})
    },
    async refund(order: string, amount: number) {
      await ask(`/admin/payments/${await paymentOf(order)}/refund`, { amount })
    },
    async cancel(order: string) {
      await ask(`/admin/orders/${order}/cancel`, {})
    },
    /** Takes the stock of the mug away. */
    async sellOut() {
      const { body } = await ask('/admin/inventory-items?sku=MUG&fields=id,location_levels.*')
      const [item] = body.inventory_items
      const [level] = item.location_levels
      await ask(`/admin/inventory-items/${item.id}/location-levels/${level.location_id}`, {
        stocked_quantity: level.reserved_quantity,
      })
    },
  }
}
