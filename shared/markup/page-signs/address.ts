import { isSameHost } from '../../web/address/same-site.ts'
import { decoded, isVisitorFolder } from './visitor-address.ts'

/** What an address alone says about its page. */
interface AddressSays {
  /**
   * `product`: only product pages look so; `likely`: they often do; `other`: pages of another kind;
   * `home`: the first page of the site or of one of its languages.
   */
  is: 'product' | 'likely' | 'plain' | 'other' | 'home'
  /** The form that was recognised, such as `/products/…`. */
  form: string | null
}

/** Folders in which stores and their platforms keep product pages, in many languages. */
const FOLDERS = new Set(
  // Shopify, BigCommerce; WooCommerce's, translated; Wix; Squarespace; Shopware; marketplaces.
  (
    'products product product-page product-detail product-details productdetail productdetails ' +
    'produkt produkte produkter produkty produit produits producto productos prodotto prodotti ' +
    'produto produtos produs produse proizvod proizvodi izdelek izdelki tuote tuotteet toode tooted ' +
    'termek termekek urun urunler vare varer vara prece preke tovar tovary produse artikl ' +
    'artikel item items itm listing pd pdp prd dp goods sku buy-online ' +
    'товар продукт محصول منتج produk san-pham shouhin'
  ).split(' '),
)

/** Folders with other uses as well, so they count less: posts may be under `/p/` too. */
const WEAK_FOLDERS = new Set('p prod detail details shop store view i'.split(' '))

/** Folders of other pages; the last one counts only if no product's folder follows. */
const OTHER_FOLDERS = new Set(
  (
    'blog blogs news article articles post posts magazine magazin journal guide guides story stories ' +
    'category categories collections collection c cat categoria categorie kategorie kategoria ' +
    'product-category produkt-kategorie categoria-producto categorie-produit tag tags brand brands ' +
    'marke marken author authors about about-us contact kontakt help hilfe faq faqs support legal ' +
    'terms privacy imprint impressum datenschutz agb search suche stores store-locator filialen careers jobs karriere press presse ' +
    'events event recipes recipe rezepte recettes podcast podcasts episode episodes forum community ' +
    'wp-content wp-json wp-admin cdn-cgi delivery shipping returns newsletter pages page ' +
    'gift-card gift-cards policies policy inspiration ideas lookbook sitemap video videos docs wiki ' +
    'team investors locations location reviews review pricing features download downloads ' +
    'aktuelles actualites noticias notizie nyheter tips ratgeber service services'
  ).split(' '),
)

/** Folders of articles: below them, a product's folder holds articles about products. */
const WRITTEN_FOLDERS = new Set('blog blogs news magazin magazine article articles'.split(' '))

const LOCALE = /^[a-z]{2}(?:[-_][a-z]{2,4})?$/i

/** Parameters that choose a product where one script shows all of them. */
const PARAMETERS =
  /[?&](?:product_?id|products_id|pid|prod(?:uct)?|sku|item_?id|goods_?id|artnr|art)=[\w-]+/i
const ROUTES = /[?&](?:route=product\/product|page=product|controller=product|cmd=product)\b/i

/** `-p-123.html`, `_p123`, `/p4998298`: a number with its kind, and the end of a path after it. */
const NUMBER = /[-_/](?:p|pr|pd|art|prd|pid|sku)[-_.]?[a-z]?\d{3}/gi
const AFTER_NUMBER = /^[a-z0-9_-]*(?:\.(?:html?|php|aspx?))?$/i
/** PrestaShop's `/12-name.html`, Magento's `/name.html`, Salesforce's `/name/12345.html`. */
const FILE = /\.(?:html?|php|aspx?|jsp)$/i
const DATED = /\/(?:19|20)\d\d\/(?:0?[1-9]|1[0-2])(?:\/|$)/
const NOT_A_PAGE =
  /\.(?:jpe?g|png|gif|webp|avif|svg|pdf|xml|json|css|js|txt|zip|gz|mp[34]|rss|atom|csv|ico|woff2?)$/i

/** Whether an address ends like that of an image, a document or a script. */
export const isFile = (url: string): boolean =>
  NOT_A_PAGE.test(decoded(URL.parse(url)?.pathname ?? ''))

