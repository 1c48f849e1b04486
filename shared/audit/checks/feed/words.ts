import type { RuleWords } from '../../rule-words.ts'

// Data: the words of the rules of `feed`.

const rss = (
  ...items: string[]
): string => `<rss version="2.0" xmlns:g="http://base.google.com/ns/1.0">
  <channel>
    <title>Shop</title>
    <link>https://shop.example/</link>
    <description>All products</description>
${items.join('\n')}
  </channel>
</rss>`

/** An item of Google's RSS 2.0 form, with attributes in its namespace. */
const item = (attributes: string): string => `    <item>
${attributes
  .split('\n')
  .map((line) => `      ${line}`)
  .join('\n')}
    </item>`

/** An item with the attributes of a product that has them all. */
const whole = (attributes: string): string =>
  item(`<g:id>1001</g:id>
<g:title>Fell Boot</g:title>
${attributes}`)

/** An item that leads to the page of its product. */
const linked = (attributes: string): string =>
  item(`<g:id>1001</g:id>
<g:link>https://shop.example/p/fell-boot</g:link>
${attributes}`)

/** A row of OpenAI's feed. */
const openai = (more: Record<string, unknown>): string =>
  JSON.stringify(
    { item_id: '1001', title: 'Fell Boot', url: 'https://shop.example/p/fell-boot', ...more },
    null,
    2,
  )

