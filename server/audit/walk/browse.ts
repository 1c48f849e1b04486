import { dialectOf, listedProducts } from '../../../shared/commerce/catalog/listing.ts'
import { formatMoney } from '../../../shared/commerce/product.ts'
import type { WalkDialect } from '../../../shared/walk/dialect.ts'
import {
  chooseGoods,
  type Good,
  goodsOf,
  goodsOfFeed,
  unlistedGood,
} from '../../../shared/walk/goods.ts'
import { beginStep, type StepNotes } from '../../../shared/walk/step-notes.ts'
import type { Exchange, WalkStep } from '../../../shared/walk/transcript.ts'
import { listedNames } from '../../../shared/walk/verdict.ts'
import { describeFetch } from '../../../shared/web/http/fetched.ts'
import { counted } from '../../../shared/web/text/english-count.ts'
import { type OpenCatalog, openSpecCatalog } from '../probe/catalog.ts'
import { probeFeed } from '../probe/feed/feed.ts'
import { BODY_CAPS } from '../probe/fetch/request.ts'
import { findEndpoint } from '../probe/manifest.ts'
import { openOfficialCatalog } from '../probe/official-catalog.ts'
import { once } from '../probe/once.ts'
import { type AuditSession, probePage } from '../probe/session.ts'
import { serviceOf, type UcpStore } from '../probe/ucp.ts'
import type { StoreRoutes } from './find-routes.ts'
import { lookUpAgain } from './look-up-again.ts'

/** What a store sells, and how that was found out. */
interface Browsed {
  goods: Good[]
  steps: WalkStep[]
  /** Why there is nothing to buy, as a sentence; null if there is something. */
  nothing: string | null
}

/** A place that lists goods, as it was read. */
interface Listing {
  /** `The catalog over MCP`. */
  name: string
  goods: Good[]
  /** What it lists, with or without ids; null if it did not answer a list. */
  listed: number | null
  /** What it answered instead, as a part of a sentence. */
  said: string
  /** Asks for one thing by its id; null where the store offers none. */
  again: OpenCatalog['again']
}

/**
 * Reads what a store sells, to buy it over a dialect. A checkout does not need its own catalog: if
 * the one that belongs to the dialect lists nothing that can be bought, the store's other catalogs
 * are read, and finally its feed; each of them once for all dialects. A store without any list is
 * not at fault, because agents may know its goods from elsewhere; an empty list is a fault. With
 * `item`, that one is bought, listed or not. `currencies` are those of acp.json.
 */
export function createBrowser(
  session: AuditSession,
  domain: string,
  store: StoreRoutes,
  taken: () => Exchange[],
  item?: string,
): (dialect: WalkDialect, currencies: readonly string[]) => Promise<Browsed> {
  const listingsFor = listings(session, domain, store)
  return async (dialect, currencies) => {
    const read: Listing[] = []
    for (const readListing of listingsFor(dialect)) {
      const listing = await readListing()
      read.push(item === undefined ? listing : { ...listing, goods: goodsWithId(listing, item) })
      if (read.at(-1)?.goods.length !== 0) break
    }
    const all = browsed(dialect, read, { exchanges: taken(), item, currencies })
    const again = read.at(-1)?.again ?? null
    const [good] = chooseGoods('cheapest', all.goods) ?? []
    if (again === null || good === undefined) return all
    return { ...all, steps: [...all.steps, await lookUpAgain(dialect, good, { again, taken })] }
  }
}

/** The result of the listings that were read; without an exchange if all were read before. */
function browsed(
  dialect: WalkDialect,
  read: readonly Listing[],
  {
    exchanges,
    item,
    currencies,
  }: { exchanges: Exchange[]; item: string | undefined; currencies: readonly string[] },
): Browsed {
  const notes = beginStep(dialect, { n: 1, step: 'find', title: FINDING })
  notes.exchanged(exchanges)
  if (exchanges.length === 0) notes.conclude('It was read for another protocol before.')
  const [own] = read
  const found = read.find(({ goods }) => goods.length > 0)
  if (found !== undefined) {
    const { name, goods, listed } = found
    const inStock = goods.filter(({ availability }) => availability === 'in_stock').length
    const isSilent = goods.every(({ availability }) => availability === null)
    const said = isSilent ? 'and does not say what is in stock' : `${inStock} of them in stock`
    if (own !== undefined && own !== found) notes.conclude(sentenceOf(own))
    notes.hold('something_to_buy')
    judgeCurrencies(goods, currencies, notes)
    notes.conclude(
      `${name} lists ${counted(listed ?? 0, 'product')}, with ${counted(goods.length, 'thing')} to choose from, ${said}.`,
      'products',
    )
    return { goods, steps: [notes.done()], nothing: null }
  }
  if (item !== undefined) {
    notes.conclude(`Nothing that was read lists ${item}; it is bought as it was given.`)
    return { goods: [unlistedGood(item)], steps: [notes.done()], nothing: null }
  }
  const wrong = read.find(({ listed }) => listed !== null)
  const nothing =
    wrong === undefined
      ? `Nothing to buy was found. ${read.map(sentenceOf).join(' ')}`
      : sentenceOf(wrong)
  if (wrong === undefined) notes.conclude(nothing)
  else notes.fail('something_to_buy', nothing, { field: 'products' })
  return { goods: [], steps: [notes.done()], nothing }
}

