import { type Money, toMajor } from '../../../shared/commerce/product.ts'
import { UCP_PATHS } from '../../../shared/protocols/ucp.ts'
import { field } from '../../../shared/web/json.ts'
import { deadPage, notFound, ucpRefusal } from '../dialects/refuse.ts'
import { manifestReply } from '../dialects/spec-ucp/discovery.ts'
import { json, type Reply } from '../http/reply.ts'
import type { JsonObject } from '../http/store-request.ts'
import { ARTICLES, findArticle } from '../shop/assortment.ts'
import { FEED_PATH, LOGO_PATH } from '../shop/settings.ts'
import { type Fault, fault } from './fault.ts'
import {
  at,
  below,
  eachOf,
  nextPage,
  offers,
  organization,
  productAndVariants,
  products,
  withHeader,
  within,
  without,
} from './overrides.ts'
import { UCP_FAULTS } from './ucp.ts'

const { manifest: MANIFEST, catalog: CATALOG, checkout: CHECKOUT } = UCP_PATHS

const OTHER_NAME = 'Nordwind Trading'
const OTHER_SITE = 'https://another-store.example'

const isOk = ({ status }: Reply) => status === 200
const capability = (
  document: JsonObject,
  name: string,
  change: (inner: JsonObject) => JsonObject,
) => within(document, 'capabilities', (all) => within(all, name, change))
/** The last digit decides; any other is wrong. */
const misprint = (gtin: string): string => gtin.slice(0, -1) + ((Number(gtin.at(-1)) + 1) % 10)
/** Whole prices stay apart from these by cents, whichever variant they are compared with. */
const dearer = ({ amount, currency }: Money): Money => ({ amount: amount + 137, currency })
const inMajorUnits = (holder: JsonObject, ...names: string[]): JsonObject =>
  names.reduce(
    (changed, name) =>
      within(changed, name, (money) => ({
        ...money,
        amount: Math.round(Number(money.amount) / 100),
      })),
    holder,
  )

const wellKnown: Fault[] = [
  fault('https_missing', {
    reply: (reply, { secure }) => (secure ? { ...reply, hangUp: true } : reply),
  }),
  fault('well_known_missing', { reply: at(MANIFEST, (_, visit) => notFound(visit)) }),
  fault('well_known_not_json', {
    reply: at(MANIFEST, (reply) => ({ ...reply, body: reply.body.replace(/\}$/, ',}') })),
  }),
  fault('well_known_wrong_content_type', {
    reply: at(MANIFEST, withHeader('content-type', 'text/plain')),
  }),
  fault('well_known_requires_auth', {
    reply: at(MANIFEST, () => ({
      ...ucpRefusal(401, { code: 'unauthorized', message: 'Send your key.' }),
      headers: { 'content-type': 'application/json', 'www-authenticate': 'Bearer' },
    })),
  }),
  fault('well_known_redirected', {
    reply: (reply, visit) => {
      if (visit.path === '/ucp-manifest.json') return manifestReply(visit)
      if (visit.path !== MANIFEST) return reply
      return { status: 302, headers: { location: '/ucp-manifest.json' }, body: '' }
    },
  }),
  fault('well_known_only_on_subdomain', {
    reply: at(MANIFEST, (reply, visit) =>
      visit.host.startsWith('www.') ? reply : notFound(visit),
    ),
  }),
  fault('well_known_invalid', {
    manifest: (document) =>
      capability(document, 'checkout', (it) => ({ ...it, supported_methods: ['GET'] })),
  }),
  fault('catalog_undeclared', {
    manifest: (document) =>
      within(document, 'capabilities', (all) => without(all, 'product_catalog')),
  }),
  fault('checkout_undeclared', {
    manifest: (document) => within(document, 'capabilities', (all) => without(all, 'checkout')),
  }),
  fault('well_known_domain_mismatch', {
    manifest: (document) => ({ ...document, domain: new URL(OTHER_SITE).host }),
  }),
  fault('well_known_generated_at', {
    manifest: (document, { at: now }) => ({ ...document, generated_at: now.toISOString() }),
  }),
  fault('well_known_not_cacheable', {
    reply: at(MANIFEST, withHeader('cache-control', 'no-store')),
  }),
  fault('robots_blocks_ai_agents', {
    reply: at('/robots.txt', (reply) => ({
      ...reply,
      body: `User-agent: OAI-SearchBot\nUser-agent: ChatGPT-User\nDisallow: /\n\n${reply.body}`,
    })),
  }),
]

const SOME = 5
const [FIRST, SECOND] = ARTICLES
/** Joins an id and the number of the request that it was given in. */
const UNSTABLE = '~'

