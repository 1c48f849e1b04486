import type { GapDocs } from '../../gap-doc.ts'

// Data: the pages of the gaps of `feed`.

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

export const feedDocs: GapDocs = {
  feed_missing: {
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
    meaning:
      'The feed breaks off or is not well-formed, for example because of an unescaped &, a missing end tag, or a row with the wrong number of columns.',
    why: 'A parser stops at the error. Every product after it is missing, and some readers discard the whole file.',
    language: 'xml',
    before: rss(item('<g:id>1001</g:id>\n<g:title>Boots & Laces</g:title>')),
    after: rss(item('<g:id>1001</g:id>\n<g:title>Boots &amp; Laces</g:title>')),
  },
  feed_items_incomplete: {
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
    meaning:
      'A GTIN in the feed has the wrong length, the wrong check digit, or a prefix that is never assigned to products.',
    why: 'AI surfaces match offers by their GTIN. They reject an item with a wrong GTIN, but accept one without if it has brand and mpn, or says that it has no number.',
    language: 'xml',
    before: rss(item('<g:id>1001</g:id>\n<g:gtin>4006381333932</g:gtin>')),
    after: rss(item('<g:id>1001</g:id>\n<g:gtin>4006381333931</g:gtin>')),
  },
  feed_duplicate_ids: {
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
    meaning:
      'For the same product, the feed says that it is in stock, and the markup of the product page or the catalog that it is sold out, or the other way round.',
    why: 'AI surfaces visit the page to check. If it differs they disapprove the item, and after many such items the account.',
    language: 'xml',
    before: rss(linked('<g:availability>out_of_stock</g:availability>')),
    after: rss(linked('<g:availability>in_stock</g:availability>')),
  },
  feed_currency_mismatch: {
    meaning:
      'For the same product, the feed has the number of the product page in another currency: 189.00 EUR, for example, where the page says 189.00 USD.',
    why: 'One of the two prices is wrong. The item is disapproved, or listed at a wrong price.',
    language: 'xml',
    before: rss(linked('<g:price>189.00 EUR</g:price>')),
    after: rss(linked('<g:price>189.00 USD</g:price>')),
  },
  feed_identifiers_mismatch: {
    meaning:
      'For the same product, the feed names a GTIN or part number (mpn), and the markup of the product page another one.',
    why: 'The offer is matched with another product, so it is shown to people who look for something else.',
    language: 'xml',
    before: rss(linked('<g:gtin>9506000134352</g:gtin>')),
    after: rss(linked('<g:gtin>4006381333931</g:gtin>')),
  },
  feed_sale_price_invalid: {
    meaning:
      'An item has a sale_price that is higher than its price, or is in another currency. Usually the two have been exchanged.',
    why: 'The sale is ignored, or the item is disapproved, so buyers see the wrong price or none.',
    language: 'xml',
    before: rss(whole('<g:price>149.00 USD</g:price>\n<g:sale_price>189.00 USD</g:sale_price>')),
    after: rss(whole('<g:price>189.00 USD</g:price>\n<g:sale_price>149.00 USD</g:sale_price>')),
  },
  feed_variants_unclear: {
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
    meaning:
      'A value is not in the form that Google documents: a price without a currency, a condition or availability that is none of the listed words, an address without https://, or a shipping price without its parts.',
    why: 'Google ignores a value that it cannot read, and disapproves the item if the value is required.',
    language: 'xml',
    before: rss(whole('<g:price>189,00</g:price>\n<g:condition>brand new</g:condition>')),
    after: rss(whole('<g:price>189.00 USD</g:price>\n<g:condition>new</g:condition>')),
  },
  feed_google_values_too_long: {
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
    meaning:
      'A value of a feed in the form of OpenAI is not as documented: a boolean in capitals, a price without a currency, an availability that is none of the listed words, or a placeholder such as n/a.',
    why: 'A value that cannot be read is left out, and a row without a readable availability is rejected.',
    language: 'json',
    before: openai({ availability: 'In stock now', is_eligible_search: 'TRUE' }),
    after: openai({ availability: 'in_stock', is_eligible_search: true }),
  },
  feed_openai_values_too_long: {
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
}