/** Whether the prices are in a currency of acp.json, where it names any. */
function judgeCurrencies(
  goods: readonly Good[],
  currencies: readonly string[],
  notes: StepNotes,
): void {
  const priced = goods.filter(({ price }) => price !== null)
  if (currencies.length === 0 || priced.length === 0) return
  const other = priced.find(({ price }) => price !== null && !currencies.includes(price.currency))
  if (other?.price == null) notes.hold('currency_is_declared')
  else {
    const found = `acp.json names ${listedNames(currencies)}, and ${other.name} is listed for ${formatMoney(other.price)}.`
    notes.fail('currency_is_declared', found, { field: 'capabilities.supported_currencies' })
  }
}

const goodsWithId = ({ goods }: Listing, item: string): Good[] =>
  goods.filter(({ product_id, variant_id }) => variant_id === item || product_id === item)

/** The title of the step that looks for goods. */
export const FINDING = 'Looks for something to buy'

const sentenceOf = ({ name, listed, said }: Listing): string => {
  if (listed === null) return `${name} lists nothing: ${said}.`
  return listed === 0
    ? `${name} has an empty list.`
    : `No product that ${inside(name)} lists has an id.`
}

const inside = (name: string): string => name.charAt(0).toLowerCase() + name.slice(1)

/**
 * The places that may list goods, nearest to the dialect first. Each is read when it is first
 * needed, by any dialect.
 */
function listings(
  session: AuditSession,
  domain: string,
  { manifest, ucp }: StoreRoutes,
): (dialect: WalkDialect) => (() => Promise<Listing>)[] {
  const homePage = once(() => probePage(session, `https://${domain}/`))
  const feed = once(ofFeed)
  if (ucp === null) {
    const catalog = once(ofSpecification)
    return () => [catalog, feed]
  }
  const over: Record<Transport, () => Promise<Listing>> = {
    rest: once(() => ofProfile(ucp, 'rest')),
    mcp: once(() => ofProfile(ucp, 'mcp')),
  }
  return (dialect) => [...transportsOf(ucp, dialect).map((transport) => over[transport]), feed]

  async function ofSpecification(): Promise<Listing> {
    const endpoint = findEndpoint(manifest, domain, 'product_catalog')
    return ofCatalog('The catalog', await openSpecCatalog(session, endpoint, manifest))
  }

  async function ofProfile(store: UcpStore, transport: Transport): Promise<Listing> {
    const { profile } = store
    const services = profile.services.filter((service) => service.transport === transport)
    const catalog = await openOfficialCatalog(session, {
      ...store,
      profile: { ...profile, services },
      homePage: await homePage(),
    })
    return ofCatalog(`The catalog over ${transport.toUpperCase()}`, catalog)
  }

  async function ofFeed(): Promise<Listing> {
    const origin = `https://${domain}`
    const robots = await session.request({
      url: `${origin}/robots.txt`,
      maxBytes: BODY_CAPS.manifest,
    })
    const site = { domain, origin, homePage: await homePage(), robots }
    const { items } = await probeFeed(session, site)
    // Unspecified: no protocol asks for a feed, so an empty feed counts as a missing one.
    const listed = items.length === 0 ? null : items.length
    const goods = goodsOfFeed(items)
    return { name: 'The feed', goods, listed, said: 'none was found', again: null }
  }
}

type Transport = 'rest' | 'mcp'

/** The transports of a profile, that of the dialect first; one that is missing says why. */
function transportsOf({ profile }: UcpStore, { name }: WalkDialect): Transport[] {
  const all: Transport[] = name === 'ucp_mcp' ? ['mcp', 'rest'] : ['rest', 'mcp']
  const there = all.filter((transport) => serviceOf(profile, transport) !== null)
  return there.length > 0 ? there : ['rest']
}

async function ofCatalog(name: string, catalog: OpenCatalog): Promise<Listing> {
  const pages = await catalog.listed()
  const products = listedProducts(pages)
  return {
    name,
    goods: goodsOf(products),
    listed: dialectOf(pages).productsOf(pages.first) === null ? null : products.length,
    said: describeFetch(pages.first.fetched),
    again: catalog.again,
  }
}
