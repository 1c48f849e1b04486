import type { RuleWords } from '../../rule-words.ts'

// Data: the words of the rules of `catalog`, except those of official profiles.

export const catalogWords = {
  catalog_unreachable: {
    passed: 'catalog_reachable',
    severity: 'critical',
    label: 'Agents cannot read the catalog',
    fix: 'Serve the catalog where the manifest says, or at /ucp/products, without requiring a key.',
    passes: 'A catalog that agents can read',
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
    passed: 'catalog_content_type',
    severity: 'high',
    label: 'The catalog has the wrong content type',
    fix: 'Send Content-Type: application/json with the catalog.',
    passes: 'The catalog is served as JSON',
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
    passed: 'catalog_json',
    severity: 'critical',
    label: 'The catalog cannot be read',
    fix: 'Answer with a JSON object that has a "products" array.',
    passes: 'The catalog has a list of products',
    meaning:
      'The answer is not valid JSON, or it is JSON without a "products" array at the top level.',
    why: 'Agents look for "products" and nothing else. To them, a list under another name is an empty store.',
    language: 'json',
    before: `{ "data": { "items": [] } }`,
    after: `{ "products": [] }`,
  },
  catalog_empty: {
    passed: 'catalog_has_products',
    severity: 'critical',
    label: 'The catalog is empty',
    fix: 'Connect the catalog endpoint to the product data.',
    passes: 'The catalog has products',
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
  catalog_all_sold_out: {
    passed: 'catalog_has_stock',
    severity: 'critical',
    caps: 'cannot_buy',
    label: 'Everything is sold out',
    fix: 'Connect availability to the stock of the store, and list what can be bought now.',
    passes: 'The catalog has something in stock',
    meaning:
      'Each product of the catalog is out_of_stock, and so is each of its variants. Usually the stock is not connected to the catalog.',
    why: 'Agents leave out what is sold out. A store in which nothing can be bought is not recommended.',
    language: 'json',
    before: `{
  "products": [
    { "id": "boot-1", "availability": "out_of_stock" },
    { "id": "boot-2", "availability": "out_of_stock" }
  ]
}`,
    after: `{
  "products": [
    { "id": "boot-1", "availability": "in_stock" },
    { "id": "boot-2", "availability": "out_of_stock" }
  ]
}`,
  },
  catalog_product_fields_invalid: {
    passed: 'catalog_product_fields',
    severity: 'high',
    label: 'Products lack required fields',
    fix: 'Give every product all that the protocol requires, such as its id, name, description and price.',
    passes: 'Products have all required fields',
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
    passed: 'catalog_price_integer',
    severity: 'high',
    label: 'Prices are not integers',
    fix: 'Send price.amount as an integer in the smallest unit: 19.99 USD is 1999.',
    passes: 'Prices are whole numbers',
    meaning: 'price.amount is a decimal number or a string. It has to be an integer.',
    why: 'Amounts are in the smallest unit of the currency, so that clients never have to round. A decimal is rejected, or read as a price a hundred times too low.',
    language: 'json',
    before: `{ "price": { "amount": 19.99, "currency": "USD" } }`,
    after: `{ "price": { "amount": 1999, "currency": "USD" } }`,
  },
  catalog_price_major_units: {
    passed: 'catalog_price_minor_units',
    severity: 'high',
    caps: 'wrong_price',
    label: 'Prices are in major units, such as dollars instead of cents',
    fix: 'Send price.amount in the smallest unit of the currency: 25.00 USD is 2500, not 25.',
    passes: 'Prices are in the smallest unit, such as cents',
    meaning:
      'Prices are in dollars instead of cents: the price on the product page is a hundred times as high.',
    why: 'An agent shows $0.25 for a product of $25. The buyer is misled, and the order fails at the checkout or is sold at a loss.',
    language: 'json',
    before: `{ "price": { "amount": 25, "currency": "USD" } }`,
    after: `{ "price": { "amount": 2500, "currency": "USD" } }`,
  },
  catalog_currency_invalid: {
    passed: 'catalog_currency',
    severity: 'high',
    label: 'Currencies are not ISO 4217 codes',
    fix: 'Send price.currency as a three-letter code such as "USD".',
    passes: 'Currencies that agents know',
    meaning: 'price.currency is not an ISO 4217 code: it is a symbol, a name, or in lower case.',
    why: 'The code says what the amount means and how many decimals it has. Without it the amount is just a number.',
    language: 'json',
    before: `{ "price": { "amount": 1999, "currency": "$" } }`,
    after: `{ "price": { "amount": 1999, "currency": "USD" } }`,
  },
  catalog_availability_invalid: {
    passed: 'catalog_availability',
    severity: 'high',
    label: 'Availability has values that agents do not know',
    fix: 'Send one of in_stock, out_of_stock, preorder, backorder; in official UCP available: true or false.',
    passes: 'Availability that agents understand',
    meaning: 'availability has a value other than the four that agents know.',
    why: 'An agent cannot tell whether the product can be bought now. To be safe, it does not offer it.',
    language: 'json',
    before: `{ "availability": "In stock" }`,
    after: `{ "availability": "in_stock" }`,
  },
  catalog_description_short: {
    passed: 'catalog_description_length',
    severity: 'medium',
    label: 'Descriptions are under 50 characters',
    fix: 'Describe each product in at least 50 characters, preferably 150.',
    passes: 'Descriptions of at least 50 characters',
    meaning: 'Some descriptions have fewer than 50 characters, the minimum that is accepted.',
    why: 'Agents compare what a buyer asks for with the description. A few words rarely match anything.',
    language: 'json',
    before: `{ "description": "Leather boot, brown." }`,
    after: `{ "description": "A light boot of waxed leather for wet hills, with a sole that can be replaced." }`,
  },
  catalog_description_brief: {
    passed: 'catalog_description_full',
    severity: 'low',
    label: 'Descriptions are under 150 characters',
    fix: 'Describe each product in 150 characters or more: one search assistant requires it.',
    passes: 'Descriptions of at least 150 characters',
    meaning: 'Descriptions are long enough to be accepted, but have fewer than 150 characters.',
    why: 'One search assistant lists only products with 150 characters or more. Elsewhere, buyers cannot find what the description does not mention.',
    language: 'json',
    before: `{ "description": "A light boot of waxed leather for wet hills, with a sole that can be replaced." }`,
    after: `{ "description": "A light boot of waxed leather for wet hills. It is waterproof to the ankle, weighs 540 g in size 42, needs no breaking in, and its sole can be replaced by any cobbler." }`,
  },
  catalog_images_invalid: {
    passed: 'catalog_images',
    severity: 'medium',
    label: 'Images are not absolute https URLs',
    fix: 'Send each image as an absolute URL that begins with https://.',
    passes: 'Product images that agents can load',
    meaning: 'Some images are relative addresses, or are not served over https.',
    why: 'Agents show the image outside your site, where a relative address does not work and http is blocked on a secure page.',
    language: 'json',
    before: `{ "images": ["/media/fell-boot.jpg"] }`,
    after: `{ "images": ["https://shop.example/media/fell-boot.jpg"] }`,
  },
  catalog_ids_duplicate: {
    passed: 'catalog_ids_unique',
    severity: 'high',
    label: 'Products share an id',
    fix: 'Give each product a unique id.',
    passes: 'Each product has an id of its own',
    meaning: 'Two or more products in the list have the same id.',
    why: 'A cart refers to a product by its id. If two products share one, the buyer may get the wrong product.',
    language: 'json',
    before: `{ "products": [{ "id": "boot", "name": "Fell Boot" }, { "id": "boot", "name": "Moss Boot" }] }`,
    after: `{ "products": [{ "id": "boot-fell", "name": "Fell Boot" }, { "id": "boot-moss", "name": "Moss Boot" }] }`,
  },
  catalog_ids_unstable: {
    passed: 'catalog_ids_stable',
    severity: 'high',
    label: 'Product ids change between requests',
    fix: 'Use an id that never changes, such as the database key of the product.',
    passes: 'Product ids stay the same',
    meaning: 'The same product had a different id when it was requested a second time.',
    why: 'An agent remembers the id from the search to the checkout. If it changes, the product in the cart no longer exists.',
    language: 'text',
    before: `first request:   { "id": "tmp-8f31", "url": "https://shop.example/p/fell-boot" }
second request:  { "id": "tmp-c02a", "url": "https://shop.example/p/fell-boot" }`,
    after: `first request:   { "id": "1001", "url": "https://shop.example/p/fell-boot" }
second request:  { "id": "1001", "url": "https://shop.example/p/fell-boot" }`,
  },
  catalog_variants_invalid: {
    passed: 'catalog_variants',
    severity: 'high',
    label: 'Variants lack required fields',
    fix: 'Give every variant an id, a price, and a value for each option of its product.',
    passes: 'Variants have all required fields',
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
    passed: 'catalog_variants_distinct',
    severity: 'high',
    label: 'Variants of a product cannot be told apart',
    fix: 'Give each variant its own id and its own combination of attributes.',
    passes: 'Variants can be told apart',
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
    passed: 'catalog_pagination',
    severity: 'medium',
    label: 'A large catalog has no pagination',
    fix: 'List at most 100 products per page, and say in pagination how to get the next.',
    passes: 'A large catalog comes in pages',
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
    passed: 'catalog_next_works',
    severity: 'high',
    label: 'The next page of the catalog does not answer',
    fix: 'Name the next page so that it can be asked for: in pagination.next its absolute URL, or in official UCP its pagination.cursor; on the last page neither.',
    passes: 'The next page of the catalog answers',
    meaning: 'pagination.next is not a valid URL, or it does not lead to a page of products.',
    why: 'Agents cannot reach anything after this page, so they may never find most of your products.',
    language: 'json',
    before: `{ "pagination": { "page": 1, "per_page": 100, "total": 2480, "next": 2 } }`,
    after: `{ "pagination": { "page": 25, "per_page": 100, "total": 2480, "next": null } }`,
  },
  catalog_next_loops: {
    passed: 'catalog_next_ends',
    severity: 'high',
    label: 'The pages of the catalog form a loop',
    fix: 'On the last page omit pagination.next, or in official UCP say has_next_page: false.',
    passes: 'The pages of the catalog come to an end',
    meaning: 'pagination.next leads back to a page that was read before.',
    why: 'Agents follow next until it is absent or null. In a loop they stop at a limit of their own, and may treat the catalog as broken.',
    language: 'json',
    before: `{ "pagination": { "page": 1, "per_page": 100, "total": 2480, "next": "https://shop.example/ucp/products" } }`,
    after: `{ "pagination": { "page": 25, "per_page": 100, "total": 2480, "next": null } }`,
  },
  catalog_next_leaves_host: {
    passed: 'catalog_next_on_host',
    severity: 'high',
    label: 'The next page of the catalog is on another host',
    fix: 'Keep pagination.next on the host of the catalog endpoint.',
    passes: 'All pages of the catalog are on one host',
    meaning: 'pagination.next leads to another host than the catalog itself.',
    why: 'An agent cannot know who owns that host, and stops. Often it is the name of an internal server that cannot be reached from outside.',
    language: 'json',
    before: `{ "pagination": { "page": 1, "per_page": 100, "total": 2480, "next": "https://app-7.internal.example/products?page=2" } }`,
    after: `{ "pagination": { "page": 25, "per_page": 100, "total": 2480, "next": null } }`,
  },
  catalog_search_ineffective: {
    passed: 'catalog_search',
    severity: 'medium',
    label: 'Search is declared but has no effect',
    fix: 'Leave out what does not match the words of a search, or declare no search.',
    passes: 'Search finds what was asked for',
    meaning:
      'The manifest says that the catalog can be searched, but ?q= with a word from the name of a listed product returns everything, or nothing.',
    why: 'An agent that searches trusts the answer. It offers boots to someone who asked for a tent, or says that you sell none.',
    language: 'text',
    before: `GET /ucp/products?q=tent   →   all 2,480 products`,
    after: `GET /ucp/products?q=tent   →   the 14 products that mention a tent`,
  },
  catalog_filters_ineffective: {
    passed: 'catalog_filters',
    severity: 'medium',
    label: 'Filters are declared but have no effect',
    fix: 'Apply the filters that you declare: in official UCP categories and price.',
    passes: 'Filters have an effect',
    meaning:
      'The manifest names filters, but the answer contains products that the filters should have excluded, or no products at all.',
    why: 'A buyer who sets a price limit gets offers above it. Agents stop using filters that do not work, and then the store.',
    language: 'text',
    before: `GET /ucp/products?max_price=5000   →   { "amount": 18900, … }`,
    after: `GET /ucp/products?max_price=5000   →   { "amount": 4900, … }`,
  },
  catalog_cached_too_long: {
    passed: 'catalog_fresh',
    severity: 'medium',
    label: 'Catalog prices are cached too long',
    fix: 'Send Cache-Control: max-age=300 or less with the catalog.',
    passes: 'Catalog prices are fresh',
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
    passed: 'catalog_page_price',
    severity: 'high',
    caps: 'wrong_price',
    label: 'Catalog prices differ from the product pages',
    fix: 'Use one source for both prices, and expire both caches together.',
    passes: 'Catalog and product pages have the same prices',
    meaning:
      'For the same product, the catalog has one price and the markup of the product page another.',
    why: 'AI surfaces compare the two. If they differ, they drop the product, or show a price that the buyer will not get.',
    language: 'json',
    before: `{ "price": { "amount": 17900, "currency": "USD" } }`,
    after: `{ "price": { "amount": 18900, "currency": "USD" } }`,
  },
  catalog_page_availability_mismatch: {
    passed: 'catalog_page_availability',
    severity: 'high',
    label: 'The catalog and the product pages differ in what is in stock',
    fix: 'Use one source for both, and expire both caches together.',
    passes: 'Catalog and product pages agree on what is in stock',
    meaning:
      'For the same product, the catalog says that it is in stock and the markup of the product page that it is sold out, or the other way round.',
    why: 'Agents compare the two before they offer a product. If they differ, the product is left out, or a buyer is disappointed.',
    language: 'json',
    before: `{ "availability": "out_of_stock" }`,
    after: `{ "availability": "in_stock" }`,
  },
  catalog_page_currency_mismatch: {
    passed: 'catalog_page_currency',
    severity: 'medium',
    caps: 'wrong_price',
    label: 'The catalog and the product pages have different currencies',
    fix: 'Send the currency of the product page in price.currency.',
    passes: 'Catalog and product pages have the same currency',
    meaning:
      'For the same product, the catalog has the number of the product page in another currency: 189.00 EUR, for example, where the page says 189.00 USD.',
    why: 'One of the two prices is wrong, and the buyer is charged another amount than the agent has said.',
    language: 'json',
    before: `{ "price": { "amount": 18900, "currency": "EUR" } }`,
    after: `{ "price": { "amount": 18900, "currency": "USD" } }`,
  },
  catalog_page_identifiers_mismatch: {
    passed: 'catalog_page_identifiers',
    severity: 'medium',
    label: 'The catalog and the product pages name different product numbers',
    fix: 'Send the same sku and gtin in the catalog and in the markup of the product page.',
    passes: 'Catalog and product pages name the same product numbers',
    meaning:
      'For the same product, the catalog has one sku or GTIN and the markup of the product page another.',
    why: 'An agent finds a product by one number and cannot recognise it by the other, so the two are taken for different products.',
    language: 'json',
    before: `{ "sku": "1001" }`,
    after: `{ "sku": "FB-42" }`,
  },
} satisfies RuleWords
