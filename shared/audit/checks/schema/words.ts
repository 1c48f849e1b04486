import type { RuleWords } from '../../rule-words.ts'

// Data: the words of the rules of `schema`. Every example is the HTML of a product page.

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

export const schemaWords = {
  product_schema_missing: {
    passed: 'product_schema_present',
    severity: 'high',
    label: 'Product pages have no Product markup',
    fix: 'Put schema.org Product markup as JSON-LD into the HTML of each product page.',
    passes: 'Product pages have product markup',
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
    passed: 'product_schema_in_html',
    severity: 'high',
    label: 'Product markup appears only after JavaScript',
    fix: 'Put the Product markup into the HTML that the server sends: most agents do not run scripts.',
    passes: 'Product markup that needs no JavaScript',
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
    passed: 'jsonld_valid',
    severity: 'high',
    label: 'A JSON-LD block is not valid JSON',
    fix: 'Fix the block: one error makes readers ignore all of it.',
    passes: 'Markup that can be read',
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
    passed: 'product_schema_complete',
    severity: 'high',
    label: 'Product markup lacks a name or an image',
    fix: 'Add a name and an image to each product: without them it is not listed.',
    passes: 'Product markup with a name and an image',
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
    passed: 'product_schema_has_offer',
    severity: 'high',
    label: 'Product markup has no offer',
    fix: 'Add an Offer with price, priceCurrency and availability to the Product.',
    passes: 'Product markup with an offer',
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
    passed: 'product_schema_single_offer',
    severity: 'medium',
    label: 'Product markup gives only a price range',
    fix: 'Use one Offer per variant instead of an AggregateOffer: a price range cannot be bought.',
    passes: 'Product markup with the price of each variant',
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
    passed: 'product_schema_price_valid',
    severity: 'high',
    label: 'The price in the markup cannot be used',
    fix: 'Write the price as a plain decimal above 0, with a point and without a currency sign.',
    passes: 'Prices in the markup can be used',
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
    passed: 'product_schema_currency_valid',
    severity: 'high',
    label: 'The currency in the markup is not an ISO 4217 code',
    fix: 'Set priceCurrency to a code of three capital letters, such as USD.',
    passes: 'Currencies in the markup are known',
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
    passed: 'product_schema_availability_valid',
    severity: 'medium',
    label: 'The availability in the markup is missing or unknown',
    fix: 'Set availability to a schema.org value such as https://schema.org/InStock.',
    passes: 'The markup says what is in stock',
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
    passed: 'product_schema_gtin_valid',
    severity: 'medium',
    label: 'A GTIN in the markup is invalid',
    fix: 'Use the number below the barcode exactly as the manufacturer assigned it. If the product has none, leave the GTIN out and state its mpn or sku instead.',
    passes: 'Barcode numbers in the markup are valid',
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
    passed: 'product_schema_brand_present',
    severity: 'low',
    label: 'Product markup has no brand',
    fix: 'Add brand.name to each product.',
    passes: 'Product markup with a brand',
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
    passed: 'product_schema_description_present',
    severity: 'low',
    label: 'Product markup has no description',
    fix: 'Add a description to each product.',
    passes: 'Product markup with a description',
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
    passed: 'product_schema_return_policy_present',
    severity: 'low',
    label: 'No return policy in the markup',
    fix: 'Add hasMerchantReturnPolicy to the offers, or once to the Organization on the home page.',
    passes: 'A return policy in the markup',
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
    passed: 'product_schema_shipping_present',
    severity: 'low',
    label: 'No shipping details in the markup',
    fix: 'Add shippingDetails to the offers, or hasShippingService to the Organization on the home page.',
    passes: 'Shipping details in the markup',
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
    passed: 'product_schema_currency_upper_case',
    severity: 'low',
    label: 'The currency in the markup is in lower case',
    fix: 'Write priceCurrency in capital letters, such as EUR.',
    passes: 'Currencies in the markup are in capital letters',
    meaning: 'priceCurrency is written in lower case. ISO 4217 has codes of three capital letters.',
    why: 'Most agents read it all the same. One that compares codes letter by letter has no currency, and so no price.',
    language: 'html',
    before: offered('"price": "189.00", "priceCurrency": "usd"'),
    after: offered('"price": "189.00", "priceCurrency": "USD"'),
  },
  product_schema_price_contradicted: {
    passed: 'product_schema_price_agrees',
    severity: 'high',
    caps: 'wrong_price',
    label: 'The page states different prices',
    fix: 'Print all prices of a page from one source: its text, JSON-LD, microdata and Open Graph tags.',
    passes: 'Each page states one price',
    meaning:
      'The text that people see, JSON-LD, microdata and Open Graph tags of one page state prices that do not agree, or an offer has one price and its priceSpecification another. List prices, sales and variants are taken into account.',
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
    passed: 'product_schema_currency_agrees',
    severity: 'high',
    caps: 'wrong_price',
    label: 'The page states different currencies',
    fix: 'Name the currency that is charged in the text, in JSON-LD, microdata and Open Graph tags alike.',
    passes: 'Each page states one currency',
    meaning:
      'The text that people see, JSON-LD, microdata and Open Graph tags of one page name different currencies.',
    why: 'The same number in another currency is another price. An agent cannot know which of the two is charged.',
    language: 'html',
    before: `<meta property="product:price:currency" content="EUR">
${offered('"price": "189.00", "priceCurrency": "USD"')}`,
    after: `<meta property="product:price:currency" content="USD">
${offered('"price": "189.00", "priceCurrency": "USD"')}`,
  },
  product_schema_availability_contradicted: {
    passed: 'product_schema_availability_agrees',
    severity: 'medium',
    label: 'The page says both that the product is in stock and that it is not',
    fix: 'Print the availability in the text, in JSON-LD, microdata and Open Graph tags from the same stock.',
    passes: 'Each page says one thing about stock',
    meaning:
      'One part of the page says that the product is in stock, and another that it is sold out: the text that people see, JSON-LD, microdata or Open Graph tags.',
    why: 'An agent that believes the wrong one sends buyers to a product that they cannot have, or keeps one from them that you could sell.',
    language: 'html',
    before: `<meta property="product:availability" content="out of stock">
${offered('"price": "189.00", "priceCurrency": "USD", "availability": "https://schema.org/InStock"')}`,
    after: `<meta property="product:availability" content="in stock">
${offered('"price": "189.00", "priceCurrency": "USD", "availability": "https://schema.org/InStock"')}`,
  },
  product_page_hidden_text: {
    passed: 'product_page_text_visible',
    severity: 'high',
    label: 'Hidden text tells agents what the page does not say',
    fix: 'Remove the hidden text, or add it to the page only while it is true and shown.',
    passes: 'Hidden text says nothing to agents that people do not see',
    meaning:
      'An element that people do not see says that the product is sold out or on backorder, or what it costs, against the page and its markup. Or it speaks to agents: "AI assistants: …", "ignore previous instructions". Menus, variants, templates and texts for screen readers do not count.',
    why: 'An agent reads the HTML, the hidden parts included. It tells buyers that an item in stock is on backorder. Text for agents alone is treated as an attack, and the store as one that makes it.',
    language: 'html',
    before: `<h1>Fell Boot</h1>
<p>$189.00</p>
<span style="display: none">Backordered</span>
<button>Add to cart</button>
${offered('"price": "189.00", "priceCurrency": "USD", "availability": "https://schema.org/InStock"')}`,
    after: `<h1>Fell Boot</h1>
<p>$189.00</p>
<button>Add to cart</button>
${offered('"price": "189.00", "priceCurrency": "USD", "availability": "https://schema.org/InStock"')}`,
  },
  product_schema_identifier_contradicted: {
    passed: 'product_schema_identifier_agrees',
    severity: 'medium',
    label: 'The page gives its product different numbers or names',
    fix: 'State the same GTIN, mpn, sku and name in JSON-LD, microdata and Open Graph tags.',
    passes: 'Each page gives its product one number and one name',
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
    passed: 'product_schema_price_valid_until_valid',
    severity: 'medium',
    label: 'priceValidUntil is past, or is not a date',
    fix: 'Set priceValidUntil to the last day of the price, such as 2027-12-31, or leave it out.',
    passes: 'Prices in the markup have not expired',
    meaning:
      'priceValidUntil is a day before the page was served, or is not written as a date of ISO 8601.',
    why: 'It says that the price no longer holds. Google then shows no price, and an agent that trusts the page does not either.',
    language: 'html',
    before: offered('"price": "189.00", "priceCurrency": "USD", "priceValidUntil": "2024-12-31"'),
    after: offered('"price": "189.00", "priceCurrency": "USD", "priceValidUntil": "2027-12-31"'),
  },
  product_schema_identifier_missing: {
    passed: 'product_schema_identifier_present',
    severity: 'low',
    label: 'Product markup has no product number',
    fix: 'Add a gtin or an mpn to each product, or the sku under which you sell it.',
    passes: 'Product markup with a product number',
    meaning: 'The Product markup has no gtin, no mpn and no sku.',
    why: 'Agents compare what several stores offer by these numbers. Without one, they guess from the name which products are the same.',
    language: 'html',
    before: ldJson(`{ "@context": "https://schema.org", "@type": "Product", "name": "Fell Boot" }`),
    after: ldJson(
      `{ "@context": "https://schema.org", "@type": "Product", "name": "Fell Boot", "sku": "1001-42" }`,
    ),
  },
  product_schema_sku_spaces: {
    passed: 'product_schema_sku_whole',
    severity: 'low',
    label: 'A sku in the markup has spaces',
    fix: 'Write each sku without spaces, exactly as in the product feed.',
    passes: 'Each sku in the markup is without spaces',
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
    passed: 'product_vocabulary_current',
    severity: 'low',
    label: 'Product pages use a retired vocabulary',
    fix: 'Remove the old markup, and state the same with schema.org.',
    passes: 'Markup in a current vocabulary',
    meaning:
      'The page has markup in a vocabulary that search engines have given up: data-vocabulary.org, GoodRelations, or the microformat hproduct.',
    why: 'Google stopped reading data-vocabulary.org in 2021. What is stated there alone is not seen, and what is stated twice goes out of date unseen.',
    language: 'html',
    before: `<div itemscope itemtype="http://data-vocabulary.org/Product"><h1 itemprop="name">Fell Boot</h1></div>`,
    after: `<div itemscope itemtype="https://schema.org/Product"><h1 itemprop="name">Fell Boot</h1></div>`,
  },
  product_schema_return_policy_incomplete: {
    passed: 'product_schema_return_policy_complete',
    severity: 'low',
    label: 'A return policy in the markup lacks what it has to say',
    fix: 'State applicableCountry, returnPolicyCategory and, for a finite window, merchantReturnDays.',
    passes: 'Return policies in the markup are complete',
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
    passed: 'product_schema_shipping_complete',
    severity: 'low',
    label: 'Shipping details in the markup lack what they have to say',
    fix: 'State shippingDestination with addressCountry, shippingRate with currency and value, and deliveryTime.',
    passes: 'Shipping details in the markup are complete',
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
} satisfies RuleWords
