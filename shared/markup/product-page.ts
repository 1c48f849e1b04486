import { withoutEndSlashes } from '../web/address/uri.ts'
import type { Page } from './page.ts'
import { readAddress, wordsIn, wordsOfAddress } from './page-signs/address.ts'
import { allOffers, mainProduct, type ProductMarkup } from './products.ts'
import { isProduct } from './vocabulary.ts'

/** The kind of a page, and the reasons. */
export interface PageKind {
  /** `unclear`: no sign either way, such as a page that only its scripts fill. */
  is: 'product' | 'other' | 'unclear'
  /**
   * The reasons, the strongest first, as parts of a sentence. For an unclear page, the signs
   * against a product come first: they are why it is not judged.
   */
  because: string[]
}

/** A sign for a product page in words, and its weight. */
export interface NamedAsProduct {
  by: string
  points: number
  /** Only counts for a page that scripts fill: others show what they are. */
  of_shell?: boolean
}

/**
 * Things that a page is about if it names them and nothing else refers to them: such a page sells,
 * if anything, no goods.
 */
const OTHER_SUBJECTS =
  /^(?:\w*Article|\w*BlogPosting|Blog|Report|Recipe|\w*Event|Podcast\w+|RadioEpisode|TVEpisode|TVSeries|Movie|Music(?:Recording|Group|Playlist)|JobPosting|QAPage|DiscussionForumPosting|SocialMediaPosting|Course|CourseInstance|HowTo|SoftwareApplication|WebApplication|MobileApplication|VideoGame|(?:Critic|Employer)?Review|ClaimReview|ProfilePage|AboutPage|ContactPage|Hotel|LodgingBusiness|Resort|Restaurant|RealEstateListing|Residence|Apartment|House|Dataset|ScholarlyArticle|TouristTrip|TouristAttraction|GovernmentService|MedicalWebPage|MedicalCondition|Question|Quiz)$/

/**
 * Things that themes print on every page of a site: its blog, the business behind the store, and
 * the store's own app.
 */
const SITE_WIDE =
  /^(?:Blog|Hotel|LodgingBusiness|Resort|Restaurant|MusicGroup|TouristAttraction|MobileApplication)$/

/** Things that product pages describe as well. */
const BESIDE_PRODUCTS = /^(?:\w*Review|Question|HowTo)$/

/** Pages that list things. */
const LISTS = /^(?:CollectionPage|SearchResultsPage|ItemList|OfferCatalog|CategoryPage)$/

/** Lists that may be a part of any page. */
const PART_LISTS = /^(?:ItemList|OfferCatalog)$/

/** The weights that make a product page: enough for it, and not too much against. */
const PRODUCT_FROM = 5
const OTHER_TO = 2

/** With this many products and none of its own, markup describes a list. */
const MANY_PRODUCTS = 4

/** A page with less text is filled by its scripts. */
const LITTLE_TEXT = 1_200

/** A page of an app without even a heading; it may ask to turn scripts on. */
const SHELL_TEXT = 200

const isShell = ({ signs, scripts, products }: Page): boolean =>
  signs.text < SHELL_TEXT && signs.h1.length === 0 && scripts.length > 0 && products.length === 0

/**
 * Whether a page shows one product for sale, whether it says so in markup or not. Pure, and the
 * same for the HTML that a server sends and for what the browser shows.
 */