const catalog: Fault[] = [
  fault('catalog_unreachable', { reply: at(CATALOG, (_, visit) => notFound(visit)) }),
  fault('catalog_wrong_content_type', {
    reply: at(CATALOG, withHeader('content-type', 'text/plain')),
  }),
  fault('catalog_not_json', {
    reply: at(CATALOG, (reply) => ({ ...reply, body: reply.body.slice(0, -1) })),
  }),
  fault('catalog_empty', {
    catalog: ({ pagination }) => ({
      products: [],
      pagination: { ...pagination, total: 0, next: null },
    }),
  }),
  fault('catalog_product_fields_invalid', {
    catalog: products((product) => (isOneOfSome(product) ? without(product, 'name') : product)),
  }),
  fault('catalog_price_not_integer', {
    catalog: products((product) =>
      within(product, 'price', (price) => ({
        ...price,
        amount: toMajor({ amount: Number(price.amount), currency: String(price.currency) }),
      })),
    ),
  }),
  fault('catalog_price_major_units', {
    catalogQuery: ({ min_price, max_price, ...query }) => ({
      ...query,
      ...(min_price && { min_price: `${min_price}00` }),
      ...(max_price && { max_price: `${max_price}00` }),
    }),
    catalog: products((product) =>
      eachOf(inMajorUnits(product, 'price'), 'variants', (variant) =>
        inMajorUnits(variant, 'price'),
      ),
    ),
    cart: (cart) =>
      eachOf(inMajorUnits(cart, 'subtotal', 'tax'), 'shipping_options', (option) =>
        inMajorUnits(option, 'cost'),
      ),
  }),
  fault('catalog_currency_invalid', {
    catalog: products((product) =>
      within(product, 'price', (price) => ({ ...price, currency: 'US$' })),
    ),
  }),
  fault('catalog_availability_invalid', {
    catalogQuery: ({ availability, ...query }) => ({
      ...query,
      ...(availability && { availability: fromPascalCase(availability) }),
    }),
    catalog: products((product) => ({
      ...product,
      availability: toPascalCase(String(product.availability)),
    })),
  }),
  fault('catalog_description_short', {
    catalog: products((product) => ({
      ...product,
      description: String(product.description).slice(0, 20),
    })),
  }),
  fault('catalog_description_brief', {
    catalog: products((product) => ({
      ...product,
      description: String(product.description).slice(0, 120),
    })),
  }),
  fault('catalog_images_invalid', {
    catalog: products((product) => ({ ...product, images: [`/images/${product.id}.svg`] })),
  }),
  fault('catalog_ids_duplicate', {
    catalog: products((product) =>
      product.id === SECOND?.id ? { ...product, id: FIRST?.id } : product,
    ),
  }),
  fault('catalog_ids_unstable', {
    catalog: products((product, { number }) => ({
      ...product,
      id: `${product.id}${UNSTABLE}${number}`,
    })),
    cartItems: (items) =>
      items.map((item) => ({ ...item, product_id: item.product_id.replace(/~\d+$/, '') })),
  }),
  fault('catalog_variants_invalid', {
    catalog: products((product) =>
      eachOf(product, 'variants', (variant) => without(variant, 'attributes')),
    ),
  }),
  fault('catalog_variants_clash', {
    catalog: products((product) => {
      const attributes = field(firstOf(product.variants), 'attributes')
      return eachOf(product, 'variants', (variant, index) =>
        index === 1 ? { ...variant, attributes } : variant,
      )
    }),
  }),
  fault('catalog_pagination_missing', {
    perPage: () => ARTICLES.length,
    catalog: ({ products: all }) => ({ products: all }),
  }),
  fault('catalog_next_broken', {
    catalog: nextPage((_, { origin }) => `${origin}/ucp/products-page-2`),
  }),
  fault('catalog_next_loops', {
    catalog: ({ pagination, ...rest }, { origin }) => ({
      ...rest,
      pagination: {
        ...pagination,
        ...(field(pagination, 'page') === 2 && { next: `${origin}${CATALOG}` }),
      },
    }),
  }),
  fault('catalog_next_leaves_host', {
    catalog: nextPage((next, { origin }) => next.replace(origin, OTHER_SITE)),
  }),
  fault('catalog_search_ineffective', { catalogQuery: ({ q, ...query }) => query }),
  fault('catalog_filters_ineffective', {
    catalogQuery: ({ category, min_price, max_price, availability, ...query }) => query,
  }),
  fault('catalog_cached_too_long', {
    reply: at(CATALOG, withHeader('cache-control', 'public, max-age=86400')),
  }),
  fault('catalog_page_price_mismatch', { shelfPrice: dearer }),
]

const isOneOfSome = ({ id }: JsonObject): boolean =>
  ARTICLES.findIndex((article) => article.id === id) % SOME === SOME - 1
const firstOf = (list: unknown): unknown => (Array.isArray(list) ? list[0] : undefined)
const toPascalCase = (name: string): string =>
  name.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())
