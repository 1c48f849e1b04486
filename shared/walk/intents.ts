import type { Reason } from './session.ts'

/**
 * `look` pays nothing, and cancels what it opened. `sandbox` pays with a token that the owner gave.
 */
export const WALK_MODES = ['look', 'sandbox'] as const
export type WalkMode = (typeof WALK_MODES)[number]

/** What to look for in the catalog. */
export type GoodsWanted =
  /** The cheapest in-stock variant, of a product with two options if possible. */
  | 'cheapest'
  /** The same, and another product. */
  | 'two'
  | 'sold_out'
  | 'preorder'
  /** A listed product with a variant that no store has. */
  | 'unknown'

/** The destination. */
export type AddressWanted = 'home' | 'abroad' | 'nowhere' | 'po_box'

/**
 * What the buyer hopes for. `accepted`: a session. `refused`: a refusal for this reason.
 * `answered`: either, in words that an agent can pass on.
 */
export type Hope = 'accepted' | 'answered' | { refused: readonly Reason[] }

/** One thing that the buyer does. It is skipped if the dialect cannot do it. */
export type Move =
  | {
      do: 'open'
      hope?: Hope
      address?: AddressWanted
      /** Quantity of the first line. */
      quantity?: number
      /** Asks for prices in another currency than the listed one. */
      foreign?: boolean
    }
  /** Asks for shipping with only country and postal code. */
  | { do: 'quote' }
  | { do: 'address'; address?: AddressWanted; hope?: Hope }
  | { do: 'choose' }
  /** Sets the quantity of the first line. */
  | { do: 'quantity'; quantity: number }
  /** Replaces the first line by another product. */
  | { do: 'swap' }
  | { do: 'coupon'; hope: Hope }
  /** Repeats the opening: under its key, under another, or with another body under its key. */
  | { do: 'reopen'; key: 'same' | 'other'; body: 'same' | 'other' }
  /** Uses a session after it was cancelled. */
  | { do: 'revive' }
  | { do: 'cancel' }
  /**
   * Pays with a token that the owner gave: it is charged, declined, or challenged. `lost`: the
   * connection drops before the answer is read.
   */
  | { do: 'pay'; with: TokenWanted; lost?: boolean }
  /** Pays again for a paid session. */
  | { do: 'repay'; key: 'same' | 'other' }
  /** Reads the order. */
  | { do: 'order' }
  /** Puts the goods into a cart, changes how many there are, or cancels it. */
  | { do: 'cart'; quantity?: number }
  | { do: 'cart_quantity'; quantity: number }
  | { do: 'cart_cancel' }
  /** Follows the link on which the buyer goes on, or the store's link that fills a basket. */
  | { do: 'follow' }
  | { do: 'permalink' }
  /** Opens the page that the catalog or the feed links to. */
  | { do: 'product_page' }
  /** The same link in a store without a checkout for agents, where all of the purchase is on it. */
  | { do: 'hand_over' }

/** The move with this name. */
export type MoveOf<Name extends Move['do']> = Extract<Move, { do: Name }>

export type TokenWanted = 'good' | 'declined' | 'challenged'

export interface BuyerIntent {
  id: string
  /** For people: what the buyer wants. */
  name: string
  goods: GoodsWanted
  moves: readonly Move[]
  /** `sandbox`: cannot be seen without paying. In sandbox mode the other intents pay too. */
  mode: WalkMode
  /** The agent shows a profile that buys by mandate. */
  byMandate?: true
}

const SHIPPED: readonly Move[] = [{ do: 'quote' }, { do: 'address' }, { do: 'choose' }]

/**
 * What buyers come for. Each ends with cancelling what is still open; moves that pay are only made
 * in a sandbox.
 */
