import { hasBrokenProduct } from '../../../markup/product-page.ts'
import { allOffers, mainProduct } from '../../../markup/products.ts'
import { servedAt } from '../../../web/fetched.ts'
import { shown } from '../../../web/json.ts'
import { type Rule, rule } from '../../rule.ts'
import { WITHOUT_MARKUP } from '../lost-with.ts'
import {
  contradictedAvailabilities,
  contradictedCurrencies,
  contradictedIdentifiers,
  contradictedPrices,
  judgeVoices,
} from './contradictions.ts'
import {
  availabilityFault,
  currencyCaseFault,
  currencyFault,
  gtinFaults,
  identifierFault,
  isOffer,
  judgeOffers,
  judgePolicy,
  judgeSellables,
  otherVoices,
  policyFault,
  priceFault,
  skuFaults,
  validUntilFault,
} from './product-faults.ts'
import {
  judgePages,
  judgeProducts,
  scriptedProduct,
  sellables,
  unlessOptional,
} from './product-pages.ts'

const LISTING = 'Google merchant listing structured data'
/** What a page may leave out: rules on it then do not apply. */
const NO_GTIN = 'no GTIN in the markup'
const NO_SKU = 'no sku in the markup'
const NO_END = 'no priceValidUntil in the markup, or no Date with the page to compare it with'
const NO_MARKUP = 'no markup to judge'
const NO_RETURNS = 'no hasMerchantReturnPolicy in the markup'
const NO_SHIPPING = 'no shippingDetails in the markup'
const NO_JSON_LD = 'no JSON-LD on the product pages'

const SCHEMA_TOOL = { check: 'schema', tool: 'schema' } as const

/**
 * A rule that reads product pages alone. The source of all of them is Google's merchant listing
 * documentation,
 * https://developers.google.com/search/docs/appearance/structured-data/merchant-listing.
 */
const required = (
  text: Omit<Parameters<typeof rule<'productPages'>>[0], 'check' | 'tool' | 'authority' | 'reads'>,
): Rule => rule({ ...SCHEMA_TOOL, authority: LISTING, reads: ['productPages'], ...text })

/**
 * Whether the product pages carry markup, whether it can be read, and whether it holds what Google
 * requires or recommends for a merchant listing.
 */
