import * as z from 'zod'
import { listedProducts } from '../../commerce/catalog/listing.ts'
import { Availability, Money, toMajor } from '../../commerce/product.ts'
import { jsonLdElement, ProductFacts, productJsonLd, shopJsonLd } from '../../markup/build.ts'
import type { Page } from '../../markup/page.ts'
import { stockOf } from '../../markup/statements.ts'
import { Domain, withOrWithoutWww } from '../../web/domain.ts'
import { visibleJson, visibleText } from '../../web/invisible.ts'
import { field } from '../../web/json.ts'
import type { Evidence } from '../evidence.ts'
import type { Proposed, ProposedFile } from './proposal.ts'

/** So many pages at once: a template is made from one, and nobody reads a thousand. */
const MOST_PAGES = 50

const { url: PageUrl, shipping, returns, shop_name, logo } = ProductFacts.shape
const { price: ShippingPrice, country: ShippingCountry } = shipping.unwrap().shape
const { days, country, free } = returns.unwrap().shape

/** What the store does not say of itself: its terms, and its name where no page has it. */
export const MarkupProposalRequest = z.strictObject({
  domain: Domain,
  pages: z
    .array(PageUrl)
    .min(1, 'Name at least one page, or leave pages out.')
    .max(MOST_PAGES)
    .optional()
    .describe(
      `The product pages, as URLs. Left out: up to ${MOST_PAGES} of those that the catalog lists`,
    ),
  shop_name: shop_name.optional().describe('The name of the shop, for the home page'),
  logo: logo.describe('The https URL of the logo of the shop, for the home page'),
  shipping: z
    .strictObject({
      price: ShippingPrice.describe('In major units, such as 4.90; 0 where it is free'),
      country: ShippingCountry.describe('Where to: ISO 3166-1, such as US'),
    })
    .optional()
    .describe('What shipping costs, as the merchant states it'),
  returns: z
    .strictObject({
      days: days.describe('How many days from the delivery; 0 where nothing is taken back'),
      country: country.describe('Where: ISO 3166-1, such as US'),
      free: free.describe('Whether the shop pays for sending it back'),
    })
    .optional()
    .describe('The return policy, as the merchant states it'),
})
export type MarkupProposalRequest = z.infer<typeof MarkupProposalRequest>

/** What is read of the store for it. */
export const MARKUP_READS = ['homePage', 'catalog', 'productPages'] as const

type Seen = Partial<Pick<Evidence, (typeof MARKUP_READS)[number]>>

/**
 * JSON-LD for product pages, by what the catalog says of the product that stands there, and for a
 * home page that names no organization. What the catalog leaves out, the page itself may say.
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
    (seen.productPages ?? []).flatMap(({ page }) => {
      const key = page === null ? null : pageKey(page.url, domain)
      return key === null || page === null ? [] : [[key, page] as const]
    }),
  )
  const asked = wanted ?? [...new Set([...pages.keys(), ...products.keys()])]
  const files: ProposedFile[] = []
  const missing: string[] = []
  for (const url of asked.slice(0, MOST_PAGES)) {
    const key = pageKey(url, domain)
    if (key === null) {
      missing.push(`${url} is not a page of ${domain}: name pages of the store itself.`)
      continue
    }
    const made = productFile(request, key, products.get(key) ?? null, pages.get(key) ?? null)
    if ('file' in made) files.push({ ...made.file, path: freePath(made.file.path, files) })
    else missing.push(made.missing)
  }
  const shop = shopFile(request, seen.homePage?.page ?? null)
  if (shop !== null && 'file' in shop) files.push(shop.file)
  else if (shop !== null) missing.push(shop.missing)
  if (files.length === 0 && missing.length === 0) {
    missing.push('pages: the URLs of product pages. Neither the catalog nor the site names any.')
  }
  const terms = [
    ...(shop !== null && request.logo === undefined
      ? ['logo: the https URL of the logo, which Google shows beside the name.']
      : []),
    ...(request.shipping === undefined
      ? ['shipping: what it costs and where to. Google and shoppers ask for it.']
      : []),
    ...(request.returns === undefined
      ? ['returns: how many days, in which country, and who pays. Google asks for it.']
      : []),
  ]
  return {
    files,
    missing: files.length === 0 ? missing : [...missing, ...terms],
    notes: [
      ...(files.length === 0
        ? []
        : [
            'Write it from the template of your product pages, with the values of each product, so that it stays true when a price changes.',
          ]),
      ...(wanted === undefined && products.size > MOST_PAGES
        ? [`The catalog lists more than ${MOST_PAGES} products: the template has to do the rest.`]
        : []),
    ],
    check_after:
      files.length === 0
        ? []
        : [`audit ${domain} again, with the checks schema, entity and catalog`],
  }
}

/** The address of a page of the store, in one form; null for anything else. */
function pageKey(url: unknown, domain: string): string | null {
  const read = typeof url === 'string' && url.length <= 2000 ? URL.parse(url) : null
  if (read === null || read.protocol !== 'https:' || read.port !== '' || read.username !== '') {
    return null
  }
  if (!withOrWithoutWww(domain).includes(read.hostname)) return null
  read.hash = ''
  return read.href
}

