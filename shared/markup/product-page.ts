import { withoutEndSlashes } from '../web/uri.ts'
import type { Page } from './page.ts'
import { readAddress, wordsIn, wordsOfAddress } from './page-signs/address.ts'
import { allOffers, mainProduct, type ProductMarkup } from './products.ts'
import { isProduct } from './vocabulary.ts'

/** What kind of page this is, and what it was taken for it by. */
export interface PageKind {
  /** `unclear`: nothing speaks for either, such as a page that only its scripts fill. */
  is: 'product' | 'other' | 'unclear'
  /**
   * The reasons, the strongest first, as parts of a sentence. Of an unclear page, what speaks
   * against a product comes first: it is why the page is not judged.
   */
  because: string[]
}

/** Who calls it a product's page, in words, and how much that counts. */
export interface NamedAsProduct {
  by: string
  points: number
  /** Only of a page that its scripts make: what holds something else shows by itself what it is. */
  of_shell?: boolean
}

/**
 * Things that a page is about when it names them and nothing else refers to them: a page that is
 * about one of them sells, if anything, no goods.
 */
const OTHER_SUBJECTS =
  /^(?:\w*Article|\w*BlogPosting|Blog|Report|Recipe|\w*Event|Podcast\w+|RadioEpisode|TVEpisode|TVSeries|Movie|Music(?:Recording|Group|Playlist)|JobPosting|QAPage|DiscussionForumPosting|SocialMediaPosting|Course|CourseInstance|HowTo|SoftwareApplication|WebApplication|MobileApplication|VideoGame|(?:Critic|Employer)?Review|ClaimReview|ProfilePage|AboutPage|ContactPage|Hotel|LodgingBusiness|Resort|Restaurant|RealEstateListing|Residence|Apartment|House|Dataset|ScholarlyArticle|TouristTrip|TouristAttraction|GovernmentService|MedicalWebPage|MedicalCondition|Question|Quiz)$/

/**
 * Those that themes print on every page of a site, whatever it sells: the business behind the shop,
 * and the shop's own app.
 */
const SITE_WIDE =
  /^(?:Hotel|LodgingBusiness|Resort|Restaurant|MusicGroup|TouristAttraction|MobileApplication)$/

/** What product pages describe as well, beside their product. */
const BESIDE_PRODUCTS = /^(?:\w*Review|Question|HowTo)$/

/** Pages that list things. */
const LISTS = /^(?:CollectionPage|SearchResultsPage|ItemList|OfferCatalog|CategoryPage)$/

/** So much speaks for a product, and so little against one. */
const PRODUCT_FROM = 5
const OTHER_TO = 2

/** Things in a row that each have a price and a button of their own. */
const LIST_OF_CARDS = 4

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
  // Related products and rows of sizes look as lists do: who is named and sold here says which.
  const most = own !== null && isBare(own) ? LIST_OF_CARDS - 1 : LIST_OF_CARDS
  const isList = signs.cards >= most && !(own !== null && isSoldHere(own, page))
  const isSoldByControl = signs.buy !== null && !signs.is_link && signs.price !== null && !isList
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
  const lists = subjects.types.find((type) => LISTS.test(type))
  if (lists !== undefined && !offered && !graph.product)
    return other(`its markup describes a ${lists}`)

  // For stars in search results a category calls itself a product, at any address: its offer is a
  // range.
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
  // What its scripts have not filled yet can say no more than this.
  if (isSaid && signs.text < LITTLE_TEXT && !sold) points.push([2, 'its HTML holds little else'])
  if (address.is === 'product') points.push([2, `its address has the form ${address.form}`])
  if (address.is === 'likely') points.push([1, `its address has the form ${address.form}`])
  // Each of these stands on pages of every kind, so that they count little together.
  const little: string[] = []
  if (agrees(page)) {
    little.push(`its ${signs.h1.length > 0 ? 'heading, ' : ''}title and address agree`)
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
  if (subjects.own_products.length > LIST_OF_CARDS && own === null) {
    against.push([4, `its markup describes ${subjects.own_products.length} products`])
  }
  if (own === null && subjects.own_products.length === 0 && page.products.length > 0) {
    against.push([2, 'its markup only refers to products'])
  }
  const sum = (list: readonly [number, string][]) => list.reduce((all, [each]) => all + each, 0)
  const total = sum(points) - sum(against)
  const reasons = (list: readonly [number, string][]) =>
    list.toSorted((a, b) => b[0] - a[0]).map(([, reason]) => reason)
  // Who describes a thing and sells it nowhere is its maker, or writes about it.
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
  // Without a word for a product, only a page that shows nothing yet may still be one.
  return signs.text < LITTLE_TEXT && address.is !== 'plain'
    ? { is: 'unclear', because: [whyUntold(page)] }
    : other('nothing on it can be bought')
}

const whyUntold = ({ truncated }: Page): string =>
  truncated === null
    ? 'its HTML has too little text to tell'
    : `it could not be read completely: ${truncated}`

const other = (reason: string): PageKind => ({ is: 'other', because: [reason] })

const listed = ({ signs }: Page): string =>
  `it lists ${signs.cards} things with a price and a button each`

const quoted = (text: string | null): string | null =>
  text === null ? null : `"${text.length > 60 ? `${text.slice(0, 59)}…` : text}"`

function buyReason({ signs }: Page): string {
  const { buy, price, sold_out } = signs
  if (buy === null && sold_out) return 'it says that the product is sold out'
  const control = buy === null || buy === '' ? 'a control that buys' : `the control ${quoted(buy)}`
  return price === null ? `it has ${control}` : `the price ${quoted(price)} stands by ${control}`
}

/** The product that the page offers itself, not one that it reviews, lists or belongs to. */
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
 * The product of the page's heading, with an offer of its own. A category may describe itself as a
 * product with an AggregateOffer, so that one says nothing of who is sold.
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
 * A comparison of prices has a range over other shops' offers, and no place to buy. A page that its
 * scripts fill has none yet, and where there is a cart, a script may bring the control.
 */
const isOfThisSite = (own: ProductMarkup, { signs }: Page): boolean =>
  hasOwnOffer(own) || signs.buys > 0 || signs.sold_out || signs.cart || signs.text < LITTLE_TEXT

/** It has neither an offer nor a number, as one that stands there for its rating. */
const isBare = (own: ProductMarkup): boolean =>
  !hasOffer(own) &&
  own.gtins.length === 0 &&
  [own.sku, own.mpn, own.product_id].every((value) => value === null)

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
 * Heading and title say the same, and the address says it too, as far as it has words. Without a
 * heading of the first order the title stands in for it, and the address must have words.
 */
function agrees(page: Page): boolean {
  const [heading] = page.signs.h1
  const words = wordsIn(heading ?? '')
  const title = new Set(wordsIn(page.title ?? ''))
  const address = wordsOfAddress(page.url).filter((word) => !/\d/.test(word))
  if (heading === undefined) return address.length > 1 && isMostly(address, title)
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
