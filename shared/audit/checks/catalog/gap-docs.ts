import type { GapDocs } from '../../gap-doc.ts'

// Data: the pages of the gaps of `catalog`, but for those of official profiles.

export const catalogDocs: GapDocs = {
  catalog_unreachable: {
    meaning:
      'The catalog endpoint does not answer with data: it is not found, it asks for a key, it sends a web page, or the server does not respond.',
    why: 'The catalog is where agents learn what is for sale and at what price. Without it they know only the name of the store.',
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
    why: 'Many clients use this header to choose a parser. With the wrong one they discard the answer unread.',
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
    meaning:
      'The answer is not valid JSON, or it is JSON without a "products" array at the top level.',
    why: 'Agents look for "products" and nothing else. To them, a list under another name is an empty store.',
    language: 'json',
    before: `{ "data": { "items": [] } }`,
    after: `{ "products": [] }`,
  },
  catalog_empty: {
    meaning:
      'The catalog answers with an empty list. Usually the endpoint exists but was never connected to the product data.',
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
      'Some products lack an id, name, description, price or availability, or have a value of the wrong type there.',
    why: 'Agents need all five to name a product, describe it and put it into a cart. They skip a product that lacks one.',
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
    meaning: 'price.amount is a decimal number or a string. It has to be an integer.',
    why: 'Amounts are in the smallest unit of the currency, so that clients never have to round. A decimal is rejected, or read as a price a hundred times too low.',
    language: 'json',
    before: `{ "price": { "amount": 19.99, "currency": "USD" } }`,
    after: `{ "price": { "amount": 1999, "currency": "USD" } }`,
  },
  catalog_price_major_units: {
    meaning:
      'Prices are in dollars instead of cents: the price on the product page is a hundred times as high.',
    why: 'An agent shows $0.25 for a product of $25. The buyer is misled, and the order fails at the checkout or is sold at a loss.',
    language: 'json',
    before: `{ "price": { "amount": 25, "currency": "USD" } }`,
    after: `{ "price": { "amount": 2500, "currency": "USD" } }`,
  },
  catalog_currency_invalid: {
    meaning: 'price.currency is not an ISO 4217 code: it is a symbol, a name, or in lower case.',
    why: 'The code says what the amount means and how many decimals it has. Without it the amount is just a number.',
    language: 'json',
    before: `{ "price": { "amount": 1999, "currency": "$" } }`,
    after: `{ "price": { "amount": 1999, "currency": "USD" } }`,
  },
  catalog_availability_invalid: {
    meaning: 'availability has a value other than the four that agents know.',
    why: 'An agent cannot tell whether the product can be bought now. To be safe, it does not offer it.',
    language: 'json',
    before: `{ "availability": "In stock" }`,
    after: `{ "availability": "in_stock" }`,
  },
  catalog_description_short: {
    meaning: 'Some descriptions have fewer than 50 characters, the minimum that is accepted.',
    why: 'Agents compare what a buyer asks for with the description. A few words rarely match anything.',
    language: 'json',
    before: `{ "description": "Leather boot, brown." }`,
    after: `{ "description": "A light boot of waxed leather for wet hills, with a sole that can be replaced." }`,
  },
  catalog_description_brief: {
    meaning: 'Descriptions are long enough to be accepted, but have fewer than 150 characters.',
    why: 'One search assistant lists only products with 150 characters or more. Elsewhere, buyers cannot find what the description does not mention.',
    language: 'json',
    before: `{ "description": "A light boot of waxed leather for wet hills, with a sole that can be replaced." }`,
    after: `{ "description": "A light boot of waxed leather for wet hills. It is waterproof to the ankle, weighs 540 g in size 42, needs no breaking in, and its sole can be replaced by any cobbler." }`,
  },
  catalog_images_invalid: {
    meaning: 'Some images are relative addresses, or are not served over https.',
    why: 'Agents show the image outside your site, where a relative address does not work and http is blocked on a secure page.',
    language: 'json',
    before: `{ "images": ["/media/fell-boot.jpg"] }`,
    after: `{ "images": ["https://shop.example/media/fell-boot.jpg"] }`,
  },
  catalog_ids_duplicate: {
    meaning: 'Two or more products in the list have the same id.',
    why: 'A cart refers to a product by its id. If two products share one, the buyer may get the wrong product.',
    language: 'json',
    before: `{ "products": [{ "id": "boot", "name": "Fell Boot" }, { "id": "boot", "name": "Moss Boot" }] }`,
    after: `{ "products": [{ "id": "boot-fell", "name": "Fell Boot" }, { "id": "boot-moss", "name": "Moss Boot" }] }`,
  },
  catalog_ids_unstable: {
    meaning: 'The same product had a different id when it was requested a second time.',
    why: 'An agent remembers the id from the search to the checkout. If it changes, the product in the cart no longer exists.',
    language: 'text',
    before: `first request:   { "id": "tmp-8f31", "url": "https://shop.example/p/fell-boot" }
second request:  { "id": "tmp-c02a", "url": "https://shop.example/p/fell-boot" }`,
    after: `first request:   { "id": "1001", "url": "https://shop.example/p/fell-boot" }
second request:  { "id": "1001", "url": "https://shop.example/p/fell-boot" }`,
  },
  catalog_variants_invalid: {
    meaning: 'Some variants lack an id, attributes, a price or availability.',
    why: 'A product with sizes or colours is bought as a variant. Without these fields an agent cannot tell which one to buy, or at what price.',
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
    why: 'The buyer chooses by the attributes, and the cart uses the id. If either is shared, the buyer may get the wrong variant.',
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
    why: 'A very long answer is slow, and agents stop reading it at some point. They never find the products after that.',
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
    meaning: 'pagination.next is not a valid URL, or it does not lead to a page of products.',
    why: 'Agents cannot reach anything after this page, so they may never find most of your products.',
    language: 'json',
    before: `{ "pagination": { "page": 1, "per_page": 100, "total": 2480, "next": 2 } }`,
    after: `{ "pagination": { "page": 25, "per_page": 100, "total": 2480, "next": null } }`,
  },
  catalog_next_loops: {
    meaning: 'pagination.next leads back to a page that was read before.',
    why: 'Agents follow next until it is absent or null. In a loop they stop at a limit of their own, and may treat the catalog as broken.',
    language: 'json',
    before: `{ "pagination": { "page": 1, "per_page": 100, "total": 2480, "next": "https://shop.example/ucp/products" } }`,
    after: `{ "pagination": { "page": 25, "per_page": 100, "total": 2480, "next": null } }`,
  },
  catalog_next_leaves_host: {
    meaning: 'pagination.next leads to another host than the catalog itself.',
    why: 'An agent cannot know who owns that host, and stops. Often it is the name of an internal server that cannot be reached from outside.',
    language: 'json',
    before: `{ "pagination": { "page": 1, "per_page": 100, "total": 2480, "next": "https://app-7.internal.example/products?page=2" } }`,
    after: `{ "pagination": { "page": 25, "per_page": 100, "total": 2480, "next": null } }`,
  },
  catalog_search_ineffective: {
    meaning:
      'The manifest says that the catalog can be searched, but ?q= with a word from the name of a listed product returns everything, or nothing.',
    why: 'An agent that searches trusts the answer. It offers boots to someone who asked for a tent, or says that you sell none.',
    language: 'text',
    before: `GET /ucp/products?q=tent   →   all 2,480 products`,
    after: `GET /ucp/products?q=tent   →   the 14 products that mention a tent`,
  },
  catalog_filters_ineffective: {
    meaning:
      'The manifest names filters, but the answer contains products that the filters should have excluded, or no products at all.',
    why: 'A buyer who sets a price limit gets offers above it. Agents stop using filters that do not work, and then the store.',
    language: 'text',
    before: `GET /ucp/products?max_price=5000   →   { "amount": 18900, … }`,
    after: `GET /ucp/products?max_price=5000   →   { "amount": 4900, … }`,
  },
  catalog_cached_too_long: {
    meaning: 'The catalog lets caches keep it for more than 5 minutes.',
    why: 'Agents then show outdated prices and stock. The buyer finds out at the checkout, and leaves.',
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
      'For the same product, the catalog has one price and the markup of the product page another.',
    why: 'AI surfaces compare the two. If they differ, they drop the product, or show a price that the buyer will not get.',
    language: 'json',
    before: `{ "price": { "amount": 17900, "currency": "USD" } }`,
    after: `{ "price": { "amount": 18900, "currency": "USD" } }`,
  },
  catalog_page_availability_mismatch: {
    meaning:
      'For the same product, the catalog says that it is in stock and the markup of the product page that it is sold out, or the other way round.',
    why: 'Agents compare the two before they offer a product. If they differ, the product is left out, or a buyer is disappointed.',
    language: 'json',
    before: `{ "availability": "out_of_stock" }`,
    after: `{ "availability": "in_stock" }`,
  },
  catalog_page_currency_mismatch: {
    meaning:
      'For the same product, the catalog has the number of the product page in another currency: 189.00 EUR, for example, where the page says 189.00 USD.',
    why: 'One of the two prices is wrong, and the buyer is charged another amount than the agent has said.',
    language: 'json',
    before: `{ "price": { "amount": 18900, "currency": "EUR" } }`,
    after: `{ "price": { "amount": 18900, "currency": "USD" } }`,
  },
  catalog_page_identifiers_mismatch: {
    meaning:
      'For the same product, the catalog has one sku or GTIN and the markup of the product page another.',
    why: 'An agent finds a product by one number and cannot recognise it by the other, so the two are taken for different products.',
    language: 'json',
    before: `{ "sku": "1001" }`,
    after: `{ "sku": "FB-42" }`,
  },
}
