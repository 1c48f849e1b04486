import { randomUUID } from 'node:crypto'
import { and, eq, gt, isNull } from 'drizzle-orm'
import type { CheckoutItem } from '../../../shared/protocols/spec/ucp.ts'
import type { Db } from '../../db/connect.ts'
import type { OfficialProtocol } from '../db/statuses.ts'
import { type Cart, carts, type OfficialState, type Tx } from '../db/tables.ts'
import type { StoreDeps } from './deps.ts'
import { claimKey, findAnswer, findChange, type IdempotentCall } from './idempotency.ts'
import type { CountCheckout } from './quota.ts'
import {
  type CheckoutRefusal,
  KEY_CONFLICT,
  NO_SESSION,
  TOO_MANY,
  TOO_MANY_CHANGES,
} from './refusals.ts'

type CartDeps = Pick<StoreDeps, 'db' | 'now'>

/** Unspecified: a cart lives for a day from its last change. */
const LIFETIME_MS = 24 * 60 * 60_000

/** The content of a cart; prices are looked up when it is shown. */
interface CartContent {
  items: readonly CheckoutItem[]
  state: OfficialState
}

/** The result of a call with a cart. `answerOnce` stores the answer of the key. */
export type CartAnswer = { cart: Cart } | { refused: CheckoutRefusal }

/** Each dialect has its own words for it. */
export const NO_CART: CartAnswer = { refused: NO_SESSION }

interface CartCall {
  protocol: OfficialProtocol
  keyed: IdempotentCall | null
}

const TOO_MANY_CARTS = {
  ...TOO_MANY,
  detail: 'You opened too many carts in a short time. Wait and try again.',
} as const

/** Opens a cart. `platform` is who is counted. */
export async function createCart(
  { db, now }: CartDeps,
  count: CountCheckout,
  {
    protocol,
    keyed,
    host,
    platform,
    ...content
  }: CartCall & CartContent & { host: string; platform: string },
): Promise<CartAnswer> {
  const at = now()
  const known = keyed && (await findAnswer(db, keyed, at))
  if (known && known.is !== 'new') return cartOfKey(db, known)
  const wait = await count(platform)
  if (wait !== null) return { refused: { ...TOO_MANY_CARTS, retryAfter: wait } }
  const cart: Cart = {
    id: `cart_${randomUUID()}`,
    protocol,
    host,
    items: [...content.items],
    official: content.state,
    session_id: null,
    created_at: at,
    expires_at: new Date(at.getTime() + LIFETIME_MS),
    canceled_at: null,
  }
  return db.transaction(async (tx) => {
    const answer = { status: 201, body: { cart_id: cart.id } }
    if (keyed && !(await claimKey(tx, keyed, at, answer))) {
      return cartOfKey(tx, await findAnswer(tx, keyed, at))
    }
    await tx.insert(carts).values(cart)
    return { cart }
  })
}

/** Changes a whole cart, or cancels it: `change` returns its new content. */
export async function changeCart(
  { db, now }: CartDeps,
  {
    protocol,
    keyed,
    id,
    change,
  }: CartCall & {
    id: string
    change: (cart: Cart) => CartContent | 'cancel'
  },
): Promise<CartAnswer> {
  return db.transaction(async (tx) => {
    const [cart] = await tx
      .select()
      .from(carts)
      .where(and(eq(carts.id, id), eq(carts.protocol, protocol)))
      .for('update')
    // Only under the lock, which another call with the same key may have held.
    const at = now()
    const known = keyed && (await findChange(tx, keyed, at))
    if (known?.is === 'conflict') return { refused: KEY_CONFLICT }
    if (cart && known?.is === 'known') return { cart }
    if (cart === undefined || !isOpenAt(cart, at)) return NO_CART
    if (known?.is === 'full') {
      return { refused: { ...TOO_MANY_CHANGES, retryAfter: known.retryAfter } }
    }
    const wanted = change(cart)
    const set =
      wanted === 'cancel'
        ? { canceled_at: at }
        : {
            items: [...wanted.items],
            official: wanted.state,
            expires_at: new Date(at.getTime() + LIFETIME_MS),
          }
    await tx.update(carts).set(set).where(eq(carts.id, id))
    if (keyed) await claimKey(tx, keyed, at, { status: 200, body: { cart_id: id } })
    // A canceled cart is shown as it was (UCP cart: the state before the deletion).
    return { cart: { ...cart, ...set, canceled_at: null } }
  })
}

/** A cart that is neither canceled nor expired; null if this protocol has none. */
export async function findCart(
  { db, now }: CartDeps,
  protocol: OfficialProtocol,
  id: string,
): Promise<Cart | null> {
  const [cart] = await db
    .select()
    .from(carts)
    .where(isOpen(protocol, id, now()))
  return cart ?? null
}

/**
 * Notes the checkout that a cart was turned into, so that it is not opened twice. Of checkouts that
 * were opened at the same time the first wins: returns the id of the cart's checkout. `instead` is
 * the earlier checkout that is over.
 */
export async function noteCheckout(
  db: Db,
  cartId: string,
  sessionId: string,
  instead: string | null,
): Promise<string> {
  await db
    .update(carts)
    .set({ session_id: sessionId })
    .where(
      and(
        eq(carts.id, cartId),
        instead === null ? isNull(carts.session_id) : eq(carts.session_id, instead),
      ),
    )
  const [cart] = await db
    .select({ session_id: carts.session_id })
    .from(carts)
    .where(eq(carts.id, cartId))
  return cart?.session_id ?? sessionId
}

const isOpenAt = ({ canceled_at, expires_at }: Cart, now: Date): boolean =>
  canceled_at === null && expires_at.getTime() > now.getTime()

const isOpen = (protocol: OfficialProtocol, id: string, now: Date) =>
  and(
    eq(carts.id, id),
    eq(carts.protocol, protocol),
    isNull(carts.canceled_at),
    gt(carts.expires_at, now),
  )

async function cartOfKey(
  db: Db | Tx,
  known: Awaited<ReturnType<typeof findAnswer>>,
): Promise<CartAnswer> {
  if (known.is !== 'known') return { refused: KEY_CONFLICT }
  const id = (known.answer?.body as { cart_id?: string } | undefined)?.cart_id ?? ''
  const [cart] = await db.select().from(carts).where(eq(carts.id, id))
  return cart === undefined ? NO_CART : { cart }
}
