import type { RuleWords } from '../../rule-words.ts'

// Data: the words of the rules of `checkout`, except those of official profiles.

export const checkoutWords = {
  checkout_not_https: {
    passed: 'checkout_https',
    severity: 'critical',
    label: 'The checkout is not served over HTTPS',
    fix: 'Serve the checkout over https and name that URL in the manifest.',
    passes: 'The checkout is served over HTTPS',
    meaning: 'The manifest names a checkout endpoint that does not begin with https.',
    why: 'A cart carries a name, an address and later a payment token. Agents do not send these unencrypted.',
    language: 'json',
    before: `{ "capabilities": { "checkout": { "endpoint": "http://shop.example/ucp/checkout" } } }`,
    after: `{ "capabilities": { "checkout": { "endpoint": "https://shop.example/ucp/checkout" } } }`,
  },
  checkout_unreachable: {
    passed: 'checkout_reachable',
    severity: 'critical',
    label: 'Agents cannot reach the checkout',
    fix: 'Accept POST at the endpoint in the manifest, or at /ucp/checkout.',
    passes: 'A checkout that agents can reach',
    meaning:
      'No checkout answers at the endpoint: it is not found, it rejects POST, it sends a web page, or the server does not respond. Or the manifest says that it requires authentication, which agents do not have.',
    why: 'An agent can help a buyer choose a product, but cannot sell it. No later step can work.',
    language: 'http',
    before: `POST https://shop.example/ucp/checkout

HTTP/1.1 404 Not Found
Content-Type: text/html`,
    after: `POST https://shop.example/ucp/checkout

HTTP/1.1 200 OK
Content-Type: application/json

{ "checkout_id": "chk_7Q2", … }`,
  },
  checkout_redirected: {
    passed: 'checkout_not_redirected',
    severity: 'high',
    label: 'The checkout can only be reached through a redirect',
    fix: 'Put the final URL into the manifest; a missing or extra slash at the end is often the cause.',
    passes: 'The checkout is reached without a redirect',
    meaning: 'The checkout endpoint answers POST with a redirect.',
    why: 'Agents do not send a cart to an address that is not in the manifest, and many clients turn a redirected POST into a GET.',
    language: 'http',
    before: `POST https://shop.example/ucp/checkout

HTTP/1.1 307 Temporary Redirect
Location: https://shop.example/ucp/checkout/`,
    after: `POST https://shop.example/ucp/checkout/

HTTP/1.1 200 OK
Content-Type: application/json

{ "checkout_id": "chk_7Q2", … }`,
  },
  checkout_dry_run_failed: {
    passed: 'checkout_dry_run',
    severity: 'critical',
    label: 'A valid cart is rejected',
    fix: 'Accept this cart; a 500 is usually caused by missing PSP credentials.',
    passes: 'A valid cart is accepted',
    meaning:
      'A cart with one product that the catalog lists as in stock, and a complete address, was rejected. Aisle sent it with "dry_run": true, so nothing was ordered.',
    why: 'Every agent that tries to buy gets the same error, and tells the buyer that the store does not work.',
    language: 'http',
    before: `POST https://shop.example/ucp/checkout

HTTP/1.1 500 Internal Server Error
Content-Type: application/json

{ "error": { "code": "internal", "message": "PSP_SECRET_KEY is not set", "retryable": true } }`,
    after: `POST https://shop.example/ucp/checkout

HTTP/1.1 200 OK
Content-Type: application/json

{ "checkout_id": "chk_7Q2", … }`,
  },
  checkout_invalid_shape: {
    passed: 'checkout_shape',
    severity: 'high',
    label: 'The cart lacks fields that agents need',
    fix: 'Answer with checkout_id, subtotal, shipping_options, tax and expires_at.',
    passes: 'Carts say all that agents need',
    meaning:
      'The cart lacks checkout_id, subtotal, shipping_options or tax, or has a value of the wrong type there.',
    why: 'An agent shows these to the buyer and needs checkout_id to confirm. If one is missing, the agent cannot go on with the order.',
    language: 'json',
    before: `{
  "id": "chk_7Q2",
  "subtotal": 189.0,
  "shipping_options": [],
  "tax": { "amount": 0, "currency": "USD" }
}`,
    after: `{
  "checkout_id": "chk_7Q2",
  "subtotal": { "amount": 18900, "currency": "USD" },
  "shipping_options": [
    { "id": "standard", "name": "Standard, 3 to 5 days", "cost": { "amount": 600, "currency": "USD" } }
  ],
  "tax": { "amount": 1512, "currency": "USD" },
  "expires_at": "2026-11-21T10:20:00Z"
}`,
  },
  checkout_slow: {
    passed: 'checkout_fast',
    // Spec, Limits: cart creation within 3 s. High, because agents give up, and the sale is lost.
    severity: 'high',
    label: 'The cart takes longer than 3 seconds',
    fix: 'Create carts within 3 seconds: otherwise agents give up or try again.',
    passes: 'Carts are answered within 3 seconds',
    meaning: 'The dry run of a cart took more than 3 seconds.',
    why: 'Meanwhile a person is waiting in the conversation. Agents give up after a few seconds, or try again and create a second cart.',
    language: 'text',
    before:
      'POST /ucp/checkout   →   200 after 6.4 s: tax and shipping asked for one after the other',
    after:
      'POST /ucp/checkout   →   200 after 0.8 s: tax and shipping requested in parallel, rates cached',
  },
  checkout_price_mismatch: {
    passed: 'checkout_price',
    severity: 'high',
    caps: 'wrong_price',
    label: 'Checkout prices differ from the catalog',
    fix: 'Use one source for both prices, in the smallest unit of the currency.',
    passes: 'Checkout prices are those of the catalog',
    meaning: 'A product has a different price or currency in the cart than in the catalog.',
    why: 'The buyer agreed to the price in the catalog. Agents are instructed to stop if the cart has a different price.',
    language: 'json',
    before: `{ "subtotal": { "amount": 19900, "currency": "USD" } }`,
    after: `{ "subtotal": { "amount": 18900, "currency": "USD" } }`,
  },
  checkout_accepts_invalid_address: {
    passed: 'checkout_checks_address',
    severity: 'high',
    caps: 'wrong_order',
    label: 'The checkout accepts an address that does not exist',
    fix: 'Reject it with the error code invalid_address and the names of the fields.',
    passes: 'Addresses that do not exist are rejected',
    meaning:
      'A cart for an address without a street, in a country that does not exist, was accepted.',
    why: 'The parcel cannot be delivered, and the buyer finds out only after paying. An error lets the agent ask for the right address immediately.',
    language: 'http',
    before: `POST https://shop.example/ucp/checkout

HTTP/1.1 200 OK
Content-Type: application/json

{ "checkout_id": "chk_7Q2", … }`,
    after: `POST https://shop.example/ucp/checkout

HTTP/1.1 422 Unprocessable Content
Content-Type: application/json

{
  "error": {
    "code": "invalid_address",
    "message": "We cannot deliver to this address. Check street and country.",
    "retryable": true,
    "fields": ["street", "country"]
  }
}`,
  },
  checkout_accepts_unknown_variant: {
    passed: 'checkout_checks_variant',
    severity: 'high',
    caps: 'wrong_order',
    label: 'The checkout accepts a variant that does not exist',
    fix: 'Reject a variant_id that does not belong to the product.',
    passes: 'Variants that do not exist are rejected',
    meaning: 'A cart with a variant_id that the catalog does not have was accepted.',
    why: 'The store then has to guess what was meant. The buyer may get another size, or an order that cannot be filled.',
    language: 'http',
    before: `POST https://shop.example/ucp/checkout

HTTP/1.1 200 OK
Content-Type: application/json

{ "checkout_id": "chk_7Q2", … }`,
    after: `POST https://shop.example/ucp/checkout

HTTP/1.1 422 Unprocessable Content
Content-Type: application/json

{
  "error": {
    "code": "out_of_stock",
    "message": "This size is not sold.",
    "retryable": false,
    "items": ["1001-99"]
  }
}`,
  },
  checkout_error_body_invalid: {
    passed: 'checkout_error_body',
    // Spec, UCP error body: agents relay `message` to the customer and retry by `retryable`. High:
    // the purchase ends, though correcting one field would save it.
    severity: 'high',
    label: 'Errors lack the details that agents need to explain them',
    fix: 'Answer errors in the form of the protocol, in application/json; in the specification it is { "error": { "code", "message", "retryable" } }.',
    passes: 'Errors that agents can explain to shoppers',
    meaning:
      'Error responses lack error.code, error.message or error.retryable, or are not sent as JSON.',
    why: 'The agent shows the message to the buyer and uses code and retryable to decide what to do next. Without them it can only say that something went wrong.',
    language: 'http',
    before: `POST https://shop.example/ucp/checkout

HTTP/1.1 422 Unprocessable Content
Content-Type: application/json

{ "errors": ["address invalid"] }`,
    after: `POST https://shop.example/ucp/checkout

HTTP/1.1 422 Unprocessable Content
Content-Type: application/json

{
  "error": {
    "code": "invalid_address",
    "message": "We cannot deliver to this address. Check street and country.",
    "retryable": true,
    "fields": ["street", "country"]
  }
}`,
  },
  checkout_expiry_invalid: {
    passed: 'checkout_expiry',
    // Usual mistakes: local time without an offset, and seconds since 1970. High: a cart that
    // expires before the buyer has paid, or seems to, loses the sale.
    severity: 'high',
    label: 'Carts expire too early, or do not say when',
    fix: 'Set expires_at to 15 to 30 minutes from now.',
    passes: 'Carts say when they expire',
    meaning:
      'expires_at is missing, is not a timestamp, or is less than 15 minutes in the future. Official ACP sets no minimum: its sessions only must not expire within a minute.',
    why: 'A buyer needs some minutes to decide. A cart that expires before that cannot be paid, and the agent has to begin again or gives up.',
    language: 'text',
    before: `asked at 10:00:00   →   { "expires_at": "2026-11-21T10:02:00Z", … }`,
    after: `asked at 10:00:00   →   { "expires_at": "2026-11-21T10:20:00Z", … }`,
  },
  checkout_expires_late: {
    passed: 'checkout_expires_in_time',
    // Spec, Limits: 15 to 30 minutes advised. Low: the purchase works. Stock and price are only
    // promised for longer than is wise.
    severity: 'low',
    label: 'Carts expire late',
    fix: 'Set expires_at to 15 to 30 minutes from now.',
    passes: 'Carts expire in good time',
    meaning: 'expires_at is more than 30 minutes in the future.',
    why: 'The purchase works, but prices and stock cannot be guaranteed for long. The agent tells the buyer how long the offer is valid.',
    language: 'text',
    before: `asked at 10:00:00   →   { "expires_at": "2026-11-21T16:00:00Z", … }`,
    after: `asked at 10:00:00   →   { "expires_at": "2026-11-21T10:20:00Z", … }`,
  },
} satisfies RuleWords
