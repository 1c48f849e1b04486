import type { WalkMode } from './intents.ts'

/**
 * Who must act, by the protocol. `agent`: we sent something wrong, or were not admitted. `buyer`:
 * the person has to act. `network`: no answer came.
 */
export type Party = 'store' | 'agent' | 'buyer' | 'network'

/** What a buyer expects of a store, and a walk can check. */
export interface Expectation {
  id: string
  /** As a sentence, for people: what should happen. */
  expected: string
  /** Whose fault it is, by the protocol, if the expectation is not met. */
  party: Party
  /** Can only be checked in sandbox mode. */
  mode: WalkMode
  /**
   * The gap that an audit reports if it is not met in a dialect of UCP, and of ACP; null if that is
   * not a fault of the store, or another gap covers it. Several expectations may share one gap.
   */
  gaps: { ucp: string | null; acp: string | null }
  /** What to change. */
  fix: string
  /** The purchase goes on if it is not met. */
  goesOn?: true
}

/** A gap that does not depend on the protocol. */
const checkout = (name: string) => ({ ucp: `checkout_${name}`, acp: `checkout_${name}` })

/** Shown in the walk, but not a gap of an audit. */
const NO_GAP = { ucp: null, acp: null }

/** In the order of a purchase: most end it if unmet, so that each fault shows once. */
export const EXPECTATIONS = [
  {
    id: 'something_to_buy',
    expected: 'The catalog lists something that fits this purchase.',
    party: 'store',
    mode: 'look',
    // The rules of the catalog say what is wrong with it.
    gaps: NO_GAP,
    fix: 'List products with an id, a price and an availability.',
  },
  {
    id: 'catalog_agrees',
    expected: 'Search, look-up and product say the same of one thing.',
    party: 'store',
    mode: 'look',
    gaps: NO_GAP,
    fix: 'Answer searches, look-ups and products from one source: the same prices and the same stock.',
  },
  {
    id: 'tools_fit',
    expected: 'The schema of each tool shows what the protocol has the tool take.',
    party: 'store',
    mode: 'look',
    gaps: NO_GAP,
    fix: 'Show in inputSchema what the protocol defines: agents build their calls by it.',
  },
  {
    id: 'currency_is_declared',
    expected: 'The prices are in a currency that acp.json names.',
    party: 'store',
    mode: 'look',
    gaps: { ucp: null, acp: 'checkout_currency_mismatch' },
    fix: 'Name in capabilities.supported_currencies of acp.json the currencies that you sell in.',
  },
  {
    id: 'answers',
    expected: 'The store answers in time.',
    party: 'network',
    mode: 'look',
    gaps: NO_GAP,
    fix: 'Try again later. If it happens again, look at what stands between your store and the internet, and at its limits for agents.',
  },
  {
    id: 'admits_agents',
    expected: 'The store admits an agent that shows its profile.',
    party: 'agent',
    mode: 'look',
    gaps: NO_GAP,
    fix: 'Let this agent in for the walk: give it a key, or trust its profile.',
  },
  {
    id: 'variant_can_be_bought',
    expected: 'What the catalog lists as in stock can be put into a checkout.',
    party: 'store',
    mode: 'look',
    gaps: checkout('variant_unavailable'),
    fix: 'Resolve the ids of the catalog in the checkout: the id of a variant, as listed.',
  },
  {
    id: 'session_opens',
    expected: 'A checkout of goods in stock with a complete address is accepted.',
    party: 'store',
    mode: 'look',
    gaps: checkout('dry_run_failed'),
    fix: 'Accept this checkout; a 500 is usually caused by missing PSP credentials.',
  },
  {
    id: 'session_is_whole',
    expected: 'The answer has all fields that agents need.',
    party: 'store',
    mode: 'look',
    gaps: checkout('invalid_shape'),
    fix: 'Answer with every required field of the protocol.',
  },
  {
    id: 'terms_are_signed',
    expected: 'Where mandates were agreed on, a key of the profile signs each checkout.',
    party: 'store',
    mode: 'look',
    // Only platforms that buy by mandate see it.
    gaps: NO_GAP,
    fix: 'Sign the canonical JSON (RFC 8785) of each checkout as it is sent, without ap2, with a key of your profile, and send the detached JWS as ap2.merchant_authorization.',
  },
  {
    id: 'currency_is_written_right',
    expected: 'The currency is written as the protocol defines.',
    party: 'store',
    mode: 'look',
    // In UCP the rules of the catalog check it too.
    gaps: { ucp: 'catalog_currency_invalid', acp: 'acp_currency_invalid' },
    fix: 'Write a code of ISO 4217: in official ACP preferably in small letters, such as "usd", and in capitals everywhere else, such as "USD".',
  },
  {
    id: 'session_is_fast',
    expected: 'The checkout is opened within 3 seconds.',
    party: 'store',
    mode: 'look',
    gaps: checkout('slow'),
    fix: 'Open checkouts within 3 seconds: otherwise agents give up or try again.',
    goesOn: true,
  },
  {
    id: 'currency_as_listed',
    expected: 'The currency is that of the catalog.',
    party: 'store',
    mode: 'look',
    gaps: checkout('currency_mismatch'),
    fix: 'Charge in the currency that the catalog lists, or list prices in the one you charge.',
  },
  {
    id: 'price_as_listed',
    expected: 'The price is the one in the catalog.',
    party: 'store',
    mode: 'look',
    gaps: checkout('price_mismatch'),
    fix: 'Use one source for both prices, in the smallest unit of the currency.',
  },
  {
    id: 'goods_as_asked',
    expected: 'What was asked for is in it, in the quantity asked for.',
    party: 'store',
    mode: 'look',
    gaps: checkout('lines_wrong'),
    fix: 'Keep the items and quantities of the request and of each update, or say in a message why not.',
  },
  {
    id: 'totals_add_up',
    expected: 'The amounts add up to the total.',
    party: 'store',
    mode: 'look',
    gaps: checkout('totals_wrong'),
    fix: 'Make subtotal, shipping, tax and discounts add up to the total that you charge.',
  },
  {
    id: 'lives_long_enough',
    expected: 'The checkout stays open long enough to be paid.',
    party: 'store',
    mode: 'look',
    gaps: checkout('expiry_invalid'),
    fix: 'Set expires_at to 15 to 30 minutes from now.',
  },
  {
    id: 'shipping_is_offered',
    expected: 'A complete address gets a shipping option.',
    party: 'store',
    mode: 'look',
    gaps: checkout('shipping_options_missing'),
    fix: 'Offer at least one shipping option with its price for each address that you ship to.',
  },
  {
    id: 'shipping_can_be_chosen',
    expected: 'An offered shipping option can be chosen, and its price is in the total.',
    party: 'store',
    mode: 'look',
    gaps: checkout('totals_wrong'),
    fix: 'Take the id of an option that you offered, and add its price to the total.',
  },
  {
    id: 'becomes_ready',
    expected:
      'With goods, address and shipping the checkout can be paid, or leads the buyer to a page.',
    party: 'store',
    mode: 'look',
    gaps: checkout('never_ready'),
    fix: 'Name in messages what is still missing, or let the checkout become ready to be paid.',
  },
  {
    id: 'ways_to_pay',
    expected: 'A checkout that can be paid names a payment method, or leads the buyer to a page.',
    party: 'store',
    mode: 'look',
    // In UCP the profile has to name none either, which is a gap of its own.
    gaps: { ucp: null, acp: 'acp_payment_handlers_missing' },
    fix: 'Name your payment handlers in each checkout; in ACP under capabilities.payment.handlers.',
  },
  {
    id: 'leads_the_buyer_on',
    expected: 'If the buyer has to act, the checkout says where.',
    party: 'store',
    mode: 'look',
    gaps: checkout('continue_url_missing'),
    fix: 'Set continue_url whenever the buyer has to go on in your store.',
  },
  {
    id: 'sold_out_is_refused',
    expected: 'What is sold out is refused, and the store says so.',
    party: 'store',
    mode: 'look',
    gaps: checkout('accepts_sold_out'),
    fix: 'Refuse what is sold out when the checkout is opened, with the code out_of_stock.',
  },
  {
    id: 'unknown_is_refused',
    expected: 'A variant that does not exist is refused.',
    party: 'store',
    mode: 'look',
    gaps: checkout('accepts_unknown_variant'),
    fix: 'Refuse an id that is not in the catalog.',
  },
  {
    id: 'bad_address_is_refused',
    expected: 'An address that does not exist is refused, and the store says so.',
    party: 'store',
    mode: 'look',
    gaps: checkout('accepts_invalid_address'),
    fix: 'Refuse it with an error about the address that names the fields.',
  },
  {
    id: 'abroad_is_answered',
    expected: 'An unusual address gets a shipping option or a clear refusal.',
    party: 'store',
    mode: 'look',
    gaps: checkout('abroad_fails'),
    fix: 'Answer addresses that you do not ship to with an error about the address, so that the agent can tell its customer.',
  },
  {
    id: 'other_currency_is_answered',
    expected:
      'A request for another currency is answered in yours, in that one, or with a clear refusal.',
    party: 'store',
    mode: 'look',
    gaps: checkout('foreign_currency_fails'),
    fix: 'Answer in a currency that you sell in, or refuse in words.',
  },
  {
    id: 'quantity_is_answered',
    expected: 'The store refuses or lowers a quantity that it cannot have, and says so.',
    party: 'store',
    mode: 'look',
    gaps: checkout('accepts_sold_out'),
    fix: 'Refuse what is more than you have, or lower it and say so in a message.',
  },
  {
    id: 'coupon_is_answered',
    expected: 'A coupon that does not exist changes no price, and the store says so.',
    party: 'store',
    mode: 'look',
    // Few stores have coupons for agents, and a buyer without one loses nothing.
    gaps: NO_GAP,
    fix: 'Answer an unknown coupon with a message, and leave the prices as they are.',
  },
  {
    id: 'errors_explain',
    expected: 'A refusal has the code and the sentence that an agent can pass on.',
    party: 'store',
    mode: 'look',
    gaps: checkout('error_body_invalid'),
    fix: 'Answer refusals in the form of the protocol: a code, and a sentence for the buyer.',
  },
  {
    id: 'repeats_are_one',
    expected: 'The same call under the same key returns the same checkout.',
    party: 'store',
    mode: 'look',
    gaps: checkout('idempotency_ignored'),
    fix: 'Keep the answer of each idempotency key for a day, and return it to the same call.',
  },
  {
    id: 'changes_count',
    expected: 'A change to an open checkout is applied, and the totals are recalculated.',
    party: 'store',
    mode: 'look',
    gaps: checkout('lines_wrong'),
    fix: 'Apply the items, address and shipping of an update, and recalculate the totals.',
  },
  {
    id: 'is_read_as_answered',
    expected:
      'A checkout keeps its id, and is read with the goods and amounts that the last answer had.',
    party: 'store',
    mode: 'look',
    gaps: checkout('not_kept'),
    fix: 'Read checkouts from where they are changed, without a cache in between, and keep their id.',
  },
  {
    id: 'cart_works',
    expected: 'A cart keeps what is put in, and is gone once it is cancelled.',
    party: 'store',
    mode: 'look',
    gaps: NO_GAP,
    fix: 'Keep the lines of a cart as they were sent, at the prices of the catalog, until it is cancelled.',
  },
  {
    id: 'link_leads_on',
    expected: 'The link for the buyer opens a page of the store with these goods, at these prices.',
    party: 'store',
    mode: 'look',
    gaps: checkout('link_wrong'),
    fix: 'Lead continue_url and permalinks to a page of your store that holds these goods, in this quantity, at this price, and asks for no log-in.',
    goesOn: true,
  },
  {
    id: 'arrives_whole',
    expected:
      'In a fresh browser the link shows the goods that were chosen: their variant, quantity, price and currency.',
    party: 'store',
    mode: 'look',
    gaps: checkout('link_wrong'),
    fix: 'Keep what was chosen with the link itself, not in a cookie of the agent, and show it to guests as it was answered.',
    goesOn: true,
  },
  {
    id: 'can_be_cancelled',
    expected: 'An open checkout can be cancelled.',
    party: 'store',
    mode: 'look',
    gaps: checkout('cancel_fails'),
    fix: 'Let agents cancel a checkout, and refuse changes to one that has ended.',
  },
  {
    id: 'stays_ended',
    expected: 'A cancelled checkout can be neither changed nor paid.',
    party: 'store',
    mode: 'look',
    gaps: checkout('cancel_fails'),
    fix: 'Refuse changes to a checkout that has ended.',
  },
  {
    id: 'takes_payment',
    expected: 'A valid token pays for a ready checkout.',
    party: 'store',
    mode: 'sandbox',
    gaps: checkout('complete_fails'),
    fix: 'Let the checkout be completed: look at the log of your store and at the credentials of your PSP.',
  },
  {
    id: 'charged_as_agreed',
    expected: 'What is charged and ordered is what the checkout showed before it was paid.',
    party: 'store',
    mode: 'sandbox',
    gaps: checkout('totals_wrong'),
    fix: 'Charge the total, currency, goods, tax and shipping of the checkout as it was when it was ready; name every fee before.',
  },
  {
    id: 'credential_is_kept',
    expected: 'No answer repeats the token that the payment was made with.',
    party: 'store',
    mode: 'sandbox',
    gaps: checkout('credential_echoed'),
    fix: 'Answer payment instruments without their credential: id, handler, type and what may be shown.',
  },
  {
    id: 'one_order',
    expected: 'Each checkout makes one order of its own, however often it is paid.',
    party: 'store',
    mode: 'sandbox',
    gaps: checkout('idempotency_ignored'),
    fix: 'Make one order per checkout: answer a repeated payment with the existing order.',
  },
  {
    id: 'decline_is_said',
    expected: 'A declined card is reported as declined, and the checkout can still be paid.',
    party: 'store',
    mode: 'sandbox',
    gaps: checkout('decline_fails'),
    fix: 'Answer a declined card with an error about the payment, and leave the checkout open.',
  },
  {
    id: 'challenge_leads_on',
    expected: 'If the bank asks the buyer to confirm, the checkout leads there.',
    party: 'store',
    mode: 'sandbox',
    gaps: checkout('continue_url_missing'),
    fix: 'Answer with the challenge, or with a continue_url where the buyer confirms the payment.',
  },
  {
    id: 'order_can_be_read',
    expected: 'The order can be read by the id from the purchase.',
    party: 'store',
    mode: 'sandbox',
    gaps: checkout('order_unreadable'),
    fix: 'Answer with the order to the agent that placed it.',
  },
] as const satisfies readonly Expectation[]

export type ExpectationId = (typeof EXPECTATIONS)[number]['id']

const BY_ID: ReadonlyMap<string, Expectation> = new Map(EXPECTATIONS.map((each) => [each.id, each]))

/** What is expected, by its id. */
export function expectationOf(id: ExpectationId): Expectation {
  const found = BY_ID.get(id)
  if (found === undefined) throw new Error(`There is no expectation ${id}.`)
  return found
}

/** Whether the purchase goes on although this is not met. */
export const goesOn = ({ expectation }: { expectation: ExpectationId }): boolean =>
  expectationOf(expectation).goesOn === true
