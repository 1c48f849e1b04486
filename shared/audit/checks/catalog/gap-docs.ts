import type { GapDocs } from '../../gap-doc.ts'

// Data: the pages of the gaps of `catalog`, but for those of official profiles.

export const catalogDocs: GapDocs = {
  catalog_unreachable: {
    meaning:
      'The catalog endpoint does not answer with data: it is not found, it asks for a key, it sends a page, or nobody is there.',
    why: 'The catalog is where agents learn what is for sale and at what price. Without it they know the store by name only.',
    language: 'http',
    before: `GET https://shop.example/ucp/products

HTTP/1.1 404 Not Found
Content-Type: text/html`,
    after: `GET https://shop.example/ucp/products

HTTP/1.1 200 OK
Content-Type: application/json

{ "products": [ … ] }`,
  },
  catalog_wrong_content_type: {
    meaning: 'The catalog is JSON, but its Content-Type says that it is something else.',
    why: 'Many clients choose their parser by this header. They drop the answer unread.',
    language: 'http',
    before: `GET https://shop.example/ucp/products

HTTP/1.1 200 OK
Content-Type: text/html; charset=utf-8

{ "products": [ … ] }`,
    after: `GET https://shop.example/ucp/products

HTTP/1.1 200 OK
Content-Type: application/json

{ "products": [ … ] }`,
  },
  catalog_not_json: {
    meaning: 'The answer is no JSON, or it is JSON without a "products" array at its top.',
    why: 'Agents look for "products" and nothing else. A list under another name is an empty store to them.',
    language: 'json',
    before: `{ "data": { "items": [] } }`,
    after: `{ "products": [] }`,
  },
  catalog_empty: {
    meaning:
      'The catalog answers with an empty list. Most often the endpoint is there and was never connected to the product data.',
    why: 'There is nothing to show, so there is nothing to sell. Agents may remember the store as empty.',
    language: 'json',
    before: `{ "products": [] }`,
    after: `{
  "products": [
    {
      "id": "boot-1",
      "name": "Fell Boot",
      "description": "A light boot of waxed leather for wet hills, with a sole that can be replaced.",
      "price": { "amount": 18900, "currency": "USD" },
      "availability": "in_stock"
    }
  ]
}`,
  },
  catalog_product_fields_invalid: {
    meaning:
      'Some products lack one of id, name, description, price and availability, or hold another type there.',
    why: 'Each of the five is needed to name a product, to describe it or to put it into a cart. Agents leave out a product that lacks one.',
    language: 'json',
    before: `{
  "products": [
    {
      "id": 1001,
      "description": "A light boot of waxed leather for wet hills, with a sole that can be replaced.",
      "price": { "amount": 18900, "currency": "USD" },
      "availability": "in_stock"
    }
  ]
}`,
    after: `{
  "products": [
    {
      "id": "1001",
      "name": "Fell Boot",
      "description": "A light boot of waxed leather for wet hills, with a sole that can be replaced.",
      "price": { "amount": 18900, "currency": "USD" },
      "availability": "in_stock"
    }
  ]
}`,
  },
  catalog_price_not_integer: {
    meaning: 'price.amount is a decimal or a text. It has to be a whole number.',
    why: 'Amounts count the smallest unit, so that no client has to round. A decimal is refused, or read as a price a hundred times too low.',
    language: 'json',
    before: `{ "price": { "amount": 19.99, "currency": "USD" } }`,
    after: `{ "price": { "amount": 1999, "currency": "USD" } }`,
  },
  catalog_price_major_units: {
    meaning:
      'Prices are whole numbers, but of dollars, not of cents: the product page states a hundred times as much.',
    why: 'An agent shows $0.25 for a product of $25. The buyer is misled, and the order fails at the checkout or is sold at a loss.',
    language: 'json',
    before: `{ "price": { "amount": 25, "currency": "USD" } }`,
    after: `{ "price": { "amount": 2500, "currency": "USD" } }`,
  },
  catalog_currency_invalid: {
    meaning: 'price.currency is no code of ISO 4217: a sign, a name, or lower case.',
    why: 'The code says how many digits follow the point. Without it the amount is a number without a meaning.',
    language: 'json',
    before: `{ "price": { "amount": 1999, "currency": "$" } }`,
    after: `{ "price": { "amount": 1999, "currency": "USD" } }`,
  },
  catalog_availability_invalid: {
    meaning: 'availability holds a word that is none of the four that agents know.',
    why: 'An agent cannot tell whether the product can be bought now. To be safe, it does not offer it.',
    language: 'json',
    before: `{ "availability": "In stock" }`,
    after: `{ "availability": "in_stock" }`,
  },
  catalog_description_short: {
    meaning:
      'Some descriptions have fewer than 50 characters, which is the least that is accepted.',
    why: 'Agents match what a buyer asked for with what the description says. A few words match nothing.',
    language: 'json',
    before: `{ "description": "Leather boot, brown." }`,
    after: `{ "description": "A light boot of waxed leather for wet hills, with a sole that can be replaced." }`,
  },
  catalog_description_brief: {
    meaning: 'Descriptions are long enough to be accepted, but have fewer than 150 characters.',
    why: 'One search assistant lists only products with 150 characters or more. Elsewhere, what is not said cannot be found.',
    language: 'json',
    before: `{ "description": "A light boot of waxed leather for wet hills, with a sole that can be replaced." }`,
    after: `{ "description": "A light boot of waxed leather for wet hills. It is waterproof to the ankle, weighs 540 g in size 42, needs no breaking in, and its sole can be replaced by any cobbler." }`,
  },
  catalog_images_invalid: {
    meaning: 'Some images are relative addresses, or are not served over https.',
    why: 'Agents show the image outside of your site: a relative address leads nowhere there, and http is blocked on a secure page.',
    language: 'json',
    before: `{ "images": ["/media/fell-boot.jpg"] }`,
    after: `{ "images": ["https://shop.example/media/fell-boot.jpg"] }`,
  },
  catalog_ids_duplicate: {
    meaning: 'Two or more products of the list carry the same id.',
    why: 'A cart names a product by its id. With two of the same, the buyer may get the other one.',
    language: 'json',
    before: `{ "products": [{ "id": "boot", "name": "Fell Boot" }, { "id": "boot", "name": "Moss Boot" }] }`,
    after: `{ "products": [{ "id": "boot-fell", "name": "Fell Boot" }, { "id": "boot-moss", "name": "Moss Boot" }] }`,
  },
  catalog_ids_unstable: {
    meaning: 'The same product had another id when it was asked for a second time.',
    why: 'Between the search and the checkout an agent remembers the id. When it changes, the product in the cart does not exist any more.',
    language: 'text',
    before: `first request:   { "id": "tmp-8f31", "url": "https://shop.example/p/fell-boot" }
second request:  { "id": "tmp-c02a", "url": "https://shop.example/p/fell-boot" }`,
    after: `first request:   { "id": "1001", "url": "https://shop.example/p/fell-boot" }
second request:  { "id": "1001", "url": "https://shop.example/p/fell-boot" }`,
  },
  catalog_variants_invalid: {
    meaning: 'Some variants lack one of id, attributes, price and availability.',
    why: 'A product with sizes or colours is bought as a variant. Without these fields an agent cannot say which one, nor at what price.',
    language: 'json',
    before: `{ "variants": [{ "id": "1001-42", "attributes": { "size": "42" } }] }`,
    after: `{
  "variants": [
    {
      "id": "1001-42",
      "attributes": { "size": "42" },
      "price": { "amount": 18900, "currency": "USD" },
      "availability": "in_stock"
    }
  ]
}`,
  },
  catalog_variants_clash: {
    meaning: 'Two variants of one product share their id, or all of their attributes.',
    why: 'The buyer chooses by the attributes and the cart by the id. Where either is shared, the choice is a matter of luck.',
    language: 'json',
    before: `{
  "variants": [
    { "id": "1001-a", "attributes": { "color": "brown" } },
    { "id": "1001-b", "attributes": { "color": "brown" } }
  ]
}`,
    after: `{
  "variants": [
    { "id": "1001-a", "attributes": { "color": "brown", "size": "42" } },
    { "id": "1001-b", "attributes": { "color": "brown", "size": "43" } }
  ]
}`,
  },
  catalog_pagination_missing: {
    meaning: 'One answer lists more than 100 products, without saying where the next page is.',
    why: 'A very long answer is slow, and agents stop reading it. What stands after the cut is never found.',
    language: 'text',
    before: `{ "products": [ … 2,480 products … ] }`,
    after: `{
  "products": [ … 100 products … ],
  "pagination": {
    "page": 1,
    "per_page": 100,
    "total": 2480,
    "next": "https://shop.example/ucp/products?page=2"
  }
}`,
  },
  catalog_next_broken: {
    meaning: 'pagination.next is no URL, or what it leads to is no page of products.',
    why: 'Everything after this page is out of reach, and most of the range is never found.',
    language: 'json',
    before: `{ "pagination": { "page": 1, "per_page": 100, "total": 2480, "next": 2 } }`,
    after: `{ "pagination": { "page": 25, "per_page": 100, "total": 2480, "next": null } }`,
  },
  catalog_next_loops: {
    meaning: 'pagination.next leads back to a page that was read before.',
    why: 'Agents follow next until it is absent or null. In a circle they stop by a limit of their own, and may take the catalog for broken.',
    language: 'json',
    before: `{ "pagination": { "page": 1, "per_page": 100, "total": 2480, "next": "https://shop.example/ucp/products" } }`,
    after: `{ "pagination": { "page": 25, "per_page": 100, "total": 2480, "next": null } }`,
  },
  catalog_next_leaves_host: {
    meaning: 'pagination.next leads to another host than the catalog itself.',
    why: 'An agent cannot know whose that host is, and stops. Often it is the name of an inner server that nobody outside can reach.',
    language: 'json',
    before: `{ "pagination": { "page": 1, "per_page": 100, "total": 2480, "next": "https://app-7.internal.example/products?page=2" } }`,
    after: `{ "pagination": { "page": 25, "per_page": 100, "total": 2480, "next": null } }`,
  },
  catalog_search_ineffective: {
    meaning:
      'The manifest says that the catalog can be searched, but ?q= with a word of a listed name brings everything, or nothing.',
    why: 'An agent that searches trusts the answer. It offers boots to someone who asked for a tent, or says that you sell none.',
    language: 'text',
    before: `GET /ucp/products?q=tent   →   all 2,480 products`,
    after: `GET /ucp/products?q=tent   →   the 14 products that mention a tent`,
  },
  catalog_filters_ineffective: {
    meaning:
      'The manifest names filters, but the answer holds products that the filters should have left out, or no product at all.',
    why: 'A buyer who set a limit gets offers above it. Agents stop using filters that do not hold, and with them the store.',
    language: 'text',
    before: `GET /ucp/products?max_price=5000   →   { "amount": 18900, … }`,
    after: `GET /ucp/products?max_price=5000   →   { "amount": 4900, … }`,
  },
  catalog_cached_too_long: {
    meaning: 'The catalog lets caches keep it for more than 5 minutes.',
    why: 'Agents then show prices and stock of the past. The buyer learns the truth at the checkout, and leaves.',
    language: 'http',
    before: `GET https://shop.example/ucp/products

HTTP/1.1 200 OK
Content-Type: application/json
Cache-Control: public, max-age=86400

{ "products": [ … ] }`,
    after: `GET https://shop.example/ucp/products

HTTP/1.1 200 OK
Content-Type: application/json
Cache-Control: public, max-age=300

{ "products": [ … ] }`,
  },
  catalog_page_price_mismatch: {
    meaning:
      'For the same product the catalog states one price and the markup of its page another.',
    why: 'Surfaces compare the two. Where they differ they drop the product, or show a price that the buyer will not get.',
    language: 'json',
    before: `{ "price": { "amount": 17900, "currency": "USD" } }`,
    after: `{ "price": { "amount": 18900, "currency": "USD" } }`,
  },
}
