import * as z from 'zod'
import { listedProducts } from '../../commerce/catalog/listing.ts'
import { isCurrency } from '../../commerce/iso.ts'
import {
  amountProblem,
  jsonLdElement,
  ProductFacts,
  productJsonLd,
  shopJsonLd,
} from '../../markup/build.ts'
import type { JsonLdProblem } from '../../markup/json-ld.ts'
import { isOrganizationType } from '../../markup/organizations.ts'
import type { Page } from '../../markup/page.ts'
import { mainProduct } from '../../markup/products.ts'
import { isProduct } from '../../markup/vocabulary.ts'
import { Domain, withOrWithoutWww } from '../../web/address/domain.ts'
import { plainAddress } from '../../web/address/link-key.ts'
import { counted } from '../../web/text/english-count.ts'
import { visibleJson } from '../../web/text/invisible.ts'
import { describeTruncated } from '../checks/pages.ts'
import { schemaRules } from '../checks/schema/rules.ts'
import type { Evidence, ProductPageSeen } from '../evidence.ts'
import { runRules } from '../rule.ts'
import {
  disagreement,
  type KnownProduct,
  knownOf,
  metaOf,
  rateOf,
  visibleTextOf,
} from './known-product.ts'
import { correctBlock } from './markup-correction.ts'
import type { Proposed, ProposedFile } from './proposal.ts'

/** Pages of one proposal: a template is made from one, and a thousand would not be read. */
const MOST_PAGES = 50

const { url: PageUrl, shipping, returns, shop_name, logo, brand } = ProductFacts.shape
const { price: ShippingPrice, country: ShippingCountry } = shipping.unwrap().shape
const { days, country, free } = returns.unwrap().shape

/** What one amount is for: it is not one of another currency. */
const Shipping = z
  .strictObject({
    price: ShippingPrice.describe('In major units, such as 4.90; 0 where it is free'),
    currency: z
      .string()
      .refine(isCurrency, 'Enter a three-letter ISO 4217 code, such as USD.')
      .optional()
      .describe('Of the price: ISO 4217. Left out: that of the products, where all have one'),
    country: ShippingCountry.describe('Where to: ISO 3166-1, such as US'),
  })
  .superRefine(({ price, currency }, context) => {
    const message = currency === undefined ? null : amountProblem(price, currency)
    if (message !== null) context.addIssue({ code: 'custom', path: ['price'], message })
  })

/** What the store does not say of itself: its terms, and its name where no page has it. */
export const MarkupProposalRequest = z.strictObject({
  domain: Domain,
  pages: z
    .array(PageUrl)
    .min(1, 'Name at least one page, or leave pages out.')
    .max(MOST_PAGES)
    .optional()
    .describe(
      `The product pages, as URLs. Left out: up to ${MOST_PAGES} of those that were read or, where these have no markup, that the catalog lists`,
    ),
  shop_name: shop_name.optional().describe('The name of the store, for the home page'),
  logo: logo.describe('The https URL of the logo of the store, for the home page'),
  brand: brand.describe(
    'The brand of the products on these pages, for those of which neither the catalog nor the page names one',
  ),
  shipping: Shipping.optional().describe('What shipping costs, as the merchant states it'),
  returns: z
    .strictObject({
      days: days.describe('How many days from the delivery; 0 where nothing is taken back'),
      country: country.describe('Where: ISO 3166-1, such as US'),
      free: free.describe('Whether the store pays for sending it back'),
    })
    .optional()
    .describe('The return policy, as the merchant states it'),
})
export type MarkupProposalRequest = z.infer<typeof MarkupProposalRequest>

/** What is read of the store for it. */
export const MARKUP_READS = ['homePage', 'catalog', 'productPages'] as const

type Seen = Partial<Pick<Evidence, (typeof MARKUP_READS)[number]>>

/** What the request leaves out and a page needs. */
type Term = 'brand' | 'shipping' | 'returns'

/** What comes of one page. */
interface Made {
  file: ProposedFile | null
  missing: string[]
  asks: readonly Term[]
}