const fromPascalCase = (name: string): string => name.replace(/(?!^)([A-Z])/g, '_$1').toLowerCase()

const checkout: Fault[] = [
  fault('checkout_unreachable', { reply: at(CHECKOUT, (_, visit) => notFound(visit)) }),
  fault('checkout_redirected', {
    reply: at(CHECKOUT, (_, { origin }) => ({
      status: 308,
      headers: { location: `${origin}${CHECKOUT}/` },
      body: '',
    })),
  }),
  fault('checkout_not_https', {
    manifest: (document, { host }) =>
      capability(document, 'checkout', (it) => ({ ...it, endpoint: `http://${host}${CHECKOUT}` })),
  }),
  fault('checkout_dry_run_failed', {
    reply: at(CHECKOUT, (reply) =>
      isOk(reply)
        ? ucpRefusal(500, { code: 'internal_error', message: 'No PSP key.', retryable: true })
        : reply,
    ),
  }),
  fault('checkout_invalid_shape', {
    cart: ({ checkout_id }) => ({ id: checkout_id, total: '19.99' }),
  }),
  fault('checkout_slow', {
    reply: at(CHECKOUT, (reply) => (isOk(reply) ? { ...reply, delay: 3200 } : reply)),
  }),
  fault('checkout_price_mismatch', {
    cart: (cart) =>
      within(cart, 'subtotal', (money) => ({
        ...money,
        amount: Math.round(Number(money.amount) * 1.1),
      })),
  }),
  fault('checkout_accepts_invalid_address', { addressFaults: () => [] }),
  fault('checkout_accepts_unknown_variant', {
    cartItems: (items) =>
      items.map((item) => {
        const variants = findArticle(item.product_id)?.variants ?? []
        const known = variants.find(({ id }) => id === item.variant_id) ?? variants[0]
        return known === undefined ? item : { ...item, variant_id: known.id }
      }),
  }),
  fault('checkout_error_body_invalid', {
    reply: at(CHECKOUT, (reply) =>
      isOk(reply) ? reply : json({ message: 'Bad request' }, { status: reply.status }),
    ),
  }),
  fault('checkout_expiry_invalid', {
    cart: (cart, { at: now }) => ({
      ...cart,
      expires_at: new Date(now.getTime() + 6 * 60 * 60_000).toISOString(),
    }),
  }),
]

const acp: Fault[] = [
  fault('acp_discovery_invalid', { acpDiscovery: (document) => without(document, 'protocol') }),
  fault('acp_create_unreachable', { reply: below('/acp/', '/create', deadPage) }),
  fault('acp_update_unreachable', { reply: below('/acp/', '/update', deadPage) }),
  fault('acp_complete_unreachable', { reply: below('/acp/', '/complete', deadPage) }),
  fault('acp_error_body_invalid', {
    reply: below('/acp/', '', ({ status }) => json({ error: 'Bad request' }, { status })),
  }),
  fault('acp_wrong_content_type', {
    reply: below('/acp/', '', withHeader('content-type', 'text/plain')),
  }),
]

const isProductBlock = (text: string): boolean => /"@type": "Product(Group)?"/.test(text)
const CSP = 'content-security-policy'

const schema: Fault[] = [
  fault('product_schema_missing', {
    page: (page) => ({ ...page, jsonLd: page.jsonLd.filter((text) => !isProductBlock(text)) }),
  }),
  fault('product_schema_only_after_javascript', {
    page: (page) => ({
      ...page,
      jsonLd: page.jsonLd.filter((text) => !isProductBlock(text)),
      scripts: page.jsonLd.filter(isProductBlock).map(
        (text) => `const block = document.createElement('script')
block.type = 'application/ld+json'
block.textContent = JSON.stringify(${text})
document.head.append(block)`,
      ),
    }),
    // The store's own policy refuses inline scripts: with it the product would never appear.
    reply: below('/products/', '', ({ headers: { [CSP]: policy, ...headers }, ...reply }) => ({
      ...reply,
      headers,
    })),
  }),
  fault('product_schema_incomplete', {
    productMarkup: productAndVariants((node) => without(node, 'image')),
  }),
  fault('product_schema_no_offer', {
    productMarkup: productAndVariants((node) => without(node, 'offers')),
  }),
  fault('product_schema_aggregate_offer_only', {
    productMarkup: offers(({ price, ...offer }) => ({
      ...offer,
      '@type': 'AggregateOffer',
      lowPrice: price,
      highPrice: price,
      offerCount: 1,
    })),
  }),
  fault('product_schema_price_invalid', {
    productMarkup: offers((offer) => ({ ...offer, price: 'call us' })),
  }),
  fault('product_schema_currency_invalid', {
    productMarkup: offers((offer) => ({ ...offer, priceCurrency: 'US$' })),
  }),
  fault('product_schema_availability_invalid', {
    productMarkup: offers((offer) => ({ ...offer, availability: 'in stock maybe' })),
  }),
  fault('product_schema_gtin_invalid', {
    productMarkup: productAndVariants((node) =>
      typeof node.gtin13 === 'string' ? { ...node, gtin13: misprint(node.gtin13) } : node,
    ),
  }),
  fault('jsonld_broken', {
    page: (page) => ({
      ...page,
      jsonLd: page.jsonLd.map((text) =>
        text.includes('"BreadcrumbList"') ? text.replace(/\s*\}$/, ',\n}') : text,
      ),
    }),
  }),
  fault('product_schema_brand_missing', {
    productMarkup: productAndVariants((node) => without(node, 'brand')),
  }),
  fault('product_schema_description_missing', {
    productMarkup: productAndVariants((node) => without(node, 'description')),
  }),
  fault('product_schema_return_policy_missing', {
    productMarkup: offers((offer) => without(offer, 'hasMerchantReturnPolicy')),
    homeMarkup: organization((node) => without(node, 'hasMerchantReturnPolicy')),
  }),
  fault('product_schema_shipping_missing', {
    productMarkup: offers((offer) => without(offer, 'shippingDetails')),
    homeMarkup: organization((node) => without(node, 'hasShippingService')),
  }),
]