export function judgeKind(page: Page, by: NamedAsProduct | null = null): PageKind {
  const { signs, subjects } = page
  const named = by?.of_shell === true && !isShell(page) ? null : by
  const address = readAddress(page.url)
  const own = ownProduct(page)
  const offered = own !== null && hasOffer(own)
  const graph = openGraph(page)
  const sold = signs.buys > 0 || signs.sold_out
  // A script may add the product's own control to what is sent.
  const isList = signs.cards > 0 && !(own !== null && isSoldHere(own, page))
  const isSoldByControl = sold && !signs.is_link && signs.price !== null && !isList
  const subject = subjects.types.find(
    (type) =>
      OTHER_SUBJECTS.test(type) &&
      !(own !== null && BESIDE_PRODUCTS.test(type)) &&
      !(isSoldByControl && SITE_WIDE.test(type)),
  )

  if (subject !== undefined && !offered) return other(`its markup describes a ${subject}`)
  if (address.is === 'home') {
    // A link that says "Buy now" may lead to a subscription of software.
    const isOneProduct =
      offered &&
      page.products.length - page.same_product.length === 1 &&
      signs.buys > 0 &&
      !signs.is_link &&
      !isList
    return isOneProduct
      ? {
          is: 'product',
          because: ['its markup describes the one product of the store', buyReason(page)],
        }
      : other('it is the home page')
  }
  // The products below another one are a list as well.
  const lists = subjects.types.find(
    (type) => LISTS.test(type) && !(isSoldByControl && PART_LISTS.test(type)),
  )
  if (lists !== undefined && !offered && !graph.product)
    return other(`its markup describes a ${lists}`)

  // For stars in search results, categories call themselves a product, at any address: their offer
  // is a range.
  if (isList && offered && !hasOwnOffer(own) && named === null && !graph.product)
    return other(listed(page))

  const points: [number, string][] = []
  const against: [number, string][] = []
  if (offered)
    points.push([6, `its markup describes ${quoted(own.name) ?? 'one product'} with an offer`])
  else if (own !== null)
    points.push([3, `its markup describes ${quoted(own.name) ?? 'one product'}`])
  if (hasBrokenProduct(page)) points.push([4, 'it has Product markup that cannot be parsed'])
  if (page.product_script === 'writes') points.push([4, 'a script of it writes Product markup'])
  if (graph.product) points.push([3, `og:type is ${quoted(graph.type)}`])
  if (graph.price) points.push([3, 'its meta elements state a price'])
  if (sold && !isList) {
    points.push([(signs.price === null ? 1 : 2) + (signs.is_link ? 0 : 2), buyReason(page)])
  }
  if (named !== null) points.push([named.points, named.by])
  const isSaid = points.length > 0
  // Before its scripts have run, the page cannot say more than this.
  if (isSaid && signs.text < LITTLE_TEXT && !sold) points.push([2, 'its HTML holds little else'])
  if (address.is === 'product') points.push([2, `its address has the form ${address.form}`])
  if (address.is === 'likely') points.push([1, `its address has the form ${address.form}`])
  // Each of these is found on pages of every kind, so together they count little.
  const little: string[] = []
  if (agrees(page)) {
    little.push(`its ${signs.heading === null ? '' : 'heading, '}title and address agree`)
  }
  if (signs.quantity) little.push('a quantity can be chosen')
  if (signs.breadcrumb) little.push('it has a path of categories')
  if (signs.h1.length === 1 && signs.prices > 0) little.push('it has one main heading, and prices')
  points.push(...little.slice(0, 2).map((reason): [number, string] => [1, reason]))

  if (isList) against.push([5, listed(page)])
  if (subject !== undefined) against.push([4, `its markup describes a ${subject}`])
  if (lists !== undefined) against.push([2, `its markup describes a ${lists}`])
  if (graph.other !== null)
    against.push([5, `its Open Graph markup is of the type ${quoted(graph.other)}`])
  if (address.is === 'other') against.push([3, 'its address is one of another kind of page'])
  const isUnsaid = own === null && !isSoldByControl
  if (isUnsaid && subjects.own_products.length > MANY_PRODUCTS) {
    against.push([4, `its markup describes ${subjects.own_products.length} products`])
  }
  if (isUnsaid && subjects.own_products.length === 0 && page.products.length > 0) {
    against.push([2, 'its markup only refers to products'])
  }
  const sum = (list: readonly [number, string][]) => list.reduce((all, [each]) => all + each, 0)
  const total = sum(points) - sum(against)
  const reasons = (list: readonly [number, string][]) =>
    list.toSorted((a, b) => b[0] - a[0]).map(([, reason]) => reason)
  // A page that describes a thing and does not sell it is its maker's, or an article.
  const isForSale =
    named !== null ||
    hasBrokenProduct(page) ||
    page.product_script === 'writes' ||
    graph.price ||
    (sold && !isList) ||
    (offered && isOfThisSite(own, page) && (subject === undefined || graph.product)) ||
    (graph.product && (signs.prices > 0 || signs.text < LITTLE_TEXT))
  if (isForSale && total >= PRODUCT_FROM)
    return { is: 'product', because: reasons(points).slice(0, 4) }
  if (against.length > 0 && total <= OTHER_TO) return { is: 'other', because: reasons(against) }
  if (isSaid) {
    const doubts = reasons(against)
    if (!isForSale) doubts.push('nothing on it can be bought')
    if (doubts.length === 0) doubts.push('too little on it tells that it sells one product')
    return { is: 'unclear', because: [...doubts, ...reasons(points)].slice(0, 4) }
  }
  // Without any sign of a product, only an empty page may still be one.
  return signs.text < LITTLE_TEXT && address.is !== 'plain'
    ? { is: 'unclear', because: [whyUnclear(page)] }
    : other('nothing on it can be bought')
}

const whyUnclear = ({ truncated }: Page): string =>
  truncated === null
    ? 'its HTML has too little text to tell'
    : `it could not be read completely: ${truncated}`

const other = (reason: string): PageKind => ({ is: 'other', because: [reason] })

const listed = ({ signs }: Page): string =>
  signs.cards === 1
    ? 'it shows one product, of another page'
    : `it lists ${signs.cards} things with a price and a button each`