export const schemaRules: readonly Rule[] = [
  required({
    // A block that is broken, or markup that a script adds, has a gap of its own: each has another
    // fix.
    gap: 'product_schema_missing',
    passed: 'product_schema_present',
    lostWith: ['https_missing', ...WITHOUT_MARKUP],
    severity: 'high',
    label: 'Product pages have no Product markup',
    fix: 'Put schema.org Product markup as JSON-LD into the HTML of each product page.',
    audit: ({ productPages }) =>
      judgePages(
        productPages,
        (page, { rendered }) => {
          if (mainProduct(page) !== null) return []
          const isUnknown = hasBrokenProduct(page) || scriptedProduct(page, rendered) !== null
          if (isUnknown) return null
          const old = page.retired.map(({ name }) => `; ${name} is no longer read`).join('')
          return [`no Product or ProductGroup, neither as JSON-LD nor as microdata or RDFa${old}`]
        },
        'the Product markup in the HTML cannot be parsed',
        'pass',
      ),
  }),
  required({
    // Google's technical guidelines: Product markup should be in the initial HTML, since markup
    // that JavaScript makes is crawled less reliably.
    gap: 'product_schema_only_after_javascript',
    passed: 'product_schema_in_html',
    lostWith: WITHOUT_MARKUP,
    severity: 'high',
    label: 'Product markup appears only after JavaScript',
    fix: 'Put the Product markup into the HTML that the server sends: most agents do not run scripts.',
    audit: ({ productPages }) =>
      judgePages(
        productPages,
        (page, { rendered }) => {
          if (mainProduct(page) !== null) return []
          const why = hasBrokenProduct(page) ? null : scriptedProduct(page, rendered)
          return why === null ? null : [why]
        },
        'no Product markup to judge',
      ),
  }),
  required({
    // In the wild: trailing commas, comments, HTML-escaped quotes and raw line breaks in strings,
    // often only for products whose texts need escaping.
    gap: 'jsonld_broken',
    passed: 'jsonld_valid',
    lostWith: WITHOUT_MARKUP,
    severity: 'high',
    label: 'A JSON-LD block is not valid JSON',
    fix: 'Fix the block: one error makes readers ignore all of it.',
    audit: ({ productPages }) =>
      unlessOptional(
        judgePages(
          productPages,
          ({ json_ld_blocks, json_ld_problems }) =>
            json_ld_blocks === 0
              ? null
              : json_ld_problems.map(
                  ({ block, offset, message, excerpt }) =>
                    `JSON-LD block ${block} (character ${offset}): ${message}, at ${shown(excerpt)}`,
                ),
          NO_JSON_LD,
          'gap',
        ),
        NO_JSON_LD,
      ),
  }),
  required({
    // Google's merchant listings require `name` and `image`.
    gap: 'product_schema_incomplete',
    passed: 'product_schema_complete',
    lostWith: WITHOUT_MARKUP,
    severity: 'high',
    label: 'Product markup lacks a name or an image',
    fix: 'Add a name and an image to each product: without them it is not listed.',
    audit: ({ productPages }) =>
      judgeSellables(productPages, ({ name, images, where }) => {
        const missing = [
          ...(name === null ? ['name'] : []),
          ...(images.length === 0 ? ['image'] : []),
        ]
        return missing.length === 0 ? null : `${missing.join(' and ')} missing (${where})`
      }),
  }),
  required({
    // Google's merchant listings require `offers`. A group may leave them to its variants.
    gap: 'product_schema_no_offer',
    passed: 'product_schema_has_offer',
    lostWith: WITHOUT_MARKUP,
    severity: 'high',
    label: 'Product markup has no offer',
    fix: 'Add an Offer with price, priceCurrency and availability to the Product.',
    audit: ({ productPages }) =>
      judgeProducts(productPages, (product, page) =>
        [product, ...otherVoices(page)].some(({ offers }) => offers.length > 0)
          ? []
          : sellables(product)
              .filter(({ offers }) => offers.length === 0)
              .map(({ where }) => `no offers (${where})`),
      ),
  }),
  required({
    // WooCommerce writes an AggregateOffer for a product whose variations differ in price. Google:
    // merchant listings require an Offer.
    gap: 'product_schema_aggregate_offer_only',
    passed: 'product_schema_single_offer',
    lostWith: ['product_schema_no_offer'],
    severity: 'medium',
    label: 'Product markup gives only a price range',
    fix: 'Use one Offer per variant instead of an AggregateOffer: a price range cannot be bought.',
    audit: ({ productPages }) =>
      judgeProducts(
        productPages,
        (product, page) => {
          const offers = [product, ...otherVoices(page)].flatMap(allOffers)
          const [first] = offers
          if (first === undefined) return null
          return offers.some(isOffer) ? [] : [`an AggregateOffer and no Offer (${first.where})`]
        },
        'no Offer markup to judge',
      ),
  }),
  required({
    // Catches "$19.99", "19,99" and 0.00.
    gap: 'product_schema_price_invalid',
    passed: 'product_schema_price_valid',
    lostWith: ['product_schema_no_offer'],
    severity: 'high',
    label: 'The price in the markup cannot be used',
    fix: 'Write the price as a plain decimal above 0, with a point and without a currency sign.',
    audit: ({ productPages }) => judgeOffers(productPages, priceFault),
  }),
  required({
    // Catches "$", "usd" and a missing priceCurrency.
    gap: 'product_schema_currency_invalid',
    passed: 'product_schema_currency_valid',
    lostWith: ['product_schema_no_offer'],
    severity: 'high',
    label: 'The currency in the markup is not an ISO 4217 code',
    fix: 'Set priceCurrency to a code of three capital letters, such as USD.',
    audit: ({ productPages }) => judgeOffers(productPages, currencyFault),
  }),
  required({
    gap: 'product_schema_currency_lower_case',
    passed: 'product_schema_currency_upper_case',
    lostWith: ['product_schema_no_offer'],
    severity: 'low',
    label: 'The currency in the markup is in lower case',
    fix: 'Write priceCurrency in capital letters, such as EUR.',
    audit: ({ productPages }) => judgeOffers(productPages, currencyCaseFault),
  }),
  required({
    // A theme, an app and Open Graph tags each from a cache or a price list of their own.
    gap: 'product_schema_price_contradicted',
    passed: 'product_schema_price_agrees',
    lostWith: [
      'product_schema_no_offer',
      'product_schema_aggregate_offer_only',
      'product_schema_price_invalid',
      'product_schema_currency_contradicted',
    ],
    severity: 'high',
    label: 'The page states different prices',
    fix: 'Print all prices of a page from one source: JSON-LD, microdata and Open Graph tags.',
    audit: ({ productPages }) => judgeVoices(productPages, contradictedPrices, 'price'),
  }),
  required({
    gap: 'product_schema_currency_contradicted',
    passed: 'product_schema_currency_agrees',
    lostWith: ['product_schema_no_offer', 'product_schema_currency_invalid'],
    severity: 'high',
    label: 'The page states different currencies',
    fix: 'Name the currency that is charged in JSON-LD, microdata and Open Graph tags alike.',
    audit: ({ productPages }) => judgeVoices(productPages, contradictedCurrencies, 'currency'),
  }),
  required({
    gap: 'product_schema_availability_contradicted',
    passed: 'product_schema_availability_agrees',
    lostWith: ['product_schema_no_offer', 'product_schema_availability_invalid'],
    severity: 'medium',
    label: 'The page says both that the product is in stock and that it is not',
    fix: 'Print the availability in JSON-LD, microdata and Open Graph tags from the same stock.',
    audit: ({ productPages }) =>
      judgeVoices(productPages, contradictedAvailabilities, 'availability'),
  }),
  required({
    gap: 'product_schema_identifier_contradicted',
    passed: 'product_schema_identifier_agrees',
    lostWith: [...WITHOUT_MARKUP, 'product_schema_identifier_missing'],
    severity: 'medium',
    label: 'The page gives its product different numbers or names',
    fix: 'State the same GTIN, mpn, sku and name in JSON-LD, microdata and Open Graph tags.',
    audit: ({ productPages }) =>
      judgeVoices(productPages, contradictedIdentifiers, 'number or name'),
  }),
  required({
    // Set once for a sale, and forgotten by a template.
    gap: 'product_schema_price_valid_until_invalid',
    passed: 'product_schema_price_valid_until_valid',
    lostWith: ['product_schema_no_offer', 'product_schema_aggregate_offer_only'],
    severity: 'medium',
    label: 'priceValidUntil is past, or is not a date',
    fix: 'Set priceValidUntil to the last day of the price, such as 2027-12-31, or leave it out.',
    audit: ({ productPages }) =>
      unlessOptional(
        judgePages(
          productPages,
          (page, { fetched }) => {
            const product = mainProduct(page)
            const seenAt = servedAt(fetched)
            const offers = product === null ? [] : allOffers(product)
            const dated = offers.filter(({ valid_until }) => valid_until !== null)
            const faults = dated.flatMap((offer) => validUntilFault(offer, seenAt) ?? [])
            const isKnown = faults.length > 0 || (dated.length > 0 && seenAt !== null)
            return isKnown ? faults : null
          },
          NO_END,
        ),
        NO_END,
      ),
  }),
  required({
    // Catches free text such as "In stock" in the shop's own language.
    gap: 'product_schema_availability_invalid',
    passed: 'product_schema_availability_valid',
    lostWith: ['product_schema_aggregate_offer_only'],
    severity: 'medium',
    label: 'The availability in the markup is missing or unknown',
    fix: 'Set availability to a schema.org value such as https://schema.org/InStock.',
    audit: ({ productPages }) => judgeOffers(productPages, availabilityFault, isOffer),
  }),
  required({
    // Usually an internal number in the field of the barcode, or a zero lost in a spreadsheet.
    gap: 'product_schema_gtin_invalid',
    passed: 'product_schema_gtin_valid',
    lostWith: ['product_schema_identifier_missing'],
    severity: 'medium',
    label: 'A GTIN in the markup is invalid',
    fix: 'Use the number below the barcode exactly as the manufacturer assigned it. If the product has none, leave the GTIN out and state its mpn or sku instead.',
    audit: ({ productPages }) =>
      unlessOptional(judgeProducts(productPages, gtinFaults, NO_GTIN), NO_GTIN),
  }),
  required({
    // Google: gtin or mpn, and sku, tell products apart. Handmade goods have at least a sku.
    gap: 'product_schema_identifier_missing',
    passed: 'product_schema_identifier_present',
    lostWith: WITHOUT_MARKUP,
    severity: 'low',
    label: 'Product markup has no product number',
    fix: 'Add a gtin or an mpn to each product, or the sku under which you sell it.',
    audit: ({ productPages }) => judgeSellables(productPages, identifierFault),
  }),
  required({
    gap: 'product_schema_sku_spaces',
    passed: 'product_schema_sku_whole',
    lostWith: ['product_schema_identifier_missing'],
    severity: 'low',
    label: 'A sku in the markup has spaces',
    fix: 'Write each sku without spaces, exactly as in the product feed.',
    audit: ({ productPages }) =>
      unlessOptional(judgeProducts(productPages, skuFaults, NO_SKU), NO_SKU),
  }),
  required({
    // Google stopped reading data-vocabulary.org in 2021; hproduct and GoodRelations went before.
    gap: 'product_vocabulary_retired',
    passed: 'product_vocabulary_current',
    lostWith: WITHOUT_MARKUP,
    severity: 'low',
    label: 'Product pages use a retired vocabulary',
    fix: 'Remove the old markup, and state the same with schema.org.',
    audit: ({ productPages }) =>
      unlessOptional(
        judgePages(
          productPages,
          (page) =>
            page.retired.length === 0 && mainProduct(page) === null
              ? null
              : page.retired.map(({ name, where }) => `${name} (${where})`),
          NO_MARKUP,
          'gap',
        ),
        NO_MARKUP,
      ),
  }),
  required({
    // Recommended by Google; agents compare products across shops by brand and GTIN.
    gap: 'product_schema_brand_missing',
    passed: 'product_schema_brand_present',
    lostWith: WITHOUT_MARKUP,
    severity: 'low',
    label: 'Product markup has no brand',
    fix: 'Add brand.name to each product.',
    audit: ({ productPages }) =>
      judgeSellables(productPages, ({ brand, where }) =>
        brand === null ? `no brand (${where})` : null,
      ),
  }),
  required({
    // Google: "strongly recommended".
    gap: 'product_schema_description_missing',
    passed: 'product_schema_description_present',
    lostWith: WITHOUT_MARKUP,
    severity: 'low',
    label: 'Product markup has no description',
    fix: 'Add a description to each product.',
    audit: ({ productPages }) =>
      judgeSellables(productPages, ({ description, where }) =>
        description === null ? `no description (${where})` : null,
      ),
  }),
  required({
    // Plugins print the object with nothing in it, or leave out what the shop has not filled in.
    gap: 'product_schema_return_policy_incomplete',
    passed: 'product_schema_return_policy_complete',
    lostWith: ['product_schema_return_policy_missing'],
    severity: 'low',
    label: 'A return policy in the markup lacks what it has to say',
    fix: 'State applicableCountry, returnPolicyCategory and, for a finite window, merchantReturnDays.',
    audit: ({ productPages }) =>
      unlessOptional(
        judgeProducts(
          productPages,
          (product) => {
            const stated = [product, ...product.variants, ...allOffers(product)].filter(
              ({ has_return_policy }) => has_return_policy,
            )
            return stated.length === 0
              ? null
              : stated.flatMap(({ return_policy_lacks, where }) =>
                  policyFault('hasMerchantReturnPolicy', return_policy_lacks, where),
                )
          },
          NO_RETURNS,
        ),
        NO_RETURNS,
      ),
  }),
  rule({
    ...SCHEMA_TOOL,
    // Recommended by Google, which also reads it from the Organization, for the whole shop.
    gap: 'product_schema_return_policy_missing',
    passed: 'product_schema_return_policy_present',
    lostWith: ['product_schema_aggregate_offer_only'],
    severity: 'low',
    label: 'No return policy in the markup',
    fix: 'Add hasMerchantReturnPolicy to the offers, or once to the Organization on the home page.',
    authority: LISTING,
    reads: ['productPages', 'homePage'],
    audit: ({ productPages, homePage }) =>
      judgePolicy(
        productPages,
        homePage,
        'hasMerchantReturnPolicy',
        (product) =>
          product.has_return_policy || allOffers(product).some((offer) => offer.has_return_policy),
        ({ shop_policies }) => shop_policies.returns,
      ),
  }),
  required({
    // Plugins print the object with nothing in it, or leave out what the shop has not filled in.
    gap: 'product_schema_shipping_incomplete',
    passed: 'product_schema_shipping_complete',
    lostWith: ['product_schema_shipping_missing'],
    severity: 'low',
    label: 'Shipping details in the markup lack what they have to say',
    fix: 'State shippingDestination with addressCountry, shippingRate with currency and value, and deliveryTime.',
    audit: ({ productPages }) =>
      unlessOptional(
        judgeProducts(
          productPages,
          (product) => {
            const stated = allOffers(product).filter(({ has_shipping }) => has_shipping)
            return stated.length === 0
              ? null
              : stated.flatMap(({ shipping_lacks, where }) =>
                  policyFault('shippingDetails', shipping_lacks, where),
                )
          },
          NO_SHIPPING,
        ),
        NO_SHIPPING,
      ),
  }),
  rule({
    ...SCHEMA_TOOL,
    // Recommended by Google, which also reads it from the Organization, for the whole shop.
    gap: 'product_schema_shipping_missing',
    passed: 'product_schema_shipping_present',
    lostWith: ['product_schema_aggregate_offer_only'],
    severity: 'low',
    label: 'No shipping details in the markup',
    fix: 'Add shippingDetails to the offers, or hasShippingService to the Organization on the home page.',
    authority: LISTING,
    reads: ['productPages', 'homePage'],
    audit: ({ productPages, homePage }) =>
      judgePolicy(
        productPages,
        homePage,
        'shippingDetails',
        (product) => allOffers(product).some((offer) => offer.has_shipping),
        ({ shop_policies }) => shop_policies.shipping,
      ),
  }),
]
