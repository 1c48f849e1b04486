import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { packVendure } from '../../../build/connector-packages.ts'
import { emptyDatabase } from '../../../testing/app.ts'
import { freePort } from '../../../testing/free-port.ts'
import { openInstalled } from '../../testing/installed.ts'
import { storefrontCode } from '../../testing/storefront-code.ts'

const FILES = ['vendure-config.js', 'seed.js', 'server.js', 'worker.js', 'products.csv']

/**
 * A shop of Vendure, which is installed in `source`, with the plugin as the recipe has it, and an
 * empty database.
 */
export async function openVendure(
  source: string,
  aisle: { url: string; key: string; recipe: Record<string, string> },
) {
  const port = await freePort()
  const url = `http://localhost:${port}`
  const env = {
    DATABASE_URL: await emptyDatabase(),
    PORT: String(port),
    VENDURE_URL: url,
    AISLE_URL: aisle.url,
    AISLE_KEY: aisle.key,
    VENDURE_DISABLE_TELEMETRY: 'true',
  }
  const files = await Promise.all(
    FILES.map(
      async (name): Promise<[string, string]> => [
        name,
        await readFile(join('server/connectors/vendure/testing', name), 'utf8'),
      ],
    ),
  )
  const shop = await openInstalled(
    source,
    { name: 'aisle-vendure', packed: await packVendure() },
    { ...Object.fromEntries(files), 'aisle.js': aisle.recipe['aisle.js'] ?? '' },
  )
  await shop.run(['seed.js'], env)
  const start = async () => {
    const server = await shop.start(['server.js'], env, `${url}/health`)
    const worker = await shop.start(['worker.js'], env, `${url}/health`)
    return async () => {
      await server()
      await worker()
    }
  }
  let kill = await start()

  /** Somebody who stays the same over several calls of an API. */
  const openClient = (path: string) => {
    let token = ''
    return async (query: string, variables: object = {}) => {
      const answer = await fetch(`${url}/${path}`, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          ...(token !== '' && { authorization: `Bearer ${token}` }),
        },
        body: JSON.stringify({ query, variables }),
      })
      token = answer.headers.get('vendure-auth-token') ?? token
      const { data, errors } = await answer.json()
      if (errors) throw new Error(JSON.stringify(errors))
      return data
    }
  }
  const passVisit = storefrontCode(aisle.recipe['storefront.js'] ?? '')
  const openAdmin = async () => {
    const admin = openClient('admin-api')
    await admin('mutation { login(username: "superadmin", password: "superadmin") { __typename } }')
    return admin
  }
  let admin = await openAdmin()

  return {
    url,
    close: shop.close,
    async ask(path: string, body?: unknown) {
      const answer = await fetch(`${url}${path}`, {
        ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
        headers: { 'Content-Type': 'application/json' },
      })
      return { status: answer.status, body: await answer.json() }
    },
    /** As after a crash. */
    async restart() {
      await kill()
      kill = await start()
      admin = await openAdmin()
    },
    /**
     * A guest buys a mug. Resolves to the order, its payment, and how long the buyer waited for
     * them, in ms.
     */
    async buy(visit: string, metadata: object = {}) {
      const guest = openClient('shop-api')
      const { products } = await guest(
        '{ products(options: { filter: { name: { eq: "Trail Mug" } } }) { items { variants { id } } } }',
      )
      await guest(
        'mutation ($id: ID!) { addItemToOrder(productVariantId: $id, quantity: 1) { __typename } }',
        { id: products.items[0].variants[0].id },
      )
      await passVisit({
        aisle: { session: () => (visit === '' ? null : { id: visit }) },
        shopApi: guest,
      })
      await guest(`mutation {
        setCustomerForOrder(
          input: { firstName: "Ada", lastName: "Byron", emailAddress: "buyer@shop.example" }
        ) { __typename }
      }`)
      await guest(`mutation {
        setOrderShippingAddress(
          input: { streetLine1: "1 Main St", city: "Denver", postalCode: "80202", countryCode: "US" }
        ) { __typename }
      }`)
      const { eligibleShippingMethods: ways } = await guest('{ eligibleShippingMethods { id } }')
      await guest(
        'mutation ($ids: [ID!]!) { setOrderShippingMethod(shippingMethodId: $ids) { __typename } }',
        { ids: [ways[0].id] },
      )
      await guest('mutation { transitionOrderToState(state: "ArrangingPayment") { __typename } }')
      const { eligiblePaymentMethods: pays } = await guest('{ eligiblePaymentMethods { code } }')
      const started = performance.now()
      const { addPaymentToOrder: placed } = await guest(
        `mutation ($method: String!, $metadata: JSON!) {
          addPaymentToOrder(input: { method: $method, metadata: $metadata }) {
            __typename ... on Order { id payments { id } }
          }
        }`,
        { method: pays[0].code, metadata },
      )
      return {
        is: placed.__typename,
        id: placed.id ?? '',
        payment: placed.payments?.[0].id ?? '',
        took: performance.now() - started,
      }
    },
    async settle(payment: string) {
      await admin('mutation ($id: ID!) { settlePayment(id: $id) { __typename } }', { id: payment })
    },
    async refund(paymentId: string, amount: number) {
      const { refundOrder } = await admin(
        `mutation ($input: RefundOrderInput!) {
          refundOrder(input: $input) { __typename ... on Refund { id } }
        }`,
        { input: { paymentId, amount, lines: [], shipping: 0, adjustment: 0 } },
      )
      await admin(
        `mutation ($id: ID!) {
          settleRefund(input: { id: $id, transactionId: "back" }) { __typename }
        }`,
        { id: refundOrder.id },
      )
    },
    async cancel(orderId: string) {
      await admin(
        'mutation ($input: CancelOrderInput!) { cancelOrder(input: $input) { __typename } }',
        { input: { orderId } },
      )
    },
  }
}
