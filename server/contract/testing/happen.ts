import { eq } from 'drizzle-orm'
import { products, stock } from '../../store/db/tables.ts'
import { type MerchantMove, moveOrder } from '../../store/orders/moves.ts'
import { orderOfSession } from '../../store/orders/orders.ts'
import { ADDRESS } from '../../store/testing/store.ts'
import type { Scene } from './scene.ts'
import { startExchange } from './steps.ts'
import type { World } from './world.ts'

/** Is awaited; `words` are the pattern's groups. */
type Happening = (world: World, words: string[], scene: Scene) => unknown

const MILLISECONDS: Record<string, number> = { second: 1000, minute: 60_000, hour: 3_600_000 }

const MOVES: Record<string, MerchantMove> = {
  packs: 'processing',
  ships: 'shipped',
  delivers: 'delivered',
  cancels: 'canceled',
  'takes back': 'returned',
}

/** The events that a line beginning with `* ` can name. */
const HAPPENINGS: readonly [RegExp, Happening][] = [
  [
    /^(\d+) (second|minute|hour)s? pass(?:es)?$/,
    ({ clock }, [count, unit = '']) => {
      clock.at += Number(count) * (MILLISECONDS[unit] ?? 0)
    },
  ],
  [
    /^(\S+) is (an ACP session|a UCP cart) with (\d+) of (\S+)$/,
    async (world, [name = '', kind, quantity, offer = ''], scene) => {
      const path = kind === 'a UCP cart' ? '/ucp/checkout' : '/acp/checkout/create'
      const [product_id] = /^ao-\d+/.exec(offer) ?? []
      const item = { product_id, ...(product_id !== offer && { variant_id: offer }) }
      const body = {
        items: [{ ...item, quantity: Number(quantity) }],
        shipping_address: ADDRESS,
        idempotency_key: 'create-1',
      }
      const exchange = startExchange(`POST ${path}`, JSON.stringify(body))
      const answer = exchange && (await world.ask(exchange, scene))
      if (answer?.status !== 200) throw new Error(`It was refused: ${answer?.text}`)
      scene.variables.set(name, JSON.parse(answer.text).checkout_id)
    },
  ],
  [
    /^(\d+) of (\S+) (?:is|are) left in stock$/,
    async ({ deps: { db } }, [pieces, id = ''], { undo }) => {
      const put = (quantity: number) =>
        db.update(stock).set({ quantity }).where(eq(stock.offer_id, id))
      const [before] = await db.select().from(stock).where(eq(stock.offer_id, id))
      if (before === undefined) throw new Error(`Nothing has the id ${id}.`)
      await put(Number(pieces))
      undo.push(() => put(before.quantity))
    },
  ],
  [
    /^the price of (\S+) becomes (\d+)$/,
    async ({ deps: { db } }, [id = '', amount], { undo }) => {
      const [before] = await db.select().from(products).where(eq(products.id, id))
      if (before === undefined) throw new Error(`Nothing has the id ${id}.`)
      const { article } = before
      const put = (price: typeof article.price) =>
        db
          .update(products)
          .set({ article: { ...article, price } })
          .where(eq(products.id, id))
      await put({ ...article.price, amount: Number(amount) })
      undo.push(() => put(article.price))
    },
  ],
  [
    /^the PSP decides that the payment of (\S+) (succeeded|failed)$/,
    async (world, [checkout = '', outcome]) => {
      world.bank.settle(
        await paymentOf(world, checkout),
        outcome === 'failed' ? 'failed' : 'succeeded',
      )
      await world.bank.delivered()
    },
  ],
  [
    /^the buyer disputes the payment of (\S+)$/,
    async (world, [checkout = '']) => {
      world.bank.dispute(await paymentOf(world, checkout))
      await world.bank.delivered()
    },
  ],
  [
    /^(\S+) is the payment of (\S+)$/,
    async (world, [name = '', checkout = ''], { variables }) => {
      variables.set(name, await paymentOf(world, checkout))
    },
  ],
  [
    /^the merchant (packs|ships|delivers|cancels|takes back) (\S+)(?: with tracking number (\S+))?$/,
    async ({ deps }, [move = '', order = '', number]) => {
      const to = MOVES[move]
      if (to === undefined) throw new Error(`No merchant ${move}.`)
      const moved = await moveOrder(deps, order, to, number === undefined ? undefined : { number })
      if ('refused' in moved) throw new Error(moved.message)
    },
  ],
  [
    /^the order of (\S+) is flagged for review$/,
    async ({ deps }, [checkout = '']) => {
      const order = await deps.db.transaction((tx) => orderOfSession(tx, checkout))
      if (!order?.disputed) throw new Error('It is not flagged.')
    },
  ],
  [/^the hosted API does not answer$/, ({ silenceService }) => silenceService()],
  [/^the store's reports have arrived$/, ({ reportsArrived }) => reportsArrived()],
]

/** Makes the event of a line happen. Throws if it is unknown. */
export async function happen(world: World, line: string, scene: Scene): Promise<void> {
  for (const [pattern, happening] of HAPPENINGS) {
    const found = pattern.exec(line)
    if (found === null) continue
    // A name without a value is one that the line gives.
    const words = found.slice(1).map((word) => scene.variables.get(word) ?? word)
    await happening(world, words, scene)
    return
  }
  throw new Error(`"${line}" is not something that can happen: see happen.ts.`)
}

async function paymentOf({ bank }: World, checkout: string): Promise<string> {
  const payment = bank.payments().find(({ metadata }) => metadata.session_id === checkout)
  if (payment === undefined) throw new Error(`${checkout} has no payment.`)
  return payment.id
}
