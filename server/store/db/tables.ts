import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  json,
  jsonb,
  pgSchema,
  primaryKey,
  text,
  timestamp,
  unique,
  varchar,
} from 'drizzle-orm/pg-core'
import type { Address, Availability, Money } from '../../../shared/commerce/product.ts'
import type { CheckoutItem, ShippingOption } from '../../../shared/protocols/spec/ucp.ts'
import type { Db } from '../../db/connect.ts'
import { attemptColumns, deliveryColumns } from '../../db/leases/columns.ts'
import {
  nonceEnds,
  oneNewestKey,
  signingKeyColumns,
  usedNonceColumns,
} from '../../db/signatures/columns.ts'
import type {
  OfficialProtocol,
  OrderStatus,
  Protocol,
  ReviewCause,
  SessionStatus,
} from './statuses.ts'

/** The merchant's own schema: the store may share a database with the hosted service. */
export const store = pgSchema('store')

const time = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })

/** What can be put into a cart: a variant, or a product without variants. */
export interface Offer {
  id: string
  sku: string
  gtin: string
  attributes: Record<string, string>
  price: Money
  availability: Availability
}

/** A product as the store keeps it; catalog, pages and feed are made from it. */
export interface Article extends Offer {
  name: string
  description: string
  category: string
  brand: string
  /** Empty when the product has no options. */
  variants: readonly Offer[]
}

/** The known fields of an address. */
export type PartialAddress = { [Name in keyof Address]?: string | undefined } & {
  /**
   * The second line of the street, which the official protocols have: empty if the buyer left it
   * empty, absent if it was not asked for.
   */
  line_two?: string | undefined
}

/** An item of a session, priced when the session was created. */
export interface SessionItem {
  product_id: string
  variant_id: string | null
  name: string
  /** The name with the chosen options. */
  title: string
  quantity: number
  unit_price: Money
  /** The day on which a preorder or backorder can ship; null for items in stock. */
  available_on: string | null
}

/** Money that went back to the buyer, in the smallest unit of the order's currency. */
interface OrderRefund {
  refund_id: string
  amount: number
  refunded_at: string
}

/** An event of an order after its payment; refunds are stored separately. */
export interface OrderMoment {
  type: 'processing' | 'shipped' | 'delivered' | 'canceled' | 'returned' | 'disputed'
  at: string
  /** As it was known then. */
  tracking?: { number: string; carrier?: string; url?: string }
}

/** What a session of an official dialect stores in addition. */
export interface OfficialState {
  /** The protocol version that it was opened in; its webhooks use the same. */
  version: string
  /**
   * Who opened it: the URL of the platform's profile (UCP), or the hash of its credential (ACP).
   */
  platform: string
  /** The platform's address for order events; null if it named none. */
  webhook_url: string | null
  /** The platform's input that answers repeat, in the words of the protocol. */
  shown: Record<string, unknown>
  /** It is paid by mandate alone. */
  mandates?: true
}

/** A buyer's signed agreement to a checkout (AP2), and the platform's key that verified it. */
export interface KeptMandate {
  /** As it was sent: it can be verified again. */
  sent: string
  form: 'direct' | 'delegated'
  key: Record<string, unknown>
  verified_at: string
}

/** Products as the catalog lists them, without stock; `position` is their order. */
export const products = store.table('products', {
  id: text('id').primaryKey(),
  position: integer('position').notNull(),
  article: jsonb('article').$type<Article>().notNull(),
})

/** Pieces in stock. `offer_id` is the variant's id, or that of a product without variants. */
export const stock = store.table(
  'stock',
  { offer_id: text('offer_id').primaryKey(), quantity: integer('quantity').notNull() },
  (table) => [check('stock_not_negative', sql`${table.quantity} >= 0`)],
)

