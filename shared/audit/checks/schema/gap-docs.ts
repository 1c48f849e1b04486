import type { GapDocs } from '../../gap-doc.ts'

// Data: the pages of the gaps of `schema`. Every example is the HTML of a product page.

const ldJson = (product: string): string =>
  `<script type="application/ld+json">\n${product}\n</script>`

export const schemaDocs: GapDocs = {
  product_schema_missing: {
    meaning:
      'The HTML of the product pages has no machine-readable data about the product: neither JSON-LD nor microdata with schema.org terms.',
    why: 'A person sees a price; an agent sees only digits among others. Markup says which of them is the price, and AI surfaces use it to list products.',
    language: 'html',
    before: '<h1>Fell Boot</h1>\n<p>$189.00, in stock</p>',
    after: ldJson(`{
  "@context": "https://schema.org",
  "@type": "Product",
  "name": "Fell Boot",
  "image": "https://shop.example/media/fell-boot.jpg",
  "offers": {
    "@type": "Offer",
    "price": "189.00",
    "priceCurrency": "USD",
    "availability": "https://schema.org/InStock"
  }
}`),
  },
  product_schema_only_after_javascript: {
    meaning:
      'A script adds the Product markup to the page. The HTML that the server sends has none.',
    why: 'Most agents and crawlers fetch the HTML and do not run scripts. For them the page has no markup.',
    language: 'html',
    before: `<script>
  const tag = document.createElement('script')
  tag.type = 'application/ld+json'
  tag.textContent = JSON.stringify({ '@type': 'Product', name: 'Fell Boot' })
  document.head.append(tag)
</script>`,
    after: ldJson(`{
  "@context": "https://schema.org",
  "@type": "Product",
  "name": "Fell Boot",
  "image": "https://shop.example/media/fell-boot.jpg"
}`),
  },
  jsonld_broken: {
    meaning:
      'A <script type="application/ld+json"> on the page is not valid JSON. Often a template left a trailing comma, or a quotation mark in the description was not escaped.',
    why: 'Readers discard the whole block at the first error, and with it everything that the block says.',
    language: 'html',
    before: ldJson(`{
  "@context": "https://schema.org",
  "@type": "Product",
  "name": "The "Fell" Boot",
}`),
    after: ldJson(`{
  "@context": "https://schema.org",
  "@type": "Product",
  "name": "The \\"Fell\\" Boot"
}`),
  },
  product_schema_incomplete: {
    meaning: 'The Product markup is there, but it has no name or no image.',
    why: 'Both are required for a listing. Without them an AI surface has nothing to show, and shows another product.',
    language: 'html',
    before: ldJson(`{ "@context": "https://schema.org", "@type": "Product", "name": "Fell Boot" }`),
    after: ldJson(`{
  "@context": "https://schema.org",
  "@type": "Product",
  "name": "Fell Boot",
  "image": "https://shop.example/media/fell-boot.jpg"
}`),
  },
  product_schema_no_offer: {
    meaning:
      'The Product markup lacks an Offer: it says what the product is, but not that it is for sale.',
    why: 'Price and stock come from the Offer. Without one the page is an article about a product.',
    language: 'html',
    before: ldJson(`{ "@context": "https://schema.org", "@type": "Product", "name": "Fell Boot" }`),
    after: ldJson(`{
  "@context": "https://schema.org",
  "@type": "Product",
  "name": "Fell Boot",
  "offers": {
    "@type": "Offer",
    "price": "189.00",
    "priceCurrency": "USD",
    "availability": "https://schema.org/InStock"
  }
}`),
  },
  product_schema_aggregate_offer_only: {
    meaning: 'The only offer is an AggregateOffer: a range from the lowest to the highest price.',
    why: 'A price range cannot be put into a cart. An agent cannot answer what size 42 costs.',
    language: 'html',
    before: ldJson(`{
  "@context": "https://schema.org",
  "@type": "Product",
  "name": "Fell Boot",
  "offers": {
    "@type": "AggregateOffer",
    "lowPrice": "179.00",
    "highPrice": "199.00",
    "priceCurrency": "USD"
  }
}`),
    after: ldJson(`{
  "@context": "https://schema.org",
  "@type": "ProductGroup",
  "name": "Fell Boot",
  "productGroupID": "1001",
  "variesBy": "https://schema.org/size",
  "hasVariant": [
    {
      "@type": "Product",
      "name": "Fell Boot, 42",
      "size": "42",
      "sku": "1001-42",
      "offers": {
        "@type": "Offer",
        "price": "179.00",
        "priceCurrency": "USD",
        "availability": "https://schema.org/InStock"
      }
    }
  ]
}`),
  },
  product_schema_price_invalid: {
    meaning:
      'The price is missing, is zero, or is written for people: with a currency symbol, a comma, or spaces.',
    why: 'Software reads "1.299,00 €" as 1.299 or not at all. A wrong price is worse than none: the listing is rejected.',
    language: 'html',
    before: ldJson(`{
  "@context": "https://schema.org",
  "@type": "Product",
  "name": "Fell Boot",
  "offers": { "@type": "Offer", "price": "$189,00", "priceCurrency": "USD" }
}`),
    after: ldJson(`{
  "@context": "https://schema.org",
  "@type": "Product",
  "name": "Fell Boot",
  "offers": { "@type": "Offer", "price": "189.00", "priceCurrency": "USD" }
}`),
  },
  product_schema_currency_invalid: {
    meaning: 'priceCurrency is missing, or is not an ISO 4217 code.',
    why: 'A price without a currency cannot be compared, converted or charged.',
    language: 'html',
    before: ldJson(`{
  "@context": "https://schema.org",
  "@type": "Product",
  "name": "Fell Boot",
  "offers": { "@type": "Offer", "price": "189.00", "priceCurrency": "US$" }
}`),
    after: ldJson(`{
  "@context": "https://schema.org",
  "@type": "Product",
  "name": "Fell Boot",
  "offers": { "@type": "Offer", "price": "189.00", "priceCurrency": "USD" }
}`),
  },
  product_schema_availability_invalid: {
    meaning: 'availability is missing, or is not a schema.org value.',
    why: 'Agents prefer what can be bought now. An offer that does not say so ranks below those that do.',
    language: 'html',
    before: ldJson(`{
  "@context": "https://schema.org",
  "@type": "Product",
  "name": "Fell Boot",
  "offers": { "@type": "Offer", "price": "189.00", "priceCurrency": "USD", "availability": "available" }
}`),
    after: ldJson(`{
  "@context": "https://schema.org",
  "@type": "Product",
  "name": "Fell Boot",
  "offers": {
    "@type": "Offer",
    "price": "189.00",
    "priceCurrency": "USD",
    "availability": "https://schema.org/InStock"
  }
}`),
  },
  product_schema_gtin_invalid: {
    meaning:
      'A GTIN (the number below the barcode) has the wrong length, the wrong check digit, or a prefix that is never assigned to products.',
    why: 'AI surfaces use the GTIN to match the offers of many stores. A wrong GTIN matches yours to another product, or to none.',
    language: 'html',
    before: ldJson(
      `{ "@context": "https://schema.org", "@type": "Product", "name": "Fell Boot", "gtin13": "4006381333932" }`,
    ),
    after: ldJson(
      `{ "@context": "https://schema.org", "@type": "Product", "name": "Fell Boot", "gtin13": "4006381333931" }`,
    ),
  },
  product_schema_brand_missing: {
    meaning: 'The Product markup does not name the brand of the product.',
    why: 'Buyers ask for brands by name. Without a GTIN, the brand also helps to tell similar products apart.',
    language: 'html',
    before: ldJson(`{ "@context": "https://schema.org", "@type": "Product", "name": "Fell Boot" }`),
    after: ldJson(`{
  "@context": "https://schema.org",
  "@type": "Product",
  "name": "Fell Boot",
  "brand": { "@type": "Brand", "name": "Borealis" }
}`),
  },
  product_schema_description_missing: {
    meaning: 'The Product markup names the product but does not describe it.',
    why: 'Agents choose products by what their texts say. Without a description, they have only the name to go by.',
    language: 'html',
    before: ldJson(`{ "@context": "https://schema.org", "@type": "Product", "name": "Fell Boot" }`),
    after: ldJson(`{
  "@context": "https://schema.org",
  "@type": "Product",
  "name": "Fell Boot",
  "description": "A light boot of waxed leather for wet hills, with a sole that can be replaced."
}`),
  },
  product_schema_return_policy_missing: {
    meaning:
      'Neither the offers nor the Organization on the home page say how long a product can be returned, and who pays for it.',
    why: 'It is one of the first questions a buyer asks. AI surfaces show the answer next to the price, if there is one.',
    language: 'html',
    before: ldJson(`{
  "@context": "https://schema.org",
  "@type": "Product",
  "name": "Fell Boot",
  "offers": { "@type": "Offer", "price": "189.00", "priceCurrency": "USD" }
}`),
    after: ldJson(`{
  "@context": "https://schema.org",
  "@type": "Product",
  "name": "Fell Boot",
  "offers": {
    "@type": "Offer",
    "price": "189.00",
    "priceCurrency": "USD",
    "hasMerchantReturnPolicy": {
      "@type": "MerchantReturnPolicy",
      "applicableCountry": "US",
      "returnPolicyCategory": "https://schema.org/MerchantReturnFiniteReturnWindow",
      "merchantReturnDays": 30,
      "returnMethod": "https://schema.org/ReturnByMail",
      "returnFees": "https://schema.org/FreeReturn"
    }
  }
}`),
  },
  product_schema_shipping_missing: {
    meaning:
      'Neither the offers nor the Organization on the home page say what shipping costs and how long it takes.',
    why: 'AI surfaces rank by the total price. If the shipping cost is unknown, they assume the worst or omit the offer.',
    language: 'html',
    before: ldJson(`{
  "@context": "https://schema.org",
  "@type": "Product",
  "name": "Fell Boot",
  "offers": { "@type": "Offer", "price": "189.00", "priceCurrency": "USD" }
}`),
    after: ldJson(`{
  "@context": "https://schema.org",
  "@type": "Product",
  "name": "Fell Boot",
  "offers": {
    "@type": "Offer",
    "price": "189.00",
    "priceCurrency": "USD",
    "shippingDetails": {
      "@type": "OfferShippingDetails",
      "shippingRate": { "@type": "MonetaryAmount", "value": "6.00", "currency": "USD" },
      "shippingDestination": { "@type": "DefinedRegion", "addressCountry": "US" }
    }
  }
}`),
  },
}
