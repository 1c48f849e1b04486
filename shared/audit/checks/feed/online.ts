import type { FeedItem } from '../../../commerce/feed.ts'
import { gtinProblem } from '../../../commerce/gtin.ts'
import { leadsHome, wordsIn } from '../../../markup/page-signs/address.ts'
import { mainProduct, type ProductMarkup, variantsOf } from '../../../markup/products.ts'
import { pageAddress } from '../../../web/address/link-key.ts'
import { isUnder } from '../../../web/address/same-site.ts'
import { describeFetch } from '../../../web/http/fetched.ts'
import { isGone } from '../../../web/http/presence.ts'
import { shown } from '../../../web/json/json.ts'
import type { SeenWith } from '../../../web/site-access.ts'
import type { CatalogSeen, FeedSeen, ProductPageSeen } from '../../evidence.ts'
import { compareFeed, compareFeedPrices } from './agreement.ts'
import { compareFeedWithCatalog, listedAs } from './catalog-agreement.ts'

/** What a feed and its shop say differently of a product. */
interface OnlineDifference {
  what: 'page' | 'price' | 'currency' | 'availability' | 'title' | 'image' | 'variant'
  where: 'page' | 'catalog'
  /** A sentence without its full stop. */
  text: string
}

/** One product of the feed, and what its shop says of it. */
export interface ProductOnline {
  row: number
  id: string | null
  link: string | null
  /** Where it was found and could be compared. */
  compared: ('page' | 'catalog')[]
  differences: OnlineDifference[]
  /** Why its page could not be compared; null if it was. Nothing of it is the shop's fault. */
  unread: string | null
}

/** A sample of a feed, compared with its shop. */
export interface FeedOnline {
  /** Whose pages were read; null where that is not known. */
  shop: string | null
  products: ProductOnline[]
  /** What was not done, and what to give so that it is, as sentences. */
  notes: string[]
  /** What of the owner's the shop was seen with. */
  seen_with?: SeenWith
}

/** A page as it was asked for, and what is to be said of one that was not. */
export type OnlinePage = ProductPageSeen | { skipped: string }

/** What was asked of the shop about one product. */
interface OnlineSeen {
  page: OnlinePage
  /** Null where there is none, or it could not be read. */
  catalog: CatalogSeen | null
}

const NO_TALLY: FeedSeen['tally'] = {
  ...{ rows: 1, incomplete: 0, with_gtin: 0, with_id: 0, faults: [] },
  opt_ins: {
    ...{ checkout: 0, checkout_ready: 0, checkout_off: 0, search: 0, search_ready: 0 },
    ...{ notices: 0, notices_broken: 0 },
  },
}

/** A feed of nothing but one product, for the rules that compare feeds. */
const feedOf = (item: FeedItem): FeedSeen => ({
  ...{ url: item.link, found_by: 'the file', kind: null, vendor: null, items: [item] },
  fetched: { kind: 'not_asked', reason: 'it was read from a file' },
  ...{ tally: NO_TALLY, cut: null, problem: null, tried: [] },
})

/** Compares one product of a feed with its page and the catalog, by the rules of an audit. */
export function compareOnline(item: FeedItem, { page, catalog }: OnlineSeen): ProductOnline {
  const feed = feedOf(item)
  const byPage = comparePage(item, feed, page)
  const inCatalog = catalog === null ? null : compareListed(item, feed, catalog)
  return {
    row: item.row,
    id: item.id,
    link: item.link,
    compared: [
      ...(byPage.unread === null ? ['page' as const] : []),
      ...(inCatalog === null ? [] : ['catalog' as const]),
    ],
    differences: [...byPage.differences, ...(inCatalog ?? [])],
    unread: byPage.unread,
  }
}

