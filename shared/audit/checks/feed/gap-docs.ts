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
    why: 'AI surfaces match offers by their GTIN. They reject an item with a wrong GTIN, but accept one without.',
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
  feed_price_mismatch: {
    meaning:
      'For the same product, the feed has one price and the markup of the product page another.',
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