const feed: Fault[] = [
  fault('feed_missing', {
    page: (page) => ({ ...page, feed: null }),
    reply: at(FEED_PATH, (_, visit) => notFound(visit)),
  }),
  fault('feed_unreadable', {
    // Early enough that a reader which takes a sample meets the cut.
    reply: at(FEED_PATH, (reply) => ({
      ...reply,
      body: reply.body.slice(0, reply.body.indexOf('<g:price>', reply.body.length / 4) + 5),
    })),
  }),
  fault('feed_items_incomplete', {
    feedItems: (items) =>
      items.map((item, index) => {
        if (index % 10 >= 3) return item
        const { image_link, availability, ...rest } = item
        return rest
      }),
  }),
  fault('feed_gtin_invalid', {
    feedItems: (items) => items.map((item) => ({ ...item, gtin: misprint(item.gtin ?? '') })),
  }),
  fault('feed_duplicate_ids', {
    feedItems: ([first = {}, second, ...rest]) => [
      first,
      { ...second, id: first.id ?? '' },
      ...rest,
    ],
  }),
  fault('feed_price_mismatch', {
    feedItems: (items) =>
      items.map((item) => ({ ...item, price: (item.price ?? '').replace('.00 ', '.95 ') })),
  }),
]

const attribution: Fault[] = [
  fault('dark_traffic_untracked', {
    page: (page) => ({ ...page, snippets: { head: [], body: [] } }),
  }),
  fault('snippet_without_id', {
    page: (page) => ({
      ...page,
      snippets: { head: page.snippets.head.map((src) => src.replace(/\?.*/, '')), body: [] },
    }),
  }),
  fault('snippet_duplicated', {
    page: (page) => ({
      ...page,
      snippets: { ...page.snippets, head: page.snippets.head.flatMap((src) => [src, src]) },
    }),
  }),
  fault('snippet_not_in_head', {
    page: (page) => ({ ...page, snippets: { head: [], body: page.snippets.head } }),
  }),
  fault('snippet_blocked_by_csp', {
    reply: (reply) =>
      reply.headers[CSP] === undefined ? reply : withHeader(CSP, "default-src 'self'")(reply),
  }),
]

const entity: Fault[] = [
  fault('brand_name_inconsistent', { page: (page) => ({ ...page, siteName: OTHER_NAME }) }),
  fault('organization_missing', {
    homeMarkup: (nodes) =>
      nodes.filter((node) => node['@type'] === 'WebSite').map((node) => without(node, 'publisher')),
  }),
  fault('organization_url_mismatch', {
    homeMarkup: organization((node) => ({ ...node, url: `${OTHER_SITE}/` })),
  }),
  fault('organization_logo_invalid', {
    homeMarkup: organization((node) => ({ ...node, logo: LOGO_PATH })),
  }),
  fault('organization_same_as_invalid', {
    homeMarkup: organization((node) => ({ ...node, sameAs: ['', null, node.url, '/about'] })),
  }),
  fault('organization_names_conflict', {
    homeMarkup: (nodes, { origin }) => [
      ...nodes,
      {
        '@context': 'https://schema.org',
        '@type': 'Organization',
        name: OTHER_NAME,
        url: `${origin}/`,
      },
    ],
  }),
]

/** Each way that a store can be wrong, one for each gap. */
export const FAULTS: readonly Fault[] = [
  ...wellKnown,
  ...catalog,
  ...checkout,
  ...acp,
  ...schema,
  ...feed,
  ...attribution,
  ...entity,
  ...UCP_FAULTS,
]