function comparePage(
  item: FeedItem,
  feed: FeedSeen,
  seen: OnlinePage,
): { differences: OnlineDifference[]; unread: string | null } {
  const unread = (why: string) => ({ differences: [], unread: why })
  const differs = (what: OnlineDifference['what'], text: string): OnlineDifference => ({
    ...{ what, where: 'page', text },
  })
  if ('skipped' in seen) return unread(seen.skipped)
  const { fetched, page } = seen
  if (isGone(fetched) || (fetched.kind === 'answer' && leadsHome(fetched))) {
    const text = isGone(fetched)
      ? `${describeFetch(fetched)}: there is no such page`
      : `${describeFetch(fetched)} with the home page`
    return { differences: [differs('page', text)], unread: null }
  }
  if (fetched.kind !== 'answer') return unread(`${describeFetch(fetched)}`)
  if (page === null) return unread(`${describeFetch(fetched)}, which may be about us`)
  if (page.truncated !== null) return unread(`its page was not read whole: ${page.truncated}`)
  const product = mainProduct(page)
  if (product === null) return unread(`no product was found in the markup of ${fetched.url}`)
  const part = partOf(item, product)
  const meant = part.is === 'found' ? part.product : product
  const pages = [{ ...seen, page: { ...page, products: [meant], main_product: 0 } }]
  const about = (what: 'availability' | 'currency') =>
    compareFeed(feed, pages, what).differences.map((text) => differs(what, text))
  const titles = [page.title, product.name, meant.name]
  const images = [...meant.images, ...product.images, ...pictureOf(page.meta)]
  return {
    differences: [
      ...compareFeedPrices(feed, pages).differences.map((text) => differs('price', text)),
      ...about('currency'),
      ...about('availability'),
      ...otherTitle(item, titles, fetched.url).map((text) => differs('title', text)),
      ...otherImage(item, images, fetched.url).map((text) => differs('image', text)),
      ...(part.is === 'absent' ? [differs('variant', `${part.why} ${fetched.url}`)] : []),
    ],
    unread: null,
  }
}

/** Null where the catalog does not list it, as far as it was read. */
function compareListed(
  item: FeedItem,
  feed: FeedSeen,
  catalog: CatalogSeen,
): OnlineDifference[] | null {
  const listed = listedAs(feed, catalog)
  if (listed === null) return null
  const differs =
    (what: OnlineDifference['what']) =>
    (text: string): OnlineDifference => ({
      ...{ what, where: 'catalog', text },
    })
  const about = (what: 'price' | 'currency' | 'availability') =>
    compareFeedWithCatalog(feed, catalog, [], what).differences.map(differs(what))
  return [
    ...about('price'),
    ...about('currency'),
    ...about('availability'),
    ...otherTitle(item, listed.names, listed.where).map(differs('title')),
  ]
}

/** The part of a page's product that a row is about. */
type Part = { is: 'found'; product: ProductMarkup } | { is: 'any' } | { is: 'absent'; why: string }

/**
 * The variant with the row's id as its sku, or with its number or address. Absent only where every
 * variant states what the row states too, and none has the same.
 */
function partOf(item: FeedItem, product: ProductMarkup): Part {
  const variants = variantsOf(product)
  const ofOffers = product.offers.length > 1 ? product.offers : []
  const parts: { product: ProductMarkup; skus: string[]; gtins: string[]; url: string | null }[] = [
    ...variants.map((variant) => ({
      product: { ...variant, variants: [] },
      skus: [variant.sku, variant.product_id, variant.mpn].filter((each) => each !== null),
      gtins: [...variant.gtins, ...variant.offers.flatMap(({ gtins }) => gtins)].map(gtinOf),
      url: variant.url,
    })),
    ...ofOffers.map((offer) => ({
      product: { ...product, offers: [offer], variants: [] },
      skus: offer.sku === null ? [] : [offer.sku],
      gtins: offer.gtins.map(gtinOf),
      url: null,
    })),
  ]
  const { id, mpn, gtin, link } = item
  const number = gtin === null || gtinProblem(gtin) !== null ? null : gtinOf({ value: gtin })
  const address = link === null ? null : pageAddress(link)
  const isAt = (url: string | null) => url !== null && pageAddress(url) === address
  const found =
    parts.find(({ skus }) => id !== null && skus.includes(id)) ??
    parts.find(({ gtins }) => number !== null && gtins.includes(number)) ??
    parts.find(({ skus }) => mpn !== null && skus.includes(mpn)) ??
    parts.find(({ url }) => link?.includes('?') && isAt(url))
  if (found !== undefined) return { is: 'found', product: found.product }
  if (parts.length < 2) return { is: 'any' }
  if (number !== null && parts.every(({ gtins }) => gtins.length > 0)) {
    const why = `row ${item.row} has the gtin ${shown(gtin)}, which is of none of the variants on`
    return { is: 'absent', why }
  }
  return { is: 'any' }
}

/** GTINs of different lengths are one number with zeros before it. */
const gtinOf = ({ value }: { value: string }): string =>
  value.replaceAll(/\D/g, '').padStart(14, '0')

/**
 * A title that shares less than half of its words with the page's, or of the page's with it: feeds
 * add a brand or a colour, or leave them out.
 */