export const sessions = store.table(
  'sessions',
  {
    id: text('id').primaryKey(),
    protocol: text('protocol').$type<Protocol>().notNull(),
    status: text('status').$type<SessionStatus>().notNull(),
    /** The host that it was created on: its URLs are built from it. */
    host: text('host').notNull(),
    /** The history that its order is in: a hash of name and postal code, or of the caller. */
    buyer: text('buyer').notNull(),
    items: jsonb('items').$type<SessionItem[]>().notNull(),
    /** The fields known so far; all of them before it is paid. */
    address: jsonb('address').$type<PartialAddress>(),
    currency: text('currency').notNull(),
    subtotal: integer('subtotal').notNull(),
    tax: integer('tax').notNull(),
    shipping_options: jsonb('shipping_options').$type<ShippingOption[]>().notNull(),
    /** As an update chose it. */
    shipping_option_id: text('shipping_option_id'),
    /** The buyer's choice for the current or last try. */
    confirmed_option_id: text('confirmed_option_id'),
    /** The agent's attribution data; only reported. */
    attribution: jsonb('attribution').$type<Record<string, string>>(),
    created_at: time('created_at').notNull(),
    expires_at: time('expires_at').notNull(),
    /** The start of the current payment; stays after a try with an unknown outcome. */
    completing_since: time('completing_since'),
    /** Tries that the PSP declined: each makes the next one another charge. */
    declines: integer('declines').notNull().default(0),
    /** The idempotency key that it was created with, which must not complete it as well. */
    create_key: text('create_key'),
    official: jsonb('official').$type<OfficialState>(),
    /** Of the current or last try. */
    mandate: jsonb('mandate').$type<KeptMandate>(),
  },
  (table) => [
    index('sessions_completing').on(table.completing_since).where(sql`status = 'completing'`),
    index('sessions_expires').on(table.expires_at),
    index('sessions_open').on(table.expires_at).where(sql`status = 'pending_confirmation'`),
    index('sessions_ended').on(table.expires_at).where(sql`status in ('expired', 'canceled')`),
  ],
)

export const orders = store.table(
  'orders',
  {
    id: text('id').primaryKey(),
    session_id: text('session_id').notNull(),
    psp: text('psp').notNull(),
    payment_id: text('payment_id').notNull(),
    status: text('status').$type<OrderStatus>().notNull(),
    disputed: boolean('disputed').notNull().default(false),
    /** Its payment took its pieces out of stock: false if others had bought them by then. */
    stock_taken: boolean('stock_taken').notNull().default(true),
    confirmation_number: text('confirmation_number').notNull(),
    /** Unguessable: anyone who knows it can read the receipt. */
    receipt_token: text('receipt_token').notNull(),
    host: text('host').notNull(),
    buyer: text('buyer').notNull(),
    items: jsonb('items').$type<SessionItem[]>().notNull(),
    address: jsonb('address').$type<PartialAddress>(),
    shipping: jsonb('shipping').$type<ShippingOption>().notNull(),
    currency: text('currency').notNull(),
    subtotal: integer('subtotal').notNull(),
    tax: integer('tax').notNull(),
    total: integer('total').notNull(),
    estimated_delivery: text('estimated_delivery').notNull(),
    /** The address of the bank's challenge, while the payment waits for it. */
    challenge_url: text('challenge_url'),
    /** The protocol of its session, which may be deleted. */
    protocol: text('protocol').$type<Protocol>().notNull(),
    official: jsonb('official').$type<OfficialState>(),
    /** What the buyer signed for it; null if it was not bought by mandate. */
    mandate: jsonb('mandate').$type<KeptMandate>(),
    tracking: jsonb('tracking').$type<{ number: string; carrier?: string; url?: string }>(),
    /** Oldest first, only appended to. */
    history: jsonb('history').$type<OrderMoment[]>().notNull().default([]),
    /** Successful refunds, oldest first: for agents, receipts and webhooks. */
    refunds: jsonb('refunds').$type<OrderRefund[]>().notNull().default([]),
    /** When its payment succeeded. */
    paid_at: time('paid_at'),
    created_at: time('created_at').notNull(),
    updated_at: time('updated_at').notNull(),
  },
  (table) => [
    // Exactly once: a session and a payment make at most one order each.
    unique('orders_session').on(table.session_id),
    unique('orders_payment').on(table.psp, table.payment_id),
    unique('orders_receipt').on(table.receipt_token),
    index('orders_buyer').on(table.buyer, table.created_at),
    index('orders_awaiting').on(table.updated_at).where(sql`status = 'awaiting_payment'`),
    index('orders_paid').on(table.paid_at),
  ],
)