export const feedWords = {
  feed_missing: {
    passed: 'feed_exists',
    // Only medium: most feeds are uploaded or sent through an API, so that a store without a public
    // one may well have one.
    severity: 'medium',
    label: 'No product feed was found publicly',
    fix: 'Publish a product feed and link to it from the home page: <link rel="alternate" type="application/rss+xml" href="/feeds/google.xml">.',
    passes: 'A product feed that can be found',
    meaning:
      'No product feed was found: neither through the home page or robots.txt, nor at the usual addresses. A feed that you upload, or send through an API, cannot be seen from outside, so this is not certain.',
    why: 'AI surfaces that do not use a shopping protocol read feeds. A public feed also reaches those that you have never heard of.',
    language: 'html',
    before: '<head>\n  <title>Shop</title>\n</head>',
    after: `<head>
  <title>Shop</title>
  <link rel="alternate" type="application/rss+xml" href="/feeds/google.xml">
</head>`,
  },
  feed_unreadable: {
    passed: 'feed_readable',
    severity: 'medium',
    label: 'The product feed cannot be read completely',
    fix: 'Write the feed with an XML or CSV library, and replace the file only when it is complete.',
    passes: 'The product feed can be read to its end',
    meaning:
      'The feed breaks off or is not well-formed, for example because of an unescaped &, a missing end tag, or a row with the wrong number of columns.',
    why: 'A parser stops at the error. Every product after it is missing, and some readers discard the whole file.',
    language: 'xml',
    before: rss(item('<g:id>1001</g:id>\n<g:title>Boots & Laces</g:title>')),
    after: rss(item('<g:id>1001</g:id>\n<g:title>Boots &amp; Laces</g:title>')),
  },
  feed_items_incomplete: {
    passed: 'feed_items_complete',
    severity: 'medium',
    label: 'Items of the product feed lack required attributes',
    fix: 'Give every item id, title, description, link, image_link, availability and price, written as 79.95 AUD; for OpenAI brand and seller_name as well.',
    passes: 'Items of the feed have all required attributes',
    meaning:
      'Some items lack an id, title, description, link, image_link, availability or price, or have a price without a number.',
    why: 'These seven are required. An item that lacks one is rejected, while the others are listed.',
    language: 'xml',
    before: rss(
      item('<g:id>1001</g:id>\n<g:title>Fell Boot</g:title>\n<g:price>on request</g:price>'),
    ),
    after: rss(
      item(`<g:id>1001</g:id>
<g:title>Fell Boot</g:title>
<g:description>A light boot of waxed leather for wet hills.</g:description>
<g:link>https://shop.example/p/fell-boot</g:link>
<g:image_link>https://shop.example/media/fell-boot.jpg</g:image_link>
<g:availability>in_stock</g:availability>
<g:price>189.00 USD</g:price>`),
    ),
  },
  feed_gtin_invalid: {
    passed: 'feed_gtin_valid',
    severity: 'medium',
    label: 'Some GTINs in the feed are invalid',
    fix: 'Send the number below the barcode with its check digit. For a product that has none, leave gtin out and send brand and mpn; if it has no mpn either, send identifier_exists: no.',
    passes: 'Barcode numbers in the feed are valid',
    meaning:
      'A GTIN in the feed has the wrong length, the wrong check digit, or a prefix that is never assigned to products.',
    why: 'AI surfaces match offers by their GTIN. They reject an item with a wrong GTIN, but accept one without if it has brand and mpn, or says that it has no number.',
    language: 'xml',
    before: rss(item('<g:id>1001</g:id>\n<g:gtin>4006381333932</g:gtin>')),
    after: rss(item('<g:id>1001</g:id>\n<g:gtin>4006381333931</g:gtin>')),
  },
  feed_duplicate_ids: {
    passed: 'feed_ids_unique',
    severity: 'medium',
    label: 'Items of the product feed share an id',
    fix: 'Give every item, including variants, a unique id that never changes.',
    passes: 'Each item of the feed has an id of its own',
    meaning:
      'Two or more items in the feed have the same id. Often variants share the id of their product.',
    why: 'The last item replaces the others, so all but one are missing from the listings.',
    language: 'xml',
    before: rss(
      item('<g:id>1001</g:id>\n<g:size>42</g:size>'),
      item('<g:id>1001</g:id>\n<g:size>43</g:size>'),
    ),
    after: rss(
      item('<g:id>1001-42</g:id>\n<g:item_group_id>1001</g:item_group_id>\n<g:size>42</g:size>'),
      item('<g:id>1001-43</g:id>\n<g:item_group_id>1001</g:item_group_id>\n<g:size>43</g:size>'),
    ),
  },
  feed_availability_mismatch: {
    passed: 'feed_availability_matches',
    severity: 'high',
    label: 'The product feed and the store differ in what is in stock',
    fix: 'Use one source for both, and update the feed when stock runs out or returns.',
    passes: 'Feed and store agree on what is in stock',
    meaning:
      'For the same product, the feed says that it is in stock, and the markup of the product page or the catalog that it is sold out, or the other way round.',
    why: 'AI surfaces visit the page to check. If it differs they disapprove the item, and after many such items the account.',
    language: 'xml',
    before: rss(linked('<g:availability>out_of_stock</g:availability>')),
    after: rss(linked('<g:availability>in_stock</g:availability>')),
  },
  feed_currency_mismatch: {
    passed: 'feed_currency_matches',
    severity: 'medium',
    caps: 'wrong_price',
    label: 'The product feed has other currencies than the store',
    fix: 'Send the currency of the page that the item links to.',
    passes: 'Feed and store have the same currencies',
    meaning:
      'For the same product, the feed has no price in the currency of the product page: 189.00 EUR, for example, where the page says 189.00 USD.',
    why: 'A buyer who follows the item finds other money than it says. The item is disapproved, or listed at a wrong price.',
    language: 'xml',
    before: rss(linked('<g:price>189.00 EUR</g:price>')),
    after: rss(linked('<g:price>189.00 USD</g:price>')),
  },
  feed_identifiers_mismatch: {
    passed: 'feed_identifiers_match',
    severity: 'medium',
    label: 'The product feed and the store name different GTINs or part numbers',
    fix: 'Send the gtin and mpn of the very product that the item links to, in feed and markup.',
    passes: 'Feed and store name the same product numbers',
    meaning:
      'For the same product, the feed names a GTIN or part number (mpn), and the markup of the product page another one.',
    why: 'The offer is matched with another product, so it is shown to people who look for something else.',
    language: 'xml',
    before: rss(linked('<g:gtin>9506000134352</g:gtin>')),
    after: rss(linked('<g:gtin>4006381333931</g:gtin>')),
  },
  feed_sale_price_invalid: {
    passed: 'feed_sale_prices',
    severity: 'medium',
    label: 'Sale prices in the feed are not below the price',
    fix: 'Send the usual price as price and the lower one as sale_price, both in one currency.',
    passes: 'Sale prices are below the price',
    meaning:
      'An item has a sale_price that is higher than its price, or is in another currency. Usually the two have been exchanged.',
    why: 'The sale is ignored, or the item is disapproved, so buyers see the wrong price or none.',
    language: 'xml',
    before: rss(whole('<g:price>149.00 USD</g:price>\n<g:sale_price>189.00 USD</g:sale_price>')),
    after: rss(whole('<g:price>189.00 USD</g:price>\n<g:sale_price>149.00 USD</g:sale_price>')),
  },
  feed_variants_unclear: {
    passed: 'feed_variants',
    severity: 'medium',
    label: 'Variants in the feed cannot be told apart',
    fix: 'Give the variants of a group different values of color, size, material or another attribute; for OpenAI, send group_id, listing_has_variations and variant_dict together.',
    passes: 'Variants in the feed can be told apart',
    meaning:
      'Items of one group have the same title and the same color, size and other attributes. In a feed for OpenAI, a variant may also lack group_id, listing_has_variations or variant_dict.',
    why: 'An agent that is asked for size 43 cannot know which item that is.',
    language: 'xml',
    before: rss(
      item('<g:id>1001-42</g:id>\n<g:item_group_id>1001</g:item_group_id>'),
      item('<g:id>1001-43</g:id>\n<g:item_group_id>1001</g:item_group_id>'),
    ),
    after: rss(
      item('<g:id>1001-42</g:id>\n<g:item_group_id>1001</g:item_group_id>\n<g:size>42</g:size>'),
      item('<g:id>1001-43</g:id>\n<g:item_group_id>1001</g:item_group_id>\n<g:size>43</g:size>'),
    ),
  },
  feed_google_values_invalid: {
    passed: 'feed_google_values',
    severity: 'medium',
    label: 'Values in the feed have a form that Google does not read',
    fix: 'Write prices as 79.95 EUR, addresses with https://, and the other values as Google lists them.',
    passes: 'Google can read the values in the feed',
    meaning:
      'A value is not in the form that Google documents: a price without a currency, a condition or availability that is none of the listed words, an address without https://, or a shipping price without its parts.',
    why: 'Google ignores a value that it cannot read, and disapproves the item if the value is required.',
    language: 'xml',
    before: rss(whole('<g:price>189,00</g:price>\n<g:condition>brand new</g:condition>')),
    after: rss(whole('<g:price>189.00 USD</g:price>\n<g:condition>new</g:condition>')),
  },
  feed_google_values_too_long: {
    passed: 'feed_google_lengths',
    severity: 'low',
    label: 'Values in the feed are longer than Google reads',
    fix: 'Shorten them: 50 characters for an id, 150 for a title, 5,000 for a description.',
    passes: 'Values in the feed are short enough for Google',
    meaning:
      'A value has more characters than Google reads: 50 for an id, 150 for a title, 5,000 for a description, 70 for a brand.',
    why: 'A longer title is cut where it may matter most, and an item with a longer id is disapproved.',
    language: 'xml',
    before: rss(
      item(
        '<g:id>fell-boot-of-waxed-leather-for-wet-hills-brown-size-42-wide</g:id>\n<g:title>Fell Boot</g:title>',
      ),
    ),
    after: rss(item('<g:id>fell-boot-brown-42</g:id>\n<g:title>Fell Boot</g:title>')),
  },
  feed_google_identifiers_missing: {
    passed: 'feed_google_identifiers',
    severity: 'medium',
    label: 'Items of the feed have no product identifiers',
    fix: 'Send gtin, or brand and mpn. For a product that has none, such as a handmade one, send identifier_exists: no.',
    passes: 'Items of the feed have product identifiers',
    meaning:
      'A new product has neither a gtin, nor brand and mpn, and does not say that it has none. Or it says identifier_exists: no and states a gtin.',
    why: 'By these numbers an offer is matched with the same product elsewhere. Without them it is shown less often.',
    language: 'xml',
    before: rss(item('<g:id>1001</g:id>\n<g:title>Fell Boot</g:title>')),
    after: rss(
      item(
        '<g:id>1001</g:id>\n<g:title>Fell Boot</g:title>\n<g:brand>Fell</g:brand>\n<g:gtin>4006381333931</g:gtin>',
      ),
    ),
  },
  feed_google_dates_invalid: {
    passed: 'feed_google_dates',
    severity: 'medium',
    label: 'Dates in the feed are missing or cannot be read',
    fix: 'Send availability_date with preorder and backorder, and write dates as 2027-03-01T09:00+0100.',
    passes: 'Google can read the dates in the feed',
    meaning:
      'An item that can be ordered before it is in stock has no availability_date, or a date is not in the form of ISO 8601. A sale that ends before it begins counts as well.',
    why: 'A preorder without its date is disapproved, and a sale whose dates cannot be read is not shown.',
    language: 'xml',
    before: rss(whole('<g:price>189.00 USD</g:price>\n<g:availability>preorder</g:availability>')),
    after: rss(
      whole(
        '<g:price>189.00 USD</g:price>\n<g:availability>preorder</g:availability>\n<g:availability_date>2027-03-01T09:00+0100</g:availability_date>',
      ),
    ),
  },
  feed_openai_values_invalid: {
    passed: 'feed_openai_values',
    severity: 'medium',
    label: 'Values in the feed have a form that OpenAI does not read',
    fix: 'Write prices as 79.99 USD, booleans as true or false, and leave out what is not known.',
    passes: 'OpenAI can read the values in the feed',
    meaning:
      'A value of a feed in the form of OpenAI is not as documented: a boolean in capitals, a price without a currency, an availability that is none of the listed words, or a placeholder such as n/a.',
    why: 'A value that cannot be read is left out, and a row without a readable availability is rejected.',
    language: 'json',
    before: openai({ availability: 'In stock now', is_eligible_search: 'TRUE' }),
    after: openai({ availability: 'in_stock', is_eligible_search: true }),
  },
  feed_openai_values_too_long: {
    passed: 'feed_openai_lengths',
    severity: 'low',
    label: 'Values in the feed are longer than OpenAI reads',
    fix: 'Shorten them: 150 characters for a title, 5,000 for a description.',
    passes: 'Values in the feed are short enough for OpenAI',
    meaning: 'A title has more than 150 characters, or a description more than 5,000.',
    why: 'What is longer is cut, and the end of a title is often the size or color.',
    language: 'json',
    before: openai({
      title:
        'Fell Boot, a light boot of waxed leather for wet hills, for women and men, in brown, black and green, with wool lining, free delivery and returns, new this season, size 42',
    }),
    after: openai({ title: 'Fell Boot, waxed leather, brown, size 42' }),
  },
  feed_openai_eligibility_contradictory: {
    passed: 'feed_openai_eligibility',
    severity: 'high',
    label: 'Items are offered for checkout without what checkout needs',
    fix: 'With is_eligible_checkout: true, send is_eligible_search: true, seller_privacy_policy and seller_tos; or send is_eligible_checkout: false.',
    passes: 'Items offered for checkout have what checkout needs',
    meaning:
      'A row says is_eligible_checkout: true, but is_eligible_search is false, or seller_privacy_policy or seller_tos is missing.',
    why: 'Checkout needs all three. Such a product is shown at most, and cannot be bought.',
    language: 'json',
    before: openai({ is_eligible_search: true, is_eligible_checkout: true }),
    after: openai({
      is_eligible_search: true,
      is_eligible_checkout: true,
      seller_privacy_policy: 'https://shop.example/privacy',
      seller_tos: 'https://shop.example/terms',
    }),
  },
  feed_price_mismatch: {
    passed: 'feed_price_matches',
    severity: 'high',
    caps: 'wrong_price',
    label: 'The product feed has other prices than the store',
    fix: 'Use one source for both prices, and update the feed when a price changes.',
    passes: 'Feed and store have the same prices',
    meaning:
      'For the same product, the feed has one price, and the markup of the product page or the catalog another.',
    why: 'AI surfaces visit the page to check. If the price differs they disapprove the item, and after many such items the account.',
    language: 'xml',
    before: rss(
      item(`<g:id>1001</g:id>
<g:link>https://shop.example/p/fell-boot</g:link>
<g:price>179.00 USD</g:price>`),
    ),
    after: rss(
      item(`<g:id>1001</g:id>
<g:link>https://shop.example/p/fell-boot</g:link>
<g:price>189.00 USD</g:price>`),
    ),
  },
  merchant_center_connected: { passes: 'A Merchant Center account is in use' },
} satisfies RuleWords