/**
 * JSON-LD for product pages and for a home page that names no organization. A page's own markup is
 * kept, and only what it lacks or has wrong is written; a page without any gets what the catalog
 * says of its product, or Open Graph. What cannot be written so is said in words.
 */
export function proposeMarkup(request: MarkupProposalRequest, seen: Seen): Proposed {
  const { domain, pages: wanted } = request
  const products = new Map(
    (seen.catalog === undefined ? [] : listedProducts(seen.catalog)).flatMap(({ product }) => {
      const key = pageKey(product.url, domain)
      return key === null ? [] : [[key, product] as const]
    }),
  )
  const pages = new Map(
    (seen.productPages ?? []).flatMap((each) => {
      const { page } = each
      const key = page === null ? null : pageKey(page.url, domain)
      return key === null || page === null ? [] : [[key, { ...each, page }] as const]
    }),
  )
  // Where pages of the template have markup, those that were not read have it too.
  const hasMarkup = [...pages.values()].some(({ page }) => mainProduct(page) !== null)
  const found = hasMarkup ? [...pages.keys()] : [...pages.keys(), ...products.keys()]
  const asked = (wanted ?? [...new Set(found)]).slice(0, MOST_PAGES)
  const files: ProposedFile[] = []
  const missing: string[] = []
  const asks = new Map<Term, string[]>()
  const right: string[] = []
  const known = new Map<string, KnownProduct>()
  for (const url of asked) {
    const key = pageKey(url, domain)
    if (key === null) {
      missing.push(`${url} is not a page of ${domain}: name pages of the store itself.`)
      continue
    }
    const page = pages.get(key)?.page ?? null
    known.set(key, knownOf(request, key, products.get(key) ?? null, page))
  }
  const rate = rateOf(request.shipping, [...known.values()], pages)
  if (rate.problem !== null) missing.push(rate.problem)
  for (const [key, product] of known) {
    const page = pages.get(key) ?? null
    const of = { ...product, shipping: rate.shipping }
    const made =
      page === null || mainProduct(page.page) === null
        ? newMarkup(request, of, products.get(key) ?? null, page, seen)
        : correctedMarkup(request, of, page, seen)
    if (made.file !== null) files.push({ ...made.file, path: freePath(made.file.path, files) })
    missing.push(...made.missing)
    for (const term of made.asks) asks.set(term, [...(asks.get(term) ?? []), key])
    if (made.file === null && made.missing.length + made.asks.length === 0) right.push(key)
  }
  const shop = shopFile(request, seen.homePage?.page ?? null)
  if (shop !== null && 'file' in shop) files.push(shop.file)
  else if (shop !== null) missing.push(shop.missing)
  if (asked.length === 0 && shop === null) {
    missing.push('pages: the URLs of product pages. Neither the catalog nor the site names any.')
  }
  const unread = [...known.keys()].filter((key) => !pages.has(key)).length
  return {
    files,
    missing: [
      ...missing,
      ...(shop !== null && 'file' in shop && request.logo === undefined
        ? ['logo: the https URL of the logo, which Google shows beside the name.']
        : []),
      ...Object.entries(TERMS).flatMap(([term, words]) => {
        const of = asks.get(term as Term)
        return of === undefined ? [] : [`${term}: ${words} It is missing on ${summed(of)}.`]
      }),
    ],
    notes: [
      ...(files.some(({ url }) => known.has(url))
        ? [
            'Write it from the template of your product pages, with the values of each product, so that it stays true when a price changes.',
          ]
        : []),
      ...(unread > 0 && files.length > 0
        ? ['Some of these pages were not read: where one has markup of its product, keep that.']
        : []),
      ...(right.length > 0 ? [`The markup is right as it is on ${summed(right)}.`] : []),
      ...(wanted === undefined && !hasMarkup && products.size > MOST_PAGES
        ? [`The catalog lists more than ${MOST_PAGES} products: the template has to do the rest.`]
        : []),
    ],
    check_after:
      files.length === 0
        ? []
        : [`audit ${domain} again, with the checks schema, entity and catalog`],
  }
}