/** Refunds, written before the PSP is asked for them. */
export const refunds = store.table(
  'refunds',
  {
    /** Also the PSP's idempotency key: one id makes one refund. */
    id: text('id').primaryKey(),
    order_id: text('order_id').notNull(),
    /** A repeat with the same key gets the same refund. */
    key: text('key').notNull(),
    amount: integer('amount').notNull(),
    currency: text('currency').notNull(),
    /** The merchant's own words, shown only to the merchant. */
    reason: text('reason'),
    status: text('status').$type<'pending' | 'succeeded' | 'failed'>().notNull(),
    psp_refund_id: text('psp_refund_id'),
    /** The reason for a failure. */
    message: text('message'),
    /** Asking the PSP; a try counts as soon as it is begun. */
    ...attemptColumns(),
    created_at: time('created_at').notNull(),
    settled_at: time('settled_at'),
  },
  (table) => [
    unique('refunds_key').on(table.order_id, table.key),
    index('refunds_due').on(table.next_at).where(sql`next_at is not null`),
    check('refunds_positive', sql`${table.amount} > 0`),
  ],
)

/** Carts of the official dialects: prices are not fixed, and nothing is reserved. */
export const carts = store.table(
  'carts',
  {
    id: text('id').primaryKey(),
    protocol: text('protocol').$type<OfficialProtocol>().notNull(),
    host: text('host').notNull(),
    items: jsonb('items').$type<CheckoutItem[]>().notNull(),
    official: jsonb('official').$type<OfficialState>().notNull(),
    /** The newest checkout that was opened with it. */
    session_id: text('session_id'),
    created_at: time('created_at').notNull(),
    expires_at: time('expires_at').notNull(),
    canceled_at: time('canceled_at'),
  },
  (table) => [index('carts_expires').on(table.expires_at)],
)