/** Takes time linear in the length of the address. */
export function readAddress(url: string): AddressSays {
  const parsed = URL.parse(url)
  if (parsed === null) return { is: 'other', form: null }
  const path = decoded(parsed.pathname)
  const folders = path
    .toLowerCase()
    .split('/')
    .filter((part) => part !== '')
  const route = ROUTES.exec(parsed.search)
  const chosen = PARAMETERS.exec(parsed.search) ?? route
  if (isHome(folders)) {
    return chosen === null ? { is: 'home', form: null } : { is: 'product', form: formOf(chosen[0]) }
  }
  if (NOT_A_PAGE.test(path)) return { is: 'other', form: null }
  const within = folders.slice(0, -1)
  const last = folders.at(-1) ?? ''
  const folder = within.findLast((each) => FOLDERS.has(each))
  const isOtherLast = OTHER_FOLDERS.has(last) || isVisitorFolder(last, true)
  const isOther =
    isOtherLast || within.some((each) => OTHER_FOLDERS.has(each) || isVisitorFolder(each, false))
  // `/collections/lamps/products/oak` is a product, `/blog/products/…` is not.
  if (folder !== undefined && !isOtherLast && !within.some((each) => WRITTEN_FOLDERS.has(each))) {
    return { is: 'product', form: `/${folder}/…` }
  }
  if (route !== null) return { is: 'product', form: formOf(route[0]) }
  if (isOther || DATED.test(path)) return { is: 'other', form: null }
  if (isNumbered(path)) return { is: 'product', form: '…-p123' }
  if (chosen !== null) return { is: 'likely', form: formOf(chosen[0]) }
  const weak = within.findLast((each) => WEAK_FOLDERS.has(each))
  if (weak !== undefined) {
    const hasNumber = /\d{3,}/.test(folders.slice(within.lastIndexOf(weak)).join('/'))
    return { is: hasNumber ? 'product' : 'likely', form: `/${weak}/…` }
  }
  const words = last.replace(FILE, '').split(/[-_]/)
  if (/\d{4,}/.test(last) && words.length > 1) return { is: 'likely', form: '…-1234' }
  if (FILE.test(last) && words.length > 2) return { is: 'likely', form: '….html' }
  return { is: 'plain', form: null }
}

const formOf = (text: string): string => text.replace(/=.*/, '=…').slice(0, 40)

/**
 * Only the last number is looked behind: one pattern for both would start again at each of them.
 */
function isNumbered(path: string): boolean {
  const last = [...path.matchAll(NUMBER)].at(-1)
  return last !== undefined && AFTER_NUMBER.test(path.slice(last.index + last[0].length))
}

const isHome = (folders: readonly string[]): boolean =>
  folders.length === 0 ||
  (folders.length <= 2 &&
    folders.every(
      (part) =>
        LOCALE.test(part) || /^(?:index|home|default)\.\w{2,5}$/.test(part) || part === 'home',
    ))

/** The words of the part of an address that names its page, in lower case. */
export function wordsOfAddress(url: string): string[] {
  const path = decoded(URL.parse(url)?.pathname ?? '')
  const parts = path.split('/').map((part) => ({ part, words: wordsIn(part).length }))
  const longest = parts.reduce((best, each) =>
    each.part !== '' && each.words >= best.words ? each : best,
  )
  return wordsIn(longest.part.replace(FILE, ''))
}

/** Words of a text that are compared: letters of any script, three at least, without accents. */
export const wordsIn = (text: string): string[] =>
  text
    .slice(0, 500)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .match(/\p{L}{3,}|\p{L}*\p{Nd}[\p{L}\p{Nd}]{2,}/gu) ?? []

/** Whether the address of another page led to the home page: products that are gone often do. */
export const leadsHome = (answer: {
  url: string
  final_url: string
  redirects: readonly unknown[]
}): boolean =>
  answer.redirects.length > 0 &&
  readAddress(answer.final_url).is === 'home' &&
  readAddress(answer.url).is !== 'home'

/** What of a page names its address: links as `Page` has them. */
interface Linking {
  url: string
  links: readonly { rel: readonly string[]; href: string }[]
}

/**
 * The address under which a page wants to be found: its `<link rel="canonical">` if that has the
 * same host, else its own. One that leads to the home page is a template's mistake and does not
 * count.
 */
export function canonicalOf({ url, links }: Linking): string {
  const stated = links.find(({ rel }) => rel.includes('canonical'))?.href ?? url
  const isPage = isSameHost(stated, url) && readAddress(stated).is !== 'home'
  return isPage ? stated.replace(/#.*$/s, '') : url
}
