import type { GapDocs } from '../../gap-doc.ts'

// Data: the pages of the gaps of `schema`. Every example is the HTML of a product page.

const ldJson = (product: string): string =>
  `<script type="application/ld+json">\n${product}\n</script>`

export const schemaDocs: GapDocs = {
  product_schema_missing: {
    meaning:
      'The HTML of the product pages says nothing about the product in a form that a machine reads: neither JSON-LD nor microdata of schema.org.',
    why: 'A person sees a price; an agent sees some digits among others. Markup says which of them is the price, and surfaces list products by it.',
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
      'A script writes the Product markup into the page. The HTML that the server sends has none.',
    why: 'Most agents and crawlers fetch the HTML and run no scripts. For them the page has no markup.',
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
      'A <script type="application/ld+json"> of the page is no valid JSON. Often a template left a comma at the end, or a quotation mark of the description was not escaped.',
    why: 'A reader drops the whole block at the first fault, and with it everything that the block says.',
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
    meaning: 'The Product markup is there, but has no name, or no image.',
    why: 'Both are required for a listing. Without them a surface has nothing to show, and shows another product.',
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
      'The Product markup has no offers: it says what the thing is, not that it is for sale.',
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
    meaning: 'The only offer is an AggregateOffer: a range from a lowest to a highest price.',
    why: 'A range cannot be put into a cart. An agent that is asked what size 42 costs has no answer.',
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
      'The price is missing, is zero, or is written for people: with a currency sign, a comma, or spaces.',
    why: 'Software reads "1.299,00 €" as 1.299 or not at all. A wrong price is worse than none: the listing is refused.',
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
    meaning: 'priceCurrency is missing, or is no code of ISO 4217.',
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
    meaning: 'availability is missing, or is no name of schema.org.',
    why: 'Agents prefer what can be bought now. An offer that does not say so stands behind those that do.',
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
      'A GTIN (the number under the barcode) has the wrong length, the wrong check digit, or a prefix that is never given to products.',
    why: 'Surfaces join the offers of many stores by the GTIN. A wrong one joins yours to another product, or to none.',
    language: 'html',
    before: ldJson(
      `{ "@context": "https://schema.org", "@type": "Product", "name": "Fell Boot", "gtin13": "4006381333932" }`,
    ),
    after: ldJson(
      `{ "@context": "https://schema.org", "@type": "Product", "name": "Fell Boot", "gtin13": "4006381333931" }`,
    ),
  },
  product_schema_brand_missing: {
    meaning: 'The Product markup does not say which brand the product is of.',
    why: 'Buyers ask for brands by name. With the brand, and no GTIN, it is also what tells two similar products apart.',
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
    meaning: 'The Product markup names the product and does not describe it.',
    why: 'An answer is chosen by what a text says. Without a description, the name is all there is to match.',
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
      'Neither the offers nor the Organization of the home page say how long a product may be returned, and who pays.',
    why: 'It is among the first questions of a buyer. Surfaces show the answer beside the price, where there is one.',
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
      'Neither the offers nor the Organization of the home page say what shipping costs and how long it takes.',
    why: 'Surfaces rank by the total price. Where shipping is not known, they assume the worst or leave the offer out.',
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