/** The answer for repeated calls with the same key; null while the first call is in progress. */
export const idempotency_keys = store.table(
  'idempotency_keys',
  {
    /** Protocol, endpoint and caller: equal keys in different scopes are independent. */
    scope: text('scope').notNull(),
    key: text('key').notNull(),
    /** SHA-256 of the canonical body (RFC 8785). */
    fingerprint: text('fingerprint').notNull(),
    status: integer('status'),
    /** As it was written: a repeated answer is the same to the byte. */
    body: json('body'),
    /** The bytes that an official dialect sent, for a repeated call. */
    sent: jsonb('sent').$type<{ status: number; text: string }>(),
    created_at: time('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.scope, table.key] }),
    index('idempotency_keys_created').on(table.created_at),
  ],
)

/** Checkouts per buyer and window. */
export const store_rate_limits = store.table(
  'rate_limits',
  {
    key: varchar('key', { length: 255 }).primaryKey(),
    points: integer('points').notNull().default(0),
    expire: time('expire'),
  },
  (table) => [index('rate_limits_expire').on(table.expire)],
)

/**
 * Payments that a person must check, with the reason. Stored apart from the orders, because the
 * charge may have none.
 */
export const payment_reviews = store.table(
  'payment_reviews',
  {
    psp: text('psp').notNull(),
    payment_id: text('payment_id').notNull(),
    cause: text('cause').$type<ReviewCause>().notNull(),
    session_id: text('session_id').notNull(),
    /** The amount of the payment; null if the PSP does not state it. */
    amount: jsonb('amount').$type<Money>(),
    noted_at: time('noted_at').notNull(),
    /** When someone confirmed that they had checked it. */
    reviewed_at: time('reviewed_at'),
  },
  (table) => [
    primaryKey({ columns: [table.psp, table.payment_id, table.cause] }),
    index('payment_reviews_session').on(table.session_id),
    index('payment_reviews_open').on(table.noted_at).where(sql`reviewed_at is null`),
  ],
)

/** Deliveries of a PSP that have had their effect. */
export const psp_events = store.table(
  'psp_events',
  {
    psp: text('psp').notNull(),
    id: text('id').notNull(),
    type: text('type').notNull(),
    received_at: time('received_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.psp, table.id] }),
    index('psp_events_received').on(table.received_at),
  ],
)

/**
 * How a receiver is notified: by Standard Webhooks, which merchants' own have, or as a protocol
 * defines it. The merchant registers receivers of the first two; those of `ucp` are in a platform's
 * profile.
 */
export type WebhookFormat = 'standard' | 'acp' | 'ucp'

/** Receivers of order events. */
export const webhook_endpoints = store.table('webhook_endpoints', {
  id: text('id').primaryKey(),
  url: text('url').notNull(),
  format: text('format').$type<WebhookFormat>().notNull().default('standard'),
  /**
   * We sign with it, so it is stored in plain text: `whsec_…` (Standard Webhooks), or the agent's
   * (ACP). Empty for UCP, where the store's own key signs.
   */
  secret: text('secret').notNull(),
  /**
   * The events that an endpoint of the format `standard` gets; the others get every change and name
   * none.
   */
  events: text('events').array().notNull(),
  /**
   * For the format `acp`: the agent whose orders it gets, because an order's state names its
   * platform.
   */
  platform: text('platform'),
  created_at: time('created_at').notNull(),
  failing_since: time('failing_since'),
  disabled_at: time('disabled_at'),
  /** When a platform's was last notified, to the day; null for those of the merchant. */
  told_at: time('told_at'),
})

/** The order of an order's webhooks: they are written one after another. */
export const webhook_places = store.sequence('webhook_places')

/** The outbox: one row for each event and endpoint, written in the transaction of the change. */
export const webhook_deliveries = store.table(
  'webhook_deliveries',
  {
    id: text('id').primaryKey(),
    endpoint_id: text('endpoint_id').notNull(),
    /** The id of the message (`webhook-id`), the same for all endpoints and tries. */
    message_id: text('message_id').notNull(),
    event: text('event').notNull(),
    /** Deliveries of an order to an endpoint keep this order; null: any order. */
    order_id: text('order_id'),
    place: bigint('place', { mode: 'number' }),
    payload: text('payload').notNull(),
    ...deliveryColumns(),
  },
  (table) => [
    index('webhook_deliveries_due')
      .on(table.endpoint_id, table.next_at)
      .where(sql`next_at is not null`),
    index('webhook_deliveries_created').on(table.created_at),
  ],
)

/** What platforms have signed with a nonce. */
export const used_nonces = store.table('used_nonces', usedNonceColumns(), nonceEnds)

/** The keys that the store signs its messages with; the oldest that is not retired signs. */
export const signing_keys = store.table('signing_keys', signingKeyColumns(), oneNewestKey)

export type CheckoutSession = typeof sessions.$inferSelect
export type Order = typeof orders.$inferSelect
export type Cart = typeof carts.$inferSelect
export type PaymentReview = typeof payment_reviews.$inferSelect
export type Refund = typeof refunds.$inferSelect
export type Tracking = NonNullable<Order['tracking']>

/** A transaction on the store's database. */
export type Tx = Parameters<Parameters<Db['transaction']>[0]>[0]
