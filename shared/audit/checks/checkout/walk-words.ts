import { expectationOf } from '../../../walk/expectations.ts'
import type { RuleWords } from '../../rule-words.ts'

// Data: the words of the rules that only a walk can judge.

export const walkWords = {
  checkout_variant_unavailable: {
    passed: 'checkout_variants_resolve',
    severity: 'critical',
    caps: 'cannot_buy',
    label: 'What the catalog lists as in stock cannot be bought',
    fix: expectationOf('variant_can_be_bought').fix,
    passes: 'What is listed as in stock can be bought',
    meaning:
      'A variant that the catalog lists as in stock was put into a checkout under its listed id, and the checkout did not know it or had none left.',
    why: 'The buyer has chosen it and is told that it does not exist. Usually the catalog and the checkout use different ids, or the catalog is updated too rarely.',
    language: 'json',
    before: `{ "messages": [
  { "type": "error", "code": "item_unavailable", "severity": "recoverable",
    "content": "There is no such product." }
] }`,
    after: `{ "line_items": [
  { "id": "li_1", "item": { "id": "1001-s-pine", "title": "Ridge Jacket, S, Pine", "price": 18900 },
    "quantity": 1 }
] }`,
  },
  checkout_currency_mismatch: {
    passed: 'checkout_currency',
    severity: 'high',
    caps: 'cannot_buy',
    label: 'The checkout is in another currency than the catalog',
    fix: expectationOf('currency_as_listed').fix,
    passes: 'The checkout is in the currency of the catalog',
    meaning: 'The checkout charges in another currency than the one in which the catalog lists.',
    why: 'The buyer agreed to a price in one currency. Agents are instructed to stop when the checkout names another.',
    language: 'json',
    before: `{ "subtotal": { "amount": 18900, "currency": "CAD" } }`,
    after: `{ "subtotal": { "amount": 18900, "currency": "USD" } }`,
  },
  checkout_lines_wrong: {
    passed: 'checkout_lines',
    severity: 'high',
    caps: 'wrong_order',
    label: 'The checkout does not hold what was asked for',
    fix: expectationOf('goods_as_asked').fix,
    passes: 'The checkout holds what was asked for',
    meaning:
      'The checkout holds other items or another quantity than the agent asked for, when it was opened or after an update, and no message says so.',
    why: 'The buyer confirms one basket and pays for another. Agents that compare the two stop; the others cause a return.',
    language: 'text',
    before: `PUT /checkout-sessions/chk_7Q2   { "line_items": [{ …, "quantity": 2 }] }
→   200   { "line_items": [{ …, "quantity": 1 }], "messages": [] }`,
    after: `PUT /checkout-sessions/chk_7Q2   { "line_items": [{ …, "quantity": 2 }] }
→   200   { "line_items": [{ …, "quantity": 2 }] }`,
  },
  checkout_totals_wrong: {
    passed: 'checkout_totals',
    severity: 'high',
    caps: 'wrong_price',
    label: 'The amounts in the checkout do not add up, or change when it is paid',
    fix: expectationOf('totals_add_up').fix,
    passes: 'The amounts in the checkout add up, and stay',
    meaning:
      'Subtotal, shipping, tax and discounts do not add up to the total, the price of the chosen shipping is not among them, or more is charged, or something else is ordered, than the checkout showed.',
    why: 'An agent reads these amounts to the buyer and adds them up itself. If the sum differs from the total, it cannot say what the buyer pays, and stops.',
    language: 'json',
    before: `{ "totals": [
  { "type": "subtotal", "amount": 18900 },
  { "type": "fulfillment", "amount": 600 },
  { "type": "tax", "amount": 1512 },
  { "type": "total", "amount": 21149 }
] }`,
    after: `{ "totals": [
  { "type": "subtotal", "amount": 18900 },
  { "type": "fulfillment", "amount": 600 },
  { "type": "tax", "amount": 1512 },
  { "type": "total", "amount": 21012 }
] }`,
  },
  checkout_shipping_options_missing: {
    passed: 'checkout_shipping_options',
    severity: 'critical',
    caps: 'cannot_buy',
    label: 'The checkout offers no shipping',
    fix: expectationOf('shipping_is_offered').fix,
    passes: 'The checkout offers shipping',
    meaning: 'For a complete address the checkout offers no way to ship.',
    why: 'Without an option to choose, the checkout never becomes ready, and nothing can be bought. Often shipping rates exist for the website alone.',
    language: 'json',
    before: `{ "shipping_options": [] }`,
    after: `{
  "shipping_options": [
    { "id": "standard", "name": "Standard", "cost": { "amount": 600, "currency": "USD" } }
  ]
}`,
  },
  checkout_never_ready: {
    passed: 'checkout_becomes_ready',
    severity: 'critical',
    caps: 'cannot_buy',
    label: 'The checkout never becomes ready to be paid',
    fix: expectationOf('becomes_ready').fix,
    passes: 'The checkout becomes ready to be paid',
    meaning:
      'With items, a complete address and a chosen shipping option, the checkout still says that something is missing.',
    why: 'The agent has given all that it was asked for and may not pay. If no message names what is missing, it cannot even ask the buyer for it.',
    language: 'json',
    before: `{ "status": "incomplete", "messages": [] }`,
    after: `{ "status": "ready_for_complete" }`,
  },
  checkout_accepts_sold_out: {
    passed: 'checkout_refuses_sold_out',
    severity: 'high',
    caps: 'wrong_order',
    label: 'The checkout accepts more than there is',
    fix: expectationOf('sold_out_is_refused').fix,
    passes: 'What is sold out cannot be bought',
    meaning:
      'The checkout accepted a variant that the catalog lists as sold out, or a quantity that no store has, without a word about it.',
    why: 'The buyer pays for something that cannot be delivered, and waits. A refusal lets the agent offer another size or colour immediately.',
    language: 'json',
    before: `{ "status": "ready_for_complete", "line_items": [{ "id": "li_1", "quantity": 1, … }] }`,
    after: `{ "messages": [
  { "type": "error", "code": "out_of_stock", "severity": "recoverable",
    "content": "Ridge Jacket, S, Pine is sold out." }
] }`,
  },
  checkout_abroad_fails: {
    passed: 'checkout_abroad',
    severity: 'high',
    label: 'The checkout fails for addresses that you do not ship to',
    fix: expectationOf('abroad_is_answered').fix,
    passes: 'Addresses that you do not ship to are answered in words',
    meaning:
      'For an address in another country, or a PO box, the checkout fails with an error of the server, rather than offer shipping or refuse the address.',
    why: 'The agent cannot tell the buyer that you do not ship there; it only knows that your store does not work.',
    language: 'http',
    before: `PUT https://shop.example/ucp/v1/checkout-sessions/chk_7Q2

HTTP/1.1 500 Internal Server Error`,
    after: `PUT https://shop.example/ucp/v1/checkout-sessions/chk_7Q2

HTTP/1.1 200 OK
Content-Type: application/json

{ "status": "incomplete", "messages": [
  { "type": "error", "code": "address_undeliverable", "severity": "recoverable",
    "content": "We ship to the United States only.",
    "path": "$.fulfillment.methods[0].destinations[0]" }
] }`,
  },
  checkout_foreign_currency_fails: {
    passed: 'checkout_foreign_currency',
    severity: 'high',
    label: 'The checkout fails when another currency is asked for',
    fix: expectationOf('other_currency_is_answered').fix,
    passes: 'Another currency is answered, not an error',
    meaning: 'An agent that asks for prices in another currency gets an error of the server.',
    why: 'Agents ask in the currency of their buyer. A store that answers in its own currency, or refuses in words, can still sell; one that fails cannot.',
    language: 'http',
    before: `POST https://shop.example/ucp/v1/checkout-sessions
{ "context": { "currency": "EUR" }, "line_items": [ … ] }

HTTP/1.1 500 Internal Server Error`,
    after: `POST https://shop.example/ucp/v1/checkout-sessions
{ "context": { "currency": "EUR" }, "line_items": [ … ] }

HTTP/1.1 201 Created
Content-Type: application/json

{ "currency": "USD", … }`,
  },
  checkout_idempotency_ignored: {
    passed: 'checkout_idempotency',
    severity: 'critical',
    label: 'A repeated call makes a second purchase',
    fix: expectationOf('repeats_are_one').fix,
    passes: 'A repeated call does not buy twice',
    meaning:
      'The same call with the same idempotency key was taken for another one: it opened a second checkout, or placed a second order.',
    why: 'Agents repeat a call when its answer is lost. If the key is ignored, the buyer may pay twice.',
    language: 'text',
    before: `POST /checkout-sessions   Idempotency-Key: 7f3c…   →   201 { "id": "chk_7Q2" }
POST /checkout-sessions   Idempotency-Key: 7f3c…   →   201 { "id": "chk_9T4" }`,
    after: `POST /checkout-sessions   Idempotency-Key: 7f3c…   →   201 { "id": "chk_7Q2" }
POST /checkout-sessions   Idempotency-Key: 7f3c…   →   201 { "id": "chk_7Q2" }`,
  },
  checkout_cancel_fails: {
    passed: 'checkout_cancel',
    // Low: the purchase works, and an unpaid checkout expires by itself.
    severity: 'low',
    label: 'A checkout cannot be cancelled, or stays open afterwards',
    fix: expectationOf('can_be_cancelled').fix,
    passes: 'A checkout can be cancelled',
    meaning: 'An open checkout could not be cancelled, or could still be changed afterwards.',
    why: 'When a buyer changes their mind, the agent cancels, so that you keep no stock for somebody who left. The purchase itself is not affected.',
    language: 'http',
    before: `POST https://shop.example/ucp/v1/checkout-sessions/chk_7Q2/cancel

HTTP/1.1 500 Internal Server Error`,
    after: `POST https://shop.example/ucp/v1/checkout-sessions/chk_7Q2/cancel

HTTP/1.1 200 OK
Content-Type: application/json

{ "id": "chk_7Q2", "status": "canceled", … }`,
  },
  checkout_continue_url_missing: {
    passed: 'checkout_continue_url',
    severity: 'high',
    label: 'Where the buyer has to act, the checkout does not say where',
    fix: expectationOf('leads_the_buyer_on').fix,
    passes: 'The checkout says where the buyer goes on',
    meaning:
      'The checkout says that the buyer has to act, to log in or to confirm the payment, and does not say where.',
    why: 'The agent would send the buyer to your store to finish the purchase, and has no address for that. The purchase ends there.',
    language: 'json',
    before: `{ "status": "requires_escalation" }`,
    after: `{ "status": "requires_escalation",
  "continue_url": "https://shop.example/checkout/chk_7Q2" }`,
  },
  checkout_link_wrong: {
    passed: 'checkout_link',
    severity: 'high',
    label: 'The link for the buyer does not open the right basket',
    fix: expectationOf('link_leads_on').fix,
    passes: 'The link for the buyer opens the right basket',
    meaning:
      'The page behind continue_url, or behind a permalink, is an empty basket, a log-in, another store or none, or it shows other goods, another quantity or another price.',
    why: 'This is where the assistant sends its buyer to pay. A buyer who finds something else there leaves; where a store offers agents carts alone, it is the only way to buy.',
    language: 'http',
    before: `GET https://shop.example/cart/c/7Q2

HTTP/1.1 200 OK

<h1>Your basket is empty</h1>`,
    after: `GET https://shop.example/cart/c/7Q2

HTTP/1.1 200 OK

<h1>Your basket</h1> 2 × Ridge Jacket, S, Pine  378.00 USD`,
  },
  checkout_complete_fails: {
    passed: 'checkout_complete',
    severity: 'critical',
    caps: 'cannot_buy',
    label: 'A checkout that is ready cannot be paid',
    fix: expectationOf('takes_payment').fix,
    passes: 'A checkout that is ready can be paid',
    meaning:
      'A checkout that was ready was paid with the test token that you gave, and the store failed or named no order.',
    why: 'Everything up to the payment works, and no agent can buy. Most often the credentials of the payment provider are missing on the server that answers agents.',
    language: 'http',
    before: `POST https://shop.example/ucp/v1/checkout-sessions/chk_7Q2/complete

HTTP/1.1 500 Internal Server Error`,
    after: `POST https://shop.example/ucp/v1/checkout-sessions/chk_7Q2/complete

HTTP/1.1 200 OK
Content-Type: application/json

{ "status": "completed", "order": { "id": "ord_31", "permalink_url": "https://shop.example/orders/ord_31" }, … }`,
  },
  checkout_decline_fails: {
    passed: 'checkout_declines',
    severity: 'high',
    label: 'A declined card is not reported as declined',
    fix: expectationOf('decline_is_said').fix,
    passes: 'A declined card is said to be declined',
    meaning:
      'A card that the payment provider declines was answered with a failure of the server, or with no word about the payment.',
    why: 'The agent cannot ask the buyer for another card, because it does not know that the card was the problem. The sale is lost.',
    language: 'http',
    before: `POST https://shop.example/ucp/v1/checkout-sessions/chk_7Q2/complete

HTTP/1.1 500 Internal Server Error`,
    after: `POST https://shop.example/ucp/v1/checkout-sessions/chk_7Q2/complete

HTTP/1.1 200 OK
Content-Type: application/json

{ "status": "ready_for_complete", "messages": [
  { "type": "error", "code": "payment_failed", "severity": "recoverable",
    "content": "Your card was declined." }
] }`,
  },
  checkout_order_unreadable: {
    passed: 'checkout_order',
    // Low: the order is paid, and the store confirms it to the buyer.
    severity: 'low',
    label: 'An agent cannot read the order that it placed',
    fix: expectationOf('order_can_be_read').fix,
    passes: 'Agents can read the orders that they place',
    meaning: 'The order that was just placed cannot be read with the id that the purchase gave.',
    why: 'Buyers ask their agent where the parcel is. Without the order, the agent can only send them to you.',
    language: 'http',
    before: `GET https://shop.example/ucp/v1/orders/ord_31

HTTP/1.1 500 Internal Server Error`,
    after: `GET https://shop.example/ucp/v1/orders/ord_31

HTTP/1.1 200 OK
Content-Type: application/json

{ "id": "ord_31", "permalink_url": "https://shop.example/orders/ord_31", … }`,
  },
  checkout_not_kept: {
    passed: 'checkout_kept',
    severity: 'high',
    caps: 'wrong_order',
    label: 'A checkout is read otherwise than it was answered',
    fix: expectationOf('is_read_as_answered').fix,
    passes: 'A checkout is read as it was answered',
    meaning:
      'A checkout was read right after an answer, and again a second later, and had another id, other goods or other amounts than the answer, or could not be read.',
    why: 'An agent that comes back to a checkout goes by what it reads. It tells the buyer one sum, and another is paid; or it names a checkout that the store no longer knows.',
    language: 'http',
    before: `PUT https://shop.example/ucp/v1/checkout-sessions/chk_7Q2     → "quantity": 1, "total": 18900

GET https://shop.example/ucp/v1/checkout-sessions/chk_7Q2

HTTP/1.1 200 OK

{ "line_items": [{ "quantity": 2, … }], "totals": [{ "type": "total", "amount": 37800 }] }`,
    after: `GET https://shop.example/ucp/v1/checkout-sessions/chk_7Q2

HTTP/1.1 200 OK

{ "line_items": [{ "quantity": 1, … }], "totals": [{ "type": "total", "amount": 18900 }] }`,
  },
  checkout_credential_echoed: {
    passed: 'checkout_credential_kept',
    severity: 'high',
    label: 'The checkout repeats the payment token',
    fix: expectationOf('credential_is_kept').fix,
    passes: 'The payment token is not repeated',
    meaning:
      'An answer after the payment holds the token that the agent paid with, as it was sent.',
    why: 'Answers are logged and passed on by agents, proxies and services in between. Anyone who reads the token there may pay with it. The protocols forbid it.',
    language: 'json',
    before: `{ "status": "completed", "payment": { "instruments": [
  { "id": "pi_1", "handler_id": "card", "type": "card",
    "credential": { "type": "token", "token": "tok_1N9x…" } }
] } }`,
    after: `{ "status": "completed", "payment": { "instruments": [
  { "id": "pi_1", "handler_id": "card", "type": "card",
    "display": { "brand": "visa", "last_digits": "4242" } }
] } }`,
  },
  acp_currency_invalid: {
    passed: 'acp_currency',
    severity: 'high',
    label: 'ACP sessions have an invalid currency',
    fix: expectationOf('currency_is_written_right').fix,
    passes: 'ACP: valid currencies',
    meaning:
      'The currency of an ACP session is not a code of ISO 4217. Official ACP recommends small letters and accepts both; the ACP of the specification has capitals.',
    why: 'An agent that does not know the currency cannot tell the buyer what it costs, so that the purchase ends when the session is opened.',
    language: 'json',
    before: `{ "currency": "US$" }`,
    after: `{ "currency": "usd" }`,
  },
  acp_payment_handlers_missing: {
    passed: 'acp_payment_handlers',
    severity: 'high',
    label: 'ACP sessions name no way to pay',
    fix: expectationOf('ways_to_pay').fix,
    passes: 'ACP: a way to pay is named',
    meaning: 'An ACP session that is ready to be paid names no payment handler.',
    why: 'An agent pays with a token that it gets for one of your handlers. Where the session names none, it does not know with what it can pay.',
    language: 'json',
    before: `{ "status": "ready_for_payment", "capabilities": { "payment": { "handlers": [] } } }`,
    after: `{ "status": "ready_for_payment", "capabilities": { "payment": { "handlers": [
  { "id": "card_tokenized", "name": "dev.acp.tokenized.card", "psp": "stripe", … }
] } } }`,
  },
} satisfies RuleWords