type Made = { file: ProposedFile } | { missing: string }

function productFile(
  request: MarkupProposalRequest,
  url: string,
  product: Record<string, unknown> | null,
  page: Page | null,
): Made {
  const main = page?.products[page.main_product ?? -1]
  const price = Money.safeParse(product?.price).data
  const given = {
    domain: request.domain,
    shop_name: request.shop_name ?? request.domain,
    profiles: [],
    url,
    name: textOf(product?.name) ?? textOf(main?.name) ?? textOf(metaOf(page, 'og:title')),
    images: imagesOf(product, page),
    description:
      textOf(product?.description) ??
      textOf(main?.description) ??
      textOf(metaOf(page, 'og:description')),
    brand: textOf(field(product, 'brand')) ?? textOf(main?.brand),
    sku: skuOf(product) ?? skuOf(main),
    gtin: gtinOf(product),
    price: price === undefined ? metaOf(page, 'product:price:amount') : toMajor(price),
    currency: price?.currency ?? metaOf(page, 'product:price:currency'),
    availability:
      Availability.safeParse(product?.availability).data ??
      main?.offers.find(({ stock }) => stock !== null)?.stock ??
      stockOf(metaOf(page, 'product:availability') ?? ''),
    shipping: request.shipping,
    returns: request.returns,
  }
  const facts = ProductFacts.safeParse(withoutWrong(given))
  if (!facts.success) {
    const fields = [...new Set(facts.error.issues.map(({ path }) => String(path[0])))]
    return {
      missing: `${url}: neither the catalog nor the page has a usable ${fields.join(', ')}. Put that right in the catalog.`,
    }
  }
  return {
    file: {
      path: `markup/${fileName(url)}.html`,
      content: `${visibleJson(jsonLdElement(productJsonLd(facts.data)))}\n`,
      placement: 'head',
      url,
      content_type: null,
      replaces: main === undefined ? null : 'The markup of this product that the page has',
    },
  }
}

const OPTIONAL = ['description', 'brand', 'sku', 'gtin'] as const

/**
 * Without what is wrong and may be left out: an internal number in `barcode` costs no more than the
 * gtin.
 */
function withoutWrong<Given extends Record<string, unknown> & { images: string[] }>(given: Given) {
  const { shape } = ProductFacts
  const wrong = OPTIONAL.filter((key) => !shape[key].safeParse(given[key]).success)
  return {
    ...given,
    images: given.images.filter((url) => shape.images.element.safeParse(url).success),
    ...Object.fromEntries(wrong.map((key) => [key, undefined])),
  }
}

/**
 * For a home page that names no organization; null where there is nothing to do, or none was read.
 */
function shopFile(request: MarkupProposalRequest, page: Page | null): Made | null {
  if (page === null || page.has_organization) return null
  const { domain, logo } = request
  const shop_name =
    request.shop_name ??
    textOf(page.web_site?.name) ??
    textOf(metaOf(page, 'og:site_name')) ??
    undefined
  if (shop_name === undefined) {
    return { missing: 'shop_name: the name of the shop. Its home page does not say it.' }
  }
  return {
    file: {
      path: 'markup/home.html',
      content: `${visibleJson(jsonLdElement(shopJsonLd({ domain, shop_name, profiles: [], ...(logo && { logo }) })))}\n`,
      placement: 'head',
      url: `https://${domain}/`,
      content_type: null,
      replaces: null,
    },
  }
}

const MOST_TEXT = 5000

function textOf(value: unknown): string | undefined {
  const text = typeof value === 'string' ? visibleText(value).trim().slice(0, MOST_TEXT) : ''
  return text === '' ? undefined : text.toWellFormed()
}

const metaOf = (page: Page | null, key: string): string | undefined =>
  page?.meta.find((each) => each.key === key)?.content

function imagesOf(product: Record<string, unknown> | null, page: Page | null): string[] {
  const listed = Array.isArray(product?.images) ? product.images : []
  return [...listed, metaOf(page, 'og:image')]
    .flatMap((each) => (typeof each === 'string' && /^https:\/\//i.test(each) ? [each] : []))
    .filter((each) => each.length <= 2000 && URL.canParse(each))
    .slice(0, 10)
}

const skuOf = (product: unknown): string | undefined => {
  const sku = textOf(field(product, 'sku'))
  return sku === undefined || /\s/.test(sku) ? undefined : sku
}

const gtinOf = (product: unknown): string | undefined =>
  textOf(field(product, 'gtin')) ?? textOf(field(product, 'barcode'))

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
