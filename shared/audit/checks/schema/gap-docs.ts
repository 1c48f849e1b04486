import type { GapDocs } from '../../gap-doc.ts'

// Data: the pages of the gaps of `schema`. Every example is the HTML of a product page.

const ldJson = (product: string): string =>
  `<script type="application/ld+json">\n${product}\n</script>`

/** A product with an offer that states this. */
const offered = (offer: string): string =>
  ldJson(`{
  "@context": "https://schema.org",
  "@type": "Product",
  "name": "Fell Boot",
  "offers": { "@type": "Offer", ${offer} }
}`)

export const schemaDocs: GapDocs = {
  product_schema_missing: {
    meaning:
      'The HTML of the product pages has no machine-readable data about the product: neither JSON-LD nor microdata or RDFa with schema.org terms.',
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
  product_schema_currency_lower_case: {
    meaning: 'priceCurrency is written in lower case. ISO 4217 has codes of three capital letters.',
    why: 'Most agents read it all the same. One that compares codes letter by letter has no currency, and so no price.',
    language: 'html',
    before: offered('"price": "189.00", "priceCurrency": "usd"'),
    after: offered('"price": "189.00", "priceCurrency": "USD"'),
  },
  product_schema_price_contradicted: {
    meaning:
      'JSON-LD, microdata and Open Graph tags of one page state prices of which none agree. List prices, sales and variants are taken into account.',
    why: 'One agent reads the JSON-LD, another the Open Graph tags. Whichever is out of date, a buyer is told a price that is not charged.',
    language: 'html',
    before: `<meta property="product:price:amount" content="219.00">
<meta property="product:price:currency" content="USD">
${offered('"price": "189.00", "priceCurrency": "USD"')}`,
    after: `<meta property="product:price:amount" content="189.00">
<meta property="product:price:currency" content="USD">
${offered('"price": "189.00", "priceCurrency": "USD"')}`,
  },
  product_schema_currency_contradicted: {
    meaning: 'JSON-LD, microdata and Open Graph tags of one page name different currencies.',
    why: 'The same number in another currency is another price. An agent cannot know which of the two is charged.',
    language: 'html',
    before: `<meta property="product:price:currency" content="EUR">
${offered('"price": "189.00", "priceCurrency": "USD"')}`,
    after: `<meta property="product:price:currency" content="USD">
${offered('"price": "189.00", "priceCurrency": "USD"')}`,
  },
  product_schema_availability_contradicted: {
    meaning:
      'One part of the page says that the product is in stock, and another that it is sold out: JSON-LD, microdata or Open Graph tags.',
    why: 'An agent that believes the wrong one sends buyers to a product that they cannot have, or keeps one from them that you could sell.',
    language: 'html',
    before: `<meta property="product:availability" content="out of stock">
${offered('"price": "189.00", "priceCurrency": "USD", "availability": "https://schema.org/InStock"')}`,
    after: `<meta property="product:availability" content="in stock">
${offered('"price": "189.00", "priceCurrency": "USD", "availability": "https://schema.org/InStock"')}`,
  },
  product_schema_identifier_contradicted: {
    meaning:
      'JSON-LD, microdata and Open Graph tags of one page give its product different GTINs, part numbers or skus, or the name of another product.',
    why: 'AI surfaces join what they know of a product by its numbers. With two of them, reviews and offers of another product end up with yours.',
    language: 'html',
    before: `<meta property="product:gtin" content="4006381333948">
${ldJson(`{ "@context": "https://schema.org", "@type": "Product", "name": "Fell Boot", "gtin13": "4006381333931" }`)}`,
    after: `<meta property="product:gtin" content="4006381333931">
${ldJson(`{ "@context": "https://schema.org", "@type": "Product", "name": "Fell Boot", "gtin13": "4006381333931" }`)}`,
  },
  product_schema_price_valid_until_invalid: {
    meaning:
      'priceValidUntil is a day before the page was served, or is not written as a date of ISO 8601.',
    why: 'It says that the price no longer holds. Google then shows no price, and an agent that trusts the page does not either.',
    language: 'html',
    before: offered('"price": "189.00", "priceCurrency": "USD", "priceValidUntil": "2024-12-31"'),
    after: offered('"price": "189.00", "priceCurrency": "USD", "priceValidUntil": "2027-12-31"'),
  },
  product_schema_identifier_missing: {
    meaning: 'The Product markup has no gtin, no mpn and no sku.',
    why: 'Agents compare what several stores offer by these numbers. Without one, they guess from the name which products are the same.',
    language: 'html',
    before: ldJson(`{ "@context": "https://schema.org", "@type": "Product", "name": "Fell Boot" }`),
    after: ldJson(
      `{ "@context": "https://schema.org", "@type": "Product", "name": "Fell Boot", "sku": "1001-42" }`,
    ),
  },
  product_schema_sku_spaces: {
    meaning: 'A sku has spaces or line breaks in it. Google asks for one word.',
    why: 'Readers cut such a number at the first space or join its parts, and then do not find it in the product feed.',
    language: 'html',
    before: ldJson(
      `{ "@context": "https://schema.org", "@type": "Product", "name": "Fell Boot", "sku": "1001 42" }`,
    ),
    after: ldJson(
      `{ "@context": "https://schema.org", "@type": "Product", "name": "Fell Boot", "sku": "1001-42" }`,
    ),
  },
  product_vocabulary_retired: {
    meaning:
      'The page has markup in a vocabulary that search engines have given up: data-vocabulary.org, GoodRelations, or the microformat hproduct.',
    why: 'Google stopped reading data-vocabulary.org in 2021. What is stated there alone is not seen, and what is stated twice goes out of date unseen.',
    language: 'html',
    before: `<div itemscope itemtype="http://data-vocabulary.org/Product"><h1 itemprop="name">Fell Boot</h1></div>`,
    after: `<div itemscope itemtype="https://schema.org/Product"><h1 itemprop="name">Fell Boot</h1></div>`,
  },
  product_schema_return_policy_incomplete: {
    meaning:
      'hasMerchantReturnPolicy is empty, or lacks the country, the category, or the days of a finite return window.',
    why: 'Google requires all of them. A policy that lacks one is left out, as if you took nothing back.',
    language: 'html',
    before: offered(
      '"price": "189.00", "priceCurrency": "USD", "hasMerchantReturnPolicy": { "@type": "MerchantReturnPolicy" }',
    ),
    after: offered(`"price": "189.00", "priceCurrency": "USD",
    "hasMerchantReturnPolicy": {
      "@type": "MerchantReturnPolicy",
      "applicableCountry": "US",
      "returnPolicyCategory": "https://schema.org/MerchantReturnFiniteReturnWindow",
      "merchantReturnDays": 30
    }`),
  },
  product_schema_shipping_incomplete: {
    meaning:
      'shippingDetails is empty, or does not say where to and at which rate the product is shipped.',
    why: 'Google requires the country and the rate with its currency. Without them an agent cannot add the shipping to the price.',
    language: 'html',
    before: offered(
      '"price": "189.00", "priceCurrency": "USD", "shippingDetails": { "@type": "OfferShippingDetails" }',
    ),
    after: offered(`"price": "189.00", "priceCurrency": "USD",
    "shippingDetails": {
      "@type": "OfferShippingDetails",
      "shippingRate": { "@type": "MonetaryAmount", "value": "6.00", "currency": "USD" },
      "shippingDestination": { "@type": "DefinedRegion", "addressCountry": "US" },
      "deliveryTime": {
        "@type": "ShippingDeliveryTime",
        "handlingTime": { "@type": "QuantitativeValue", "minValue": 0, "maxValue": 1, "unitCode": "DAY" },
        "transitTime": { "@type": "QuantitativeValue", "minValue": 2, "maxValue": 5, "unitCode": "DAY" }
      }
    }`),
  },
}