const TERMS: Record<Term, string> = {
  brand: 'who makes the product, one for all pages that are asked for together.',
  shipping: 'what it costs and where to. Google and shoppers ask for it.',
  returns: 'how many days, in which country, and who pays. Google asks for it.',
}

/** The first of some addresses, and how many more there are. */
const summed = ([first = '', ...more]: readonly string[]): string =>
  more.length === 0 ? first : `${first} and ${counted(more.length, 'more page')}`

/** The address of a page of the store, in the form in which it is read; null for anything else. */
function pageKey(url: unknown, domain: string): string | null {
  const read = typeof url === 'string' && url.length <= 2000 ? URL.parse(url) : null
  if (read === null || read.protocol !== 'https:' || read.port !== '' || read.username !== '') {
    return null
  }
  if (!withOrWithoutWww(domain).includes(read.hostname)) return null
  return plainAddress(read)
}

/** The page's own block with what it lacks, and in words what cannot be written into it. */
function correctedMarkup(
  request: MarkupProposalRequest,
  known: KnownProduct,
  page: ProductPageSeen & { page: Page },
  seen: Seen,
): Made {
  const { url } = known
  const main = mainProduct(page.page)
  if (main === null || page.page.truncated !== null) return cutShort(page.page)
  const gaps = gapsOf(page, seen)
  const corrected = correctBlock(page, main, [...gaps.keys()], known)
  const asks = (corrected === null ? [] : TERM_OF).flatMap(([gap, term]) =>
    gaps.has(gap) &&
    !corrected?.closed.has(gap) &&
    (term === 'shipping' ? request.shipping : known[term]) === undefined
      ? [{ gap, term }]
      : [],
  )
  const said = [...gaps].filter(
    ([gap]) => !corrected?.closed.has(gap) && !asks.some((each) => each.gap === gap),
  )
  return {
    file:
      corrected === null || corrected.closed.size === 0
        ? null
        : fileFor(url, corrected.json, `JSON-LD block ${corrected.block} of the page`),
    missing: said.map(([, words]) => words),
    asks: [...new Set(asks.map(({ term }) => term))],
  }
}

/** What the request can state for a gap. */
const TERM_OF = [
  ['product_schema_brand_missing', 'brand'],
  ['product_schema_shipping_missing', 'shipping'],
  ['product_schema_shipping_incomplete', 'shipping'],
  ['product_schema_return_policy_missing', 'returns'],
  ['product_schema_return_policy_incomplete', 'returns'],
] as const satisfies readonly (readonly [string, Term])[]

/** The gaps of one page, each with what is wrong where, and what to write there. */
const gapsOf = (page: ProductPageSeen, { homePage }: Seen): Map<string, string> =>
  new Map(
    runRules(schemaRules, { productPages: [page], ...(homePage && { homePage }) }).flatMap(
      ({ rule, verdict }) =>
        rule.gap !== null && verdict.kind === 'gap'
          ? [[rule.gap, `${verdict.detail} ${rule.fix}`] as const]
          : [],
    ),
  )

const cutShort = (page: Page): Made => ({
  file: null,
  missing: [`${describeTruncated(page)}. What it lacks cannot be told.`],
  asks: [],
})