export const INTENTS = [
  {
    id: 'cheapest_variant',
    name: 'The cheapest variant in stock',
    goods: 'cheapest',
    mode: 'look',
    moves: [
      { do: 'product_page' },
      { do: 'open' },
      ...SHIPPED,
      { do: 'follow' },
      { do: 'pay', with: 'good' },
      { do: 'order' },
    ],
  },
  {
    id: 'two_and_one',
    name: 'Two of one thing and one of another',
    goods: 'two',
    mode: 'look',
    moves: [
      { do: 'open', quantity: 2 },
      ...SHIPPED,
      { do: 'quantity', quantity: 1 },
      { do: 'pay', with: 'good' },
      { do: 'order' },
    ],
  },
  {
    id: 'sold_out_variant',
    name: 'Ask for something that is sold out',
    goods: 'sold_out',
    mode: 'look',
    moves: [{ do: 'open', hope: { refused: ['sold_out', 'quantity'] } }],
  },
  {
    id: 'unknown_variant',
    name: 'Ask for a variant that does not exist',
    goods: 'unknown',
    mode: 'look',
    moves: [{ do: 'open', hope: { refused: ['unknown_item', 'invalid', 'sold_out'] } }],
  },
  {
    id: 'preorder',
    name: 'Something before it is released',
    goods: 'preorder',
    mode: 'look',
    moves: [{ do: 'open' }, ...SHIPPED],
  },
  {
    id: 'another_country',
    name: 'Ship it to another country',
    goods: 'cheapest',
    mode: 'look',
    moves: [
      { do: 'open', address: 'abroad', hope: 'answered' },
      { do: 'address', address: 'abroad', hope: 'answered' },
    ],
  },
  {
    id: 'another_currency',
    name: 'Ask for prices in another currency',
    goods: 'cheapest',
    mode: 'look',
    moves: [{ do: 'open', foreign: true, hope: 'answered' }],
  },
  {
    id: 'no_such_address',
    name: 'Give an address that does not exist',
    goods: 'cheapest',
    mode: 'look',
    moves: [
      { do: 'open', address: 'nowhere', hope: { refused: ['address', 'shipping', 'invalid'] } },
      { do: 'address', address: 'nowhere', hope: { refused: ['address', 'shipping', 'invalid'] } },
    ],
  },
  {
    id: 'po_box',
    name: 'Ship it to a PO box',
    goods: 'cheapest',
    mode: 'look',
    moves: [
      { do: 'open', address: 'po_box', hope: 'answered' },
      { do: 'address', address: 'po_box', hope: 'answered' },
    ],
  },
  {
    id: 'largest_quantity',
    name: 'A quantity of 1,000,000,000',
    goods: 'cheapest',
    mode: 'look',
    moves: [
      {
        do: 'open',
        quantity: 1_000_000_000,
        hope: { refused: ['sold_out', 'quantity', 'invalid'] },
      },
    ],
  },
  {
    id: 'unknown_coupon',
    name: 'Use a coupon that does not exist',
    goods: 'cheapest',
    mode: 'look',
    moves: [{ do: 'open' }, { do: 'coupon', hope: { refused: ['coupon', 'invalid'] } }],
  },
  {
    id: 'repeat_same_key',
    name: 'Send the same call twice, as after a lost answer',
    goods: 'cheapest',
    mode: 'look',
    moves: [
      { do: 'open' },
      { do: 'reopen', key: 'same', body: 'same' },
      ...SHIPPED,
      { do: 'pay', with: 'good' },
      { do: 'repay', key: 'same' },
    ],
  },
  {
    id: 'repeat_other_key',
    name: 'Send the same call again under a new key',
    goods: 'cheapest',
    mode: 'look',
    moves: [
      { do: 'open' },
      { do: 'reopen', key: 'other', body: 'same' },
      ...SHIPPED,
      { do: 'pay', with: 'good' },
      { do: 'repay', key: 'other' },
    ],
  },
  {
    id: 'repeat_other_body',
    name: 'Use the same key for another basket',
    goods: 'two',
    mode: 'look',
    moves: [{ do: 'open' }, { do: 'reopen', key: 'same', body: 'other' }],
  },
  {
    id: 'after_the_end',
    name: 'Come back after the checkout was cancelled',
    goods: 'cheapest',
    mode: 'look',
    moves: [{ do: 'open' }, { do: 'cancel' }, { do: 'revive' }],
  },
  {
    id: 'cancel_midway',
    name: 'Cancel after shipping was chosen',
    goods: 'cheapest',
    mode: 'look',
    moves: [{ do: 'open' }, ...SHIPPED, { do: 'cancel' }],
  },
  {
    id: 'change_of_mind',
    name: 'Take something else after shipping was chosen',
    goods: 'two',
    mode: 'look',
    moves: [{ do: 'open' }, ...SHIPPED, { do: 'swap' }, { do: 'choose' }],
  },
  {
    id: 'cart_to_checkout',
    name: 'Fill a cart, and check out from it',
    goods: 'cheapest',
    mode: 'look',
    moves: [
      { do: 'cart' },
      { do: 'cart_quantity', quantity: 2 },
      { do: 'follow' },
      { do: 'open', quantity: 2 },
      ...SHIPPED,
      { do: 'pay', with: 'good' },
    ],
  },
  {
    // As Google's cart transfer does it: all of the cart in one call.
    id: 'cart_handed_over',
    name: 'Fill a cart, and pay in the store',
    goods: 'cheapest',
    mode: 'look',
    moves: [{ do: 'cart', quantity: 2 }, { do: 'hand_over' }, { do: 'cart_quantity', quantity: 1 }],
  },
  {
    id: 'cart_given_up',
    name: 'Fill a cart, and give it up',
    goods: 'cheapest',
    mode: 'look',
    moves: [{ do: 'cart' }, { do: 'cart_cancel' }],
  },
  {
    id: 'permalink',
    name: 'Follow a link that fills a basket',
    goods: 'cheapest',
    mode: 'look',
    moves: [{ do: 'permalink' }],
  },
  {
    id: 'by_mandate',
    name: 'Open a checkout that is paid by mandate',
    goods: 'cheapest',
    mode: 'look',
    byMandate: true,
    moves: [{ do: 'open' }],
  },
  {
    id: 'reorder',
    name: 'The same again',
    goods: 'cheapest',
    mode: 'look',
    moves: [
      { do: 'open' },
      ...SHIPPED,
      { do: 'pay', with: 'good' },
      { do: 'open' },
      ...SHIPPED,
      { do: 'pay', with: 'good' },
    ],
  },
  {
    id: 'lost_answer',
    name: 'Lose the connection while paying, and try again',
    goods: 'cheapest',
    mode: 'sandbox',
    moves: [
      { do: 'open' },
      ...SHIPPED,
      { do: 'pay', with: 'good', lost: true },
      { do: 'repay', key: 'same' },
      { do: 'repay', key: 'other' },
      { do: 'order' },
    ],
  },
  {
    id: 'declined_card',
    name: 'Pay with a card that is declined',
    goods: 'cheapest',
    mode: 'sandbox',
    moves: [{ do: 'open' }, ...SHIPPED, { do: 'pay', with: 'declined' }],
  },
  {
    id: 'challenge',
    name: 'Pay with a card that the bank wants to confirm',
    goods: 'cheapest',
    mode: 'sandbox',
    moves: [{ do: 'open' }, ...SHIPPED, { do: 'pay', with: 'challenged' }],
  },
] as const satisfies readonly BuyerIntent[]

export type IntentId = (typeof INTENTS)[number]['id']

/** Every intent, in the order of the table. */
export const INTENT_IDS: readonly IntentId[] = INTENTS.map(({ id }) => id)

/** All intents of a mode: the default of a walk. */
export const intentsOf = (mode: WalkMode): IntentId[] =>
  INTENTS.filter((intent) => mode === 'sandbox' || intent.mode === 'look').map(({ id }) => id)

/** The title of an intent, for people. */
export const nameOfIntent = (id: string): string =>
  INTENTS.find((intent) => intent.id === id)?.name ?? id