const quoted = (text: string | null): string | null =>
  text === null ? null : `"${text.length > 60 ? `${text.slice(0, 59)}…` : text}"`

function buyReason({ signs }: Page): string {
  const { buy, price, sold_out } = signs
  if (buy === null && sold_out) return 'it says that the product is sold out'
  const control = buy === null || buy === '' ? 'a control that buys' : `the control ${quoted(buy)}`
  return price === null ? `it has ${control}` : `the price ${quoted(price)} stands by ${control}`
}

/** The product that the page itself offers, not one that it reviews, lists or belongs to. */
function ownProduct(page: Page): ProductMarkup | null {
  const main = mainProduct(page)
  if (main === null || !page.subjects.own_products.includes(main.where)) return null
  if (page.subjects.own_products.length === 1) return main
  const isHere = main.url !== null && samePath(main.url, page.url)
  const name = new Set(wordsIn(main.name ?? ''))
  const isNamed = [page.title, ...page.signs.h1].some((text) => isMostly(wordsIn(text ?? ''), name))
  return isHere || (main.url === null && (isNamed || isSameName(page))) ? main : null
}

/** One Product per size or colour, all of one name, are one product. */
const isSameName = ({ products }: Page): boolean =>
  products.length > 1 && new Set(products.map(({ name }) => name)).size === 1

const hasOffer = ({ offers, variants }: ProductMarkup): boolean =>
  offers.length > 0 || variants.some((variant) => variant.offers.length > 0)

/**
 * The product of the page's heading, with its own offer. A category may describe itself as a
 * product with an AggregateOffer, so that one proves nothing.
 */
function isSoldHere(own: ProductMarkup, { signs }: Page): boolean {
  const words = wordsIn(own.name ?? '')
  const isNamed = signs.h1.some((text) => {
    const heading = wordsIn(text)
    return isMostly(heading, new Set(words)) && isMostly(words, new Set(heading))
  })
  return isNamed && hasOwnOffer(own)
}

/**
 * A price comparison has a range over other stores' offers, and no way to buy. A page that scripts
 * fill has none yet, and if there is a cart, a script may add the control.
 */
const isOfThisSite = (own: ProductMarkup, { signs }: Page): boolean =>
  hasOwnOffer(own) || signs.buys > 0 || signs.sold_out || signs.cart || signs.text < LITTLE_TEXT

/** An offer that can be bought as such. */
const hasOwnOffer = (product: ProductMarkup): boolean =>
  allOffers(product).some(({ aggregate }) => !aggregate)

/** A JSON-LD block that cannot be parsed and mentions a product. */
export const hasBrokenProduct = ({ json_ld_problems }: Page): boolean =>
  json_ld_problems.some(isProduct)

/** https://ogp.me, and the product type of Facebook, with which Pinterest reads prices. */
function openGraph({ meta }: Page): {
  product: boolean
  price: boolean
  type: string
  other: string | null
} {
  const type =
    meta
      .find(({ key }) => key === 'og:type')
      ?.content.trim()
      .toLowerCase() ?? ''
  const isOther =
    /^(?:og:)?(?:article|blog|profile|video(?:\..+)?|music(?:\..+)?|event|restaurant|hotel|recipe|podcast(?:\..+)?)$/.test(
      type,
    )
  return {
    type,
    product: /(?:^|:)product(?:\.item)?$/.test(type),
    price: meta.some(
      ({ key, content }) => /^(?:product|og):price:amount$/.test(key) && /\d/.test(content),
    ),
    // Published on a day, as articles are: https://ogp.me/#type_article.
    other: isOther
      ? type
      : meta.some(({ key }) => key === 'article:published_time')
        ? 'article'
        : null,
  }
}

/**
 * Heading and title agree, and so does the address, as far as it has words. Without a heading
 * the title replaces it, and the address must have words.
 */
function agrees(page: Page): boolean {
  const { heading } = page.signs
  const words = wordsIn(heading ?? '')
  const title = new Set(wordsIn(page.title ?? ''))
  const address = wordsOfAddress(page.url).filter((word) => !/\d/.test(word))
  if (heading === null) return address.length > 1 && isMostly(address, title)
  if (words.length === 0) return false
  return (
    isMostly(words, title) &&
    (address.length < 2 || isMostly(address, new Set([...words, ...title])))
  )
}

/** At least half of some words are among others. */
const isMostly = (words: readonly string[], among: ReadonlySet<string>): boolean =>
  words.length > 0 && words.filter((word) => among.has(word)).length * 2 >= words.length

const samePath = (a: string, b: string): boolean => {
  const path = (url: string) => withoutEndSlashes(URL.parse(url, b)?.pathname ?? url)
  return path(a) === path(b)
}
