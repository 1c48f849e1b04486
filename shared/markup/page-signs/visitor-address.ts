import { MAX_ADDRESS } from '../../web/address/uri.ts'

// Addresses that audits do not fetch: they show only what a visitor left there, and some of them
// act.

/** Folders of carts and lists, in many languages, without accents. */
const CARTS =
  'cart my-cart view-cart shopping-cart shoppingcart basket my-basket shopping-basket shopping-bag ' +
  'warenkorb einkaufswagen panier mon-panier carrito carrello carrinho winkelwagen winkelmand ' +
  'winkelmandje koszyk kosik nakupni-kosik kosar cosul-meu cos-de-cumparaturi varukorg kundvagn ' +
  'kurv indkobskurv indkøbskurv handlekurv handlevogn ostoskori ostukorv grozs krepselis kosarica ' +
  'korpa sepet sepetim kalathi καλαθι korzina корзина koshyk кошик kolichka количка gio-hang keranjang ' +
  'カート 购物车 購物車 장바구니 ' +
  'wishlist wish-list merkzettel merkliste wunschliste wunschzettel favoris lista-de-deseos verlanglijst ' +
  'compare product-compare compare-products comparison comparateur vergleich vergleichsliste'

const ACCOUNTS =
  'checkout onepage onestepcheckout kasse kassa commande pokladna penztar odeme afrekenen finalizar-compra ' +
  'account my-account myaccount customer konto mein-konto kundenkonto moje-konto compte mon-compte ' +
  'mi-cuenta minha-conta login logout signin sign-in signout sign-out register'

const words = (text: string) => new Set(text.split(' '))
const CART_FOLDERS = words(CARTS)

const VISITOR_FOLDERS = words(`${CARTS} ${ACCOUNTS}`)

/**
 * Below these there are goods as well: baskets are sold, a French `basket` is a shoe, and products
 * are compared.
 */
const ALSO_OF_GOODS = words(
  'basket panier koszyk kosik kosar kurv sepet korpa korzina корзина koshyk кошик keranjang ' +
    'compare comparison comparateur vergleich',
)

/** Whether a folder's page belongs to one visitor: a cart, a list, a checkout, an account. */
export const isVisitorFolder = (folder: string, isLast: boolean): boolean =>
  VISITOR_FOLDERS.has(folder) && (isLast || !ALSO_OF_GOODS.has(folder))

/** `addtocart`, `add-to-basket.php`. */
const ADDING_FOLDER =
  /^(?:add|put|move)-?(?:to|2|in|into|item|product)?-?(?:cart|basket|bag|trolley|wish-?list|compare)/
/** Salesforce's `Cart-AddProduct`. */
const CONTROLLER = /^(?:cart|basket|wishlist|compare)-(?:add|remove|update)[a-z]*$/
/** In the folder of a cart: an action, or Shopify's `/cart/<variant>:<quantity>`. */
const DOING = /^(?:add|buy|update|change|remove|delete|clear|empty|agregar|ajouter|aggiungi|\d)/

/**
 * WooCommerce's `add-to-cart=1`, PrestaShop's `add=1`, `BUYproducts_id=1` of osCommerce's heirs.
 */
const DOING_PARAMETER =
  /^(?:add|wc-ajax|(?:add|move)-?to-?\w+|add-?(?:item|product)s?|buy-?now|quick-?buy|buyproducts-id|remove-?(?:item|from-?\w+)|(?:empty|clear)-?cart)$/
/** The action is the value: osCommerce's `action=buy_now`, OpenCart's `route=checkout/cart/add`. */
const NAMES_ACTION =
  /^(?:\w+-)*action$|^(?:act|do|cmd|cl|fnc|func|op|task|mode|route|dispatch|controller|main-page|page|view|module)$/
const ACTION =
  /(?:^|[^a-z])(?:add(?:$|[^a-z]|to|item|product|article|cart)|buy(?:$|-?now|-?item|-?product)|remove|delete)|(?:^|[^a-z]|shopping|to)(?:cart|basket)(?:$|[^a-z])|warenkorb|panier|carrito|carrello|koszyk|wish-?list|(?:^|[^a-z])compare|checkout|log-?(?:in|out)$/

/**
 * Whether opening an address acts in the store, by the forms of common store software: it puts a
 * product into a cart, or onto a list. Takes time linear in the length of the address.
 */
export function isActing(url: string): boolean {
  const parsed = URL.parse(url)
  if (parsed === null) return false
  const folders = foldersOf(parsed)
  return (
    folders.some(
      (folder, n) =>
        ADDING_FOLDER.test(folder) ||
        CONTROLLER.test(folder) ||
        (CART_FOLDERS.has(folder) && DOING.test(folders[n + 1] ?? '')),
    ) ||
    parametersOf(parsed).some(
      ([name, value]) =>
        DOING_PARAMETER.test(name) || (NAMES_ACTION.test(name) && ACTION.test(value)),
    )
  )
}

/**
 * Whether an address is one visitor's own, such as the cart, or acts: an audit never fetches these.
 */
export function isOfVisitor(url: string): boolean {
  const parsed = URL.parse(url)
  if (parsed === null) return false
  const folders = foldersOf(parsed)
  return (
    folders.some((folder, n) => isVisitorFolder(folder, n === folders.length - 1)) || isActing(url)
  )
}

/** The parts of a path in lower case, without accents and endings such as `.html`. */
const foldersOf = ({ pathname }: URL): string[] =>
  plain(decoded(pathname))
    .split('/')
    .filter((part) => part !== '')
    .map((part) => part.replace(/\.(?:html?|php|aspx?|jsp|cfm)$/, ''))

const parametersOf = ({ search }: URL): [string, string][] =>
  search
    .slice(1, MAX_ADDRESS)
    .split('&')
    .map((part) => {
      const [name = '', value = ''] = part.split('=', 2)
      return [plain(decoded(name)), plain(decoded(value))]
    })

/** Lower case, without accents, and with one sign between words. */
const plain = (text: string): string =>
  text
    .slice(0, MAX_ADDRESS)
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .normalize('NFC')
    .toLowerCase()
    .replaceAll('_', '-')

/** A path as a person reads it; as written where its escapes are broken. */
export function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** Folders of pages that ask for a password before the store is shown. Without accents. */
const DOORS = new Set(
  (
    'login log-in logon signin sign-in anmelden anmeldung connexion inloggen logowanie acceso ' +
    'accedi password passwort coming-soon'
  ).split(' '),
)

/** Those that ask for an age, a consent or a country, or to wait. */
const WALLS = new Set(
  (
    'age age-check age-gate age-verification age-verify agecheck agegate ageverification verify-age ' +
    'consent cookie-consent cookie-wall consent-wall privacy-consent ' +
    'country-selector country-select select-country choose-country region-selector ' +
    'maintenance wartung queue waiting-room warteraum captcha challenge'
  ).split(' '),
)

/** Whether an address is that of a page in front of the store, such as a login. */
export function isWall(url: string): boolean {
  const parsed = URL.parse(url)
  if (parsed === null) return false
  const folders = foldersOf(parsed)
  return folders.some((each) => DOORS.has(each) || WALLS.has(each)) || isOfVisitor(url)
}

/** Whether it is that of a page that asks for a password. */
export function isDoor(url: string): boolean {
  const parsed = URL.parse(url)
  return parsed !== null && foldersOf(parsed).some((folder) => DOORS.has(folder))
}