/** For a page without markup of a product that could be read, and for one that was not read. */
function newMarkup(
  request: MarkupProposalRequest,
  known: KnownProduct,
  product: Record<string, unknown> | null,
  seenPage: (ProductPageSeen & { page: Page }) | null,
  seen: Seen,
): Made {
  const page = seenPage?.page ?? null
  if (page !== null && page.truncated !== null) return cutShort(page)
  const { url, price, shipping, returns } = known
  const isShipped = shipping !== undefined && shipping.currency === price?.currency
  const facts = ProductFacts.safeParse({
    ...known,
    ...price,
    domain: request.domain,
    shop_name: request.shop_name ?? request.domain,
    profiles: [],
    price: price?.price,
    shipping: isShipped ? shipping : undefined,
  })
  const broken = page?.json_ld_problems ?? []
  const ofProduct = broken.filter(isProduct)
  const repair = broken
    .filter((problem) => !ofProduct.includes(problem))
    .map(({ block, message }) => `${url}: correct JSON-LD block ${block}: ${message}.`)
  if (!facts.success) {
    const differ = disagreement(product, page)
    const fields = [...new Set(facts.error.issues.map(({ path }) => WORDS[String(path[0])]))]
    const sources =
      page === null ? 'the catalog has no' : 'neither the catalog nor Open Graph has a'
    const lacks = `${sources} usable ${fields.join(', ')}. State it there, or in the markup.`
    return {
      file: null,
      missing: [
        `${url}: ${differ === null ? lacks : `${differ}. Correct the one that is wrong.`}`,
        ...repair,
      ],
      asks: [],
    }
  }
  const shop = seen.homePage?.page?.shop_policies
  const { brand } = facts.data
  return {
    file: fileFor(
      url,
      productJsonLd(facts.data),
      [
        ...ofProduct.map(brokenBlock),
        ...(page?.retired ?? []).map(({ name, where }) => `${name} (${where})`),
        ...(page?.product_script === 'writes' ? ['what a script of the page adds of it'] : []),
      ].join('; '),
    ),
    missing: repair,
    asks: [
      ...(brand === undefined ? (['brand'] as const) : []),
      ...(request.shipping === undefined && !shop?.shipping ? (['shipping'] as const) : []),
      ...(returns === undefined && !shop?.returns ? (['returns'] as const) : []),
    ],
  }
}

const brokenBlock = ({ block, message }: JsonLdProblem): string =>
  `JSON-LD block ${block} of the page, which is not valid: ${message}`

/** What is said of a field that is missing or wrong. */
const WORDS: Readonly<Record<string, string>> = {
  name: 'name',
  url: 'address',
  images: 'image',
  price: 'price',
  currency: 'currency',
  availability: 'availability',
}

const fileFor = (url: string, json: unknown, replaces: string): ProposedFile => ({
  path: `markup/${fileName(url)}.html`,
  content: `${visibleJson(jsonLdElement(json))}\n`,
  placement: 'head',
  url,
  content_type: null,
  replaces: replaces === '' ? null : replaces,
})

/**
 * For a home page that names no organization; null where there is nothing to do, or none was read.
 */
function shopFile(
  request: MarkupProposalRequest,
  page: Page | null,
): { file: ProposedFile } | { missing: string } | null {
  // The condition of the gap `organization_missing`: the seller of a product is not yet the shop.
  if (page === null || page.organizations.length > 0 || page.truncated !== null) return null
  const { domain, logo } = request
  const shop_name =
    request.shop_name ??
    visibleTextOf(page.web_site?.name) ??
    visibleTextOf(metaOf(page, 'og:site_name')) ??
    undefined
  if (shop_name === undefined) {
    return { missing: 'shop_name: the home page of the store does not say it.' }
  }
  const broken = page.json_ld_problems.filter(({ types }) => types.some(isOrganizationType))
  const json = shopJsonLd({ domain, shop_name, profiles: [], ...(logo && { logo }) })
  return {
    file: {
      ...fileFor(`https://${domain}/`, json, broken.map(brokenBlock).join('; ')),
      path: 'markup/home.html',
    },
  }
}

/** The path, or the next one after it that no file has: `a.html`, `a-2.html`. */
function freePath(path: string, files: readonly ProposedFile[]): string {
  for (let n = 1; ; n += 1) {
    const free = n === 1 ? path : path.replace(/\.html$/, `-${n}.html`)
    if (!files.some((file) => file.path === free)) return free
  }
}

/**
 * `products-trail-tent`: letters and digits of the path alone, so that it names no other folder.
 */
const fileName = (url: string): string => {
  const { pathname, search } = new URL(url)
  const words = `${pathname}${search}`.toLowerCase().match(/[a-z0-9]+/g) ?? []
  return words.join('-').slice(0, 100) || 'page'
}
