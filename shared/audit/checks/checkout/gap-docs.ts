import type { GapDocs } from '../../gap-doc.ts'

// Data: the pages of the gaps of `checkout`, but for those of official profiles.

export const checkoutDocs: GapDocs = {
  checkout_not_https: {
    meaning: 'The manifest names a checkout endpoint that does not begin with https.',
    why: 'A cart carries a name, an address and later a payment token. Agents do not send these unencrypted.',
    language: 'json',
    before: `{ "capabilities": { "checkout": { "endpoint": "http://shop.example/ucp/checkout" } } }`,
    after: `{ "capabilities": { "checkout": { "endpoint": "https://shop.example/ucp/checkout" } } }`,
  },
  checkout_unreachable: {
    meaning:
      'No checkout answers at the endpoint: it is not found, it rejects POST, it sends a web page, or the server does not respond.',
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
    meaning: 'The dry run of a cart took more than 3 seconds.',
    why: 'Meanwhile a person is waiting in the conversation. Agents give up after a few seconds, or try again and create a second cart.',
    language: 'text',
    before:
      'POST /ucp/checkout   →   200 after 6.4 s: tax and shipping asked for one after the other',
    after:
      'POST /ucp/checkout   →   200 after 0.8 s: tax and shipping requested in parallel, rates cached',
  },
  checkout_price_mismatch: {
    meaning: 'A product has a different price or currency in the cart than in the catalog.',
    why: 'The buyer agreed to the price in the catalog. Agents are instructed to stop if the cart has a different price.',
    language: 'json',
    before: `{ "subtotal": { "amount": 19900, "currency": "USD" } }`,
    after: `{ "subtotal": { "amount": 18900, "currency": "USD" } }`,
  },
  checkout_accepts_invalid_address: {
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
    meaning:
      'expires_at is missing, is not a timestamp, or is less than 15 minutes in the future. Official ACP sets no minimum: its sessions only must not expire within a minute.',
    why: 'A buyer needs some minutes to decide. A cart that expires before that cannot be paid, and the agent has to begin again or gives up.',
    language: 'text',
    before: `asked at 10:00:00   →   { "expires_at": "2026-11-21T10:02:00Z", … }`,
    after: `asked at 10:00:00   →   { "expires_at": "2026-11-21T10:20:00Z", … }`,
  },
  checkout_expires_late: {
    meaning: 'expires_at is more than 30 minutes in the future.',
    why: 'The purchase works, but prices and stock cannot be guaranteed for long. The agent tells the buyer how long the offer is valid.',
    language: 'text',
    before: `asked at 10:00:00   →   { "expires_at": "2026-11-21T16:00:00Z", … }`,
    after: `asked at 10:00:00   →   { "expires_at": "2026-11-21T10:20:00Z", … }`,
  },
}
