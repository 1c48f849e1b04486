import { hasBrokenProduct } from '../../../markup/product-page.ts'
import { allOffers, mainProduct, type ProductMarkup } from '../../../markup/products.ts'
import { servedAt } from '../../../web/http/fetched.ts'
import { shown } from '../../../web/json/json.ts'
import { type Rule, type RuleDefinition, rule } from '../../rule.ts'
import { WITHOUT_MARKUP } from '../lost-with.ts'
import { judgePages, judgeProducts, scriptedProduct, sellables, unlessOptional } from '../pages.ts'
import {
  contradictedAvailabilities,
  contradictedCurrencies,
  contradictedIdentifiers,
  contradictedPrices,
  judgeVoices,
  misleadingText,
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

const LISTING = 'Google merchant listing structured data'
/** What a page may leave out: rules on it then do not apply. */
const NO_GTIN = 'no GTIN in the markup'
const NO_SKU = 'no sku in the markup'
const NO_END = 'no priceValidUntil in the markup, or no Date with the page to compare it with'
const NO_MARKUP = 'no markup to judge'
const NO_JSON_LD = 'no JSON-LD on the product pages'

const SCHEMA_TOOL = { check: 'schema', tool: 'schema' } as const

/**
 * A rule that reads product pages alone. The source of all of them is Google's merchant listing
 * documentation,
 * https://developers.google.com/search/docs/appearance/structured-data/merchant-listing.
 */
const required = (about: Pick<RuleDefinition<'productPages'>, 'id' | 'lostWith' | 'audit'>): Rule =>
  rule({ ...SCHEMA_TOOL, authority: LISTING, reads: ['productPages'], ...about })

/** What a merchant says once for the shop or on each product. */
interface Policy {
  gap: 'return_policy' | 'shipping'
  name: 'hasMerchantReturnPolicy' | 'shippingDetails'
  /** What each that states it lacks, and where. */
  lacksOf: (product: ProductMarkup) => { lacks: string | null; where: string }[]
  isStated: (product: ProductMarkup) => boolean
  ofShop: 'returns' | 'shipping'
}

const RETURNS: Policy = {
  gap: 'return_policy',
  name: 'hasMerchantReturnPolicy',
  lacksOf: (product) =>
    [product, ...product.variants, ...allOffers(product)]
      .filter(({ has_return_policy }) => has_return_policy)
      .map(({ return_policy_lacks: lacks, where }) => ({ lacks, where })),
  isStated: (product) =>
    product.has_return_policy || allOffers(product).some((offer) => offer.has_return_policy),
  ofShop: 'returns',
}

const SHIPPING: Policy = {
  gap: 'shipping',
  name: 'shippingDetails',
  lacksOf: (product) =>
    allOffers(product)
      .filter(({ has_shipping }) => has_shipping)
      .map(({ shipping_lacks: lacks, where }) => ({ lacks, where })),
  isStated: (product) => allOffers(product).some((offer) => offer.has_shipping),
  ofShop: 'shipping',
}

function policyRules({ gap: what, name, lacksOf, isStated, ofShop }: Policy): Rule[] {
  const none = `no ${name} in the markup`
  return [
    required({
      // Plugins print the object with nothing in it, or leave out what the shop has not filled in.
      id: `product_schema_${what}_incomplete`,
      lostWith: [`product_schema_${what}_missing`],
      audit: ({ productPages }) => {
        const faultsOf = (product: ProductMarkup) => {
          const stated = lacksOf(product)
          return stated.length === 0
            ? null
            : stated.flatMap(({ lacks, where }) => policyFault(name, lacks, where))
        }
        return unlessOptional(judgeProducts(productPages, faultsOf, none), none)
      },
    }),
    rule({
      ...SCHEMA_TOOL,
      // Recommended by Google, which also reads it from the Organization, for the whole shop.
      id: `product_schema_${what}_missing`,
      lostWith: ['product_schema_aggregate_offer_only'],
      authority: LISTING,
      reads: ['productPages', 'homePage'],
      audit: ({ productPages, homePage }) =>
        judgePolicy(productPages, homePage, name, isStated, (page) => page.shop_policies[ofShop]),
    }),
  ]
}

/**
 * Whether the product pages carry markup, whether it can be read, and whether it holds what Google
 * requires or recommends for a merchant listing.
 */
export const schemaRules: readonly Rule[] = [
  required({
    // A block that is broken, or markup that a script adds, has a gap of its own: each has another
    // fix.
    id: 'product_schema_missing',
    lostWith: ['https_missing', 'product_pages_dead', ...WITHOUT_MARKUP],
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
    id: 'product_schema_only_after_javascript',
    lostWith: WITHOUT_MARKUP,
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
    id: 'jsonld_broken',
    lostWith: WITHOUT_MARKUP,
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
    id: 'product_schema_incomplete',
    lostWith: WITHOUT_MARKUP,
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
    id: 'product_schema_no_offer',
    lostWith: WITHOUT_MARKUP,
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
    id: 'product_schema_aggregate_offer_only',
    lostWith: ['product_schema_no_offer'],
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
    id: 'product_schema_price_invalid',
    lostWith: ['product_schema_no_offer'],
    audit: ({ productPages }) => judgeOffers(productPages, priceFault),
  }),
  required({
    // Catches "$", "usd" and a missing priceCurrency.
    id: 'product_schema_currency_invalid',
    lostWith: ['product_schema_no_offer'],
    audit: ({ productPages }) => judgeOffers(productPages, currencyFault),
  }),
  required({
    id: 'product_schema_currency_lower_case',
    lostWith: ['product_schema_no_offer'],
    audit: ({ productPages }) => judgeOffers(productPages, currencyCaseFault),
  }),
  required({
    // A theme, an app and Open Graph tags each from a cache or a price list of their own.
    id: 'product_schema_price_contradicted',
    lostWith: [
      'product_schema_no_offer',
      'product_schema_aggregate_offer_only',
      'product_schema_price_invalid',
      'product_schema_currency_contradicted',
    ],
    audit: ({ productPages }) => judgeVoices(productPages, contradictedPrices, 'price'),
  }),
  required({
    id: 'product_schema_currency_contradicted',
    lostWith: ['product_schema_no_offer', 'product_schema_currency_invalid'],
    audit: ({ productPages }) => judgeVoices(productPages, contradictedCurrencies, 'currency'),
  }),
  required({
    id: 'product_schema_availability_contradicted',
    lostWith: ['product_schema_no_offer', 'product_schema_availability_invalid'],
    audit: ({ productPages }) =>
      judgeVoices(productPages, contradictedAvailabilities, 'availability'),
  }),
  required({
    id: 'product_schema_identifier_contradicted',
    lostWith: [...WITHOUT_MARKUP, 'product_schema_identifier_missing'],
    audit: ({ productPages }) =>
      judgeVoices(productPages, contradictedIdentifiers, 'number or name'),
  }),
  rule({
    // A theme that keeps each state of a product in the page, and text for agents alone. An
    // assistant told buyers "Backordered" of an item in stock, because a hidden element said so.
    id: 'product_page_hidden_text',
    check: 'schema',
    tool: null,
    authority: 'Google spam policies, hidden text',
    reads: ['productPages'],
    lostWith: WITHOUT_MARKUP,
    audit: ({ productPages }) =>
      judgePages(productPages, misleadingText, 'no Product markup to judge', 'gap'),
  }),
  required({
    // Set once for a sale, and forgotten by a template.
    id: 'product_schema_price_valid_until_invalid',
    lostWith: ['product_schema_no_offer', 'product_schema_aggregate_offer_only'],
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
    id: 'product_schema_availability_invalid',
    lostWith: ['product_schema_aggregate_offer_only'],
    audit: ({ productPages }) => judgeOffers(productPages, availabilityFault, isOffer),
  }),
  required({
    // Usually an internal number in the field of the barcode, or a zero lost in a spreadsheet.
    id: 'product_schema_gtin_invalid',
    lostWith: ['product_schema_identifier_missing'],
    audit: ({ productPages }) =>
      unlessOptional(judgeProducts(productPages, gtinFaults, NO_GTIN), NO_GTIN),
  }),
  required({
    // Google: gtin or mpn, and sku, tell products apart. Handmade goods have at least a sku.
    id: 'product_schema_identifier_missing',
    lostWith: WITHOUT_MARKUP,
    audit: ({ productPages }) => judgeSellables(productPages, identifierFault),
  }),
  required({
    id: 'product_schema_sku_spaces',
    lostWith: ['product_schema_identifier_missing'],
    audit: ({ productPages }) =>
      unlessOptional(judgeProducts(productPages, skuFaults, NO_SKU), NO_SKU),
  }),
  required({
    // Google stopped reading data-vocabulary.org in 2021; hproduct and GoodRelations went before.
    id: 'product_vocabulary_retired',
    lostWith: WITHOUT_MARKUP,
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
    id: 'product_schema_brand_missing',
    lostWith: WITHOUT_MARKUP,
    audit: ({ productPages }) =>
      judgeSellables(productPages, ({ brand, where }) =>
        brand === null ? `no brand (${where})` : null,
      ),
  }),
  required({
    // Google: "strongly recommended".
    id: 'product_schema_description_missing',
    lostWith: WITHOUT_MARKUP,
    audit: ({ productPages }) =>
      judgeSellables(productPages, ({ description, where }) =>
        description === null ? `no description (${where})` : null,
      ),
  }),
  ...policyRules(RETURNS),
  ...policyRules(SHIPPING),
]