function otherTitle(
  { row, id, title }: FeedItem,
  names: readonly (string | null)[],
  where: string,
): string[] {
  const here = new Set(wordsIn(title ?? ''))
  const stated = names.filter((name) => name !== null && wordsIn(name).length > 0)
  const [first] = stated
  if (here.size === 0 || !first) return []
  const fits = stated.some((name) => {
    const there = new Set(wordsIn(name ?? ''))
    const shared = [...here].filter((word) => there.has(word)).length
    return 2 * shared >= Math.min(here.size, there.size)
  })
  return fits
    ? []
    : [
        `row ${row} (id ${id ?? 'none'}) has the title ${shown(title)} in the feed, and ${shown(first)} on ${where}`,
      ]
}

const pictureOf = (meta: readonly { key: string; content: string }[]): string[] =>
  meta.filter(({ key }) => key === 'og:image').map(({ content }) => content)

/** Images that are read of a product's markup; with as many there may be more. */
const READ_IMAGES = 3

/** The picture is none of those that the page names; its size and its host may be others. */
function otherImage(
  { row, id, image_link }: FeedItem,
  images: readonly string[],
  where: string,
): string[] {
  const here = image_link === null ? null : imageKey(image_link)
  const there = new Set(images.flatMap((image) => imageKey(image) ?? []))
  if (here === null || there.size === 0 || there.size >= READ_IMAGES || there.has(here)) return []
  return [
    `row ${row} (id ${id ?? 'none'}) has the image ${shown(image_link)} in the feed, and ${shown(images[0])} on ${where}`,
  ]
}

/** What is the same for all sizes of a picture: its file's name without sizes and ending. */
function imageKey(address: string): string | null {
  const url = URL.parse(address, 'https://shop.example')
  if (url === null) return null
  const within = url.searchParams.get('url') ?? url.searchParams.get('src')
  if (within !== null && within !== address) return imageKey(within)
  const file = url.pathname.split('/').at(-1) ?? ''
  if (!/\.\w{2,5}$/.test(file)) return url.pathname + url.search
  return file
    .toLowerCase()
    .replace(/\.\w{2,5}$/, '')
    .replace(/(?:[-_@](?:\d+x\d*|x\d+|\d+w|\dx|scaled|small|medium|large|grande|master))+$/, '')
}

/** The shop of a feed, and what to say of it where its pages are not read. */
interface ShopOfFeed {
  shop: string | null
  notes: string[]
}

const hostOf = (link: string | null): string | null =>
  link === null ? null : (URL.parse(link)?.hostname.replace(/^www\./, '') ?? null)

/**
 * The host to which most products lead, or the one that was asked for. A feed that came from
 * another site than that is not followed there unasked; `isOfSite` tells whether two hosts are of
 * one owner.
 */
export function shopOf(
  items: readonly FeedItem[],
  { asked, from }: { asked?: string | undefined; from: string | null },
  isOfSite: (host: string, other: string) => boolean,
): ShopOfFeed {
  if (asked !== undefined) return { shop: asked, notes: [] }
  const hosts = [...Map.groupBy(items, ({ link }) => hostOf(link))].filter(
    ([host]) => host !== null,
  )
  const [most] = hosts.toSorted(([, a], [, b]) => b.length - a.length)
  const host = most?.[0] ?? null
  if (host === null) {
    return { shop: null, notes: ['Not compared: no product of the feed has a link to its page.'] }
  }
  const feedHost = hostOf(from)
  if (feedHost === null || isOfSite(feedHost, host)) return { shop: host, notes: [] }
  return {
    shop: null,
    notes: [
      `Not compared: the feed is at ${feedHost}, and its links lead to ${host}. If that is the shop, add --shop ${host}.`,
    ],
  }
}

/** The address of a product's page, or why it is not asked for. */
export function pageToAsk({ link }: FeedItem, shop: string): { url: string } | { skipped: string } {
  const url = link === null ? null : pageAddress(link)
  const host = URL.parse(url ?? '')?.hostname
  if (url === null || host === undefined) return { skipped: 'it has no link to its page' }
  return isUnder(host, shop)
    ? { url }
    : { skipped: `its link leads to ${host}, which is not ${shop}; ask for it with --shop ${host}` }
}

/** How many products are the same, differ, and could not be compared. */
export function countOnline({ products }: FeedOnline) {
  const differ = products.filter(({ differences }) => differences.length > 0).length
  const unread = products.filter(
    ({ differences, compared }) => differences.length === 0 && compared.length === 0,
  ).length
  return { same: products.length - differ - unread, differ, unread }
}
