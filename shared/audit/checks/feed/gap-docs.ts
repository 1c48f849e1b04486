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

const item = (attributes: string): string => `    <item>
${attributes
  .split('\n')
  .map((line) => `      ${line}`)
  .join('\n')}
    </item>`

export const feedDocs: GapDocs = {
  feed_missing: {
    meaning:
      'No product feed was found: not named in the home page or robots.txt, and at none of the usual addresses. A feed that you upload, or send by an API, cannot be seen from outside, so this is not certain.',
    why: 'Surfaces without a protocol of their own read feeds. One that everyone may fetch reaches those that you have never heard of.',
    language: 'html',
    before: '<head>\n  <title>Shop</title>\n</head>',
    after: `<head>
  <title>Shop</title>
  <link rel="alternate" type="application/rss+xml" href="/feeds/google.xml">
</head>`,
  },
  feed_unreadable: {
    meaning:
      'The feed breaks off, or is not well-formed: an unescaped &, a missing end tag, a row with another number of columns.',
    why: 'A parser stops at the fault. Every product after it is missing, and some readers drop the whole file.',
    language: 'xml',
    before: rss(item('<g:id>1001</g:id>\n<g:title>Boots & Laces</g:title>')),
    after: rss(item('<g:id>1001</g:id>\n<g:title>Boots &amp; Laces</g:title>')),
  },
  feed_items_incomplete: {
    meaning:
      'Some items lack one of id, title, description, link, image_link, availability and price, or have a price without a number.',
    why: 'These seven are required. An item that lacks one is refused, while the others are listed.',
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
      'A GTIN of the feed has the wrong length, the wrong check digit, or a prefix that is never given to products.',
    why: 'Surfaces join offers by the GTIN. They refuse an item with a wrong one, but accept one without.',
    language: 'xml',
    before: rss(item('<g:id>1001</g:id>\n<g:gtin>4006381333932</g:gtin>')),
    after: rss(item('<g:id>1001</g:id>\n<g:gtin>4006381333931</g:gtin>')),
  },
  feed_duplicate_ids: {
    meaning:
      'Two or more items of the feed carry the same id. Often variants share that of their product.',
    why: 'The last of them replaces the others, so that all but one are never listed.',
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
    meaning: 'For the same product the feed states one price and the markup of its page another.',
    why: 'Surfaces visit the page to check. Where the price differs they disapprove the item, and after many of them the account.',
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
