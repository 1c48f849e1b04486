import { attributeOf, type PageElement } from '../html/elements.ts'
import { isBuyName, readControl } from './buy-words.ts'
import { findPrices } from './prices.ts'

/** What a person sees of a page, as far as it tells product pages from others; all untrusted. */
export interface PageSigns {
  /** The first headings of the first order, on one line. */
  h1: string[]
  /** Prices in the text outside of menus and footers. */
  prices: number
  /** Controls that buy, also outside of menus and footers; those in one place count once. */
  buys: number
  /** The text of the control that buys what the page shows; null if nothing can be bought. */
  buy: string | null
  /** It is a link that only says "buy", and may lead anywhere. */
  is_link: boolean
  /** There is a place for such a control, but it says that nothing is left. */
  sold_out: boolean
  /** The price nearest to the control, as written; null if none is near. */
  price: string | null
  /** The number of consecutive things that each have a price and a control. */
  cards: number
  /** There is a path of links to the categories above. */
  breadcrumb: boolean
  /** A quantity can be chosen. */
  quantity: boolean
  /** Leads to a cart. */
  cart: boolean
  /** Characters of visible text. */
  text: number
}

/** How much of the visible text is searched: several times what pages of stores have. */
const MAX_TEXT = 300_000
const MAX_PRICES = 500
const MAX_CONTROLS = 500
const MAX_HEADING = 300
const MAX_HEADINGS = 3

/** Characters of text between a control and the price that belongs to it. */
const NEAR = 400

/** Controls as close as this, with no price between them, belong to one product. */
const SAME_PLACE = 250

/** Parts of a page that every page has. */
const AROUND = new Set(['nav', 'footer', 'dialog'])

/** Elements that break no line: their text runs on. */
const INLINE = new Set(
  'a abbr b bdi bdo big data del em font i ins mark s small span strike strong sub sup u wbr'.split(
    ' ',
  ),
)

const NAMES = ['id', 'class', 'name', 'data-action', 'data-testid', 'data-test', 'data-qa']

const CART =
  /\/(?:cart|basket|bag|warenkorb|panier|carrito|carrello|carrinho|winkelwagen|winkelmand|koszyk|kosik|kosar|cos|varukorg|kurv|handlekurv|ostoskori|sepet|korzina|checkout\/cart)(?:[/.?#]|$)/i

interface Control {
  at: number
  kind: 'buy' | 'sold_out'
  /** By its words, its name or as a button; a link that says "buy" may lead anywhere. */
  sure: boolean
  text: string
}

/**
 * Reads what is visible of a page from the stream of its elements. `host` is the page's own: a link
 * to another store buys nothing here.
 */
export function createSignsReader(host: string) {
  const parts: string[] = []
  let size = 0
  let around = 0
  let heading: { element: PageElement; at: number } | null = null
  const controls: Control[] = []
  const open = new Map<
    PageElement,
    { from: number; named: boolean; sure: boolean; isMade: boolean }
  >()
  const h1: { text: string; at: number }[] = []
  let breadcrumb = false
  let quantity = false
  let cart = false

  const add = (text: string) => {
    if (size >= MAX_TEXT || text === '') return
    const line = text.replace(/[\s\u200e\u200f]+/g, ' ')
    if (line === ' ' && /[ \n]$/.test(parts.at(-1) ?? '')) return
    parts.push(line)
    size += line.length
  }
  /** Another element is another line: a name that ends in a number, and a price. */
  const breakLine = () => {
    const last = parts.at(-1)
    if (size >= MAX_TEXT || last?.endsWith('\n')) return
    if (last === ' ') parts.pop()
    else size += 1
    parts.push('\n')
  }
  const note = (kind: ReturnType<typeof readControl>, at: number, text: string, sure: boolean) => {
    if (around > 0 || controls.length >= MAX_CONTROLS) return
    controls.push({
      at,
      kind: kind === 'sold_out' ? kind : 'buy',
      text: text.replace(/\s+/g, ' ').slice(0, 60),
      sure: sure || kind === 'cart',
    })
  }
  /** The text since a position. Only called for short texts. */
  const since = (from: number, most: number): string => {
    let text = ''
    for (let n = parts.length - 1, left = size - from; n >= 0 && left > 0; n -= 1) {
      const part = parts[n] ?? ''
      text = part + text
      left -= part.length
      if (text.length > most) return ''
    }
    return text.slice(-(size - from))
  }

  return {
    start(element: PageElement) {
      const { name } = element
      if (element.foreign) return
      if (!INLINE.has(name)) breakLine()
      if (AROUND.has(name)) around += 1
      if (name === 'h1' && heading === null) heading = { element, at: size }
      const read = (attribute: string) => attributeOf(element, attribute)
      let hasRole = false
      for (const { name: attribute, value } of element.attributes) {
        if (attribute === 'role') hasRole ||= value === 'button'
        else if (!breadcrumb && isBreadcrumb(attribute, value)) breadcrumb = true
      }
      if (name === 'a' && !cart && CART.test(read('href')?.slice(0, 500) ?? '')) cart = true
      if (name === 'input' || name === 'select') {
        const field = `${read('name')} ${read('id')}`
        if (/\b(?:qty|quantity|menge|quantite|cantidad|quantita|anzahl)\b/i.test(field))
          quantity = true
      }
      if (name === 'form' && isBuyName(read('action') ?? '')) note('cart', size, '', true)
      const type = name === 'input' ? read('type')?.toLowerCase() : undefined
      const isInput = type === 'submit' || type === 'button' || type === 'image'
      const isControl = name === 'button' || isInput || hasRole || (name === 'a' && isHere(read))
      // Any element can be made a button; one that holds a price is the card of a product.
      const isMade = !isControl && (read('onclick') !== null || isBuyName(name))
      if (!isControl && !isMade) return
      const named =
        isBuyName(isMade ? name : (read('href') ?? '')) ||
        NAMES.some((each) => isBuyName(read(each) ?? ''))
      const label = (isInput ? (read('value') ?? read('alt')) : read('aria-label')) ?? ''
      const kind = readControl(label)
      if (kind !== null || (isInput && named)) note(kind, size, label, true)
      else if (!isInput) {
        open.set(element, { from: size, named, sure: named || name !== 'a', isMade })
      }
    },
    end(element: PageElement) {
      if (element.foreign) return
      if (AROUND.has(element.name)) around = Math.max(0, around - 1)
      if (heading?.element === element) {
        const text = since(heading.at, MAX_HEADING * 4)
          .replace(/\s+/g, ' ')
          .trim()
          .slice(0, MAX_HEADING)
        if (text !== '' && h1.length < MAX_HEADINGS) h1.push({ text, at: heading.at })
        heading = null
      }
      const control = open.get(element)
      if (control !== undefined) {
        open.delete(element)
        const text = since(control.from, 200).trim()
        const kind = readControl(text)
        const isCard = control.isMade && /\d/.test(text)
        if ((kind !== null || control.named) && !isCard)
          note(kind, control.from, text, control.sure)
      }
      if (!INLINE.has(element.name)) breakLine()
    },
    text(characters: string) {
      if (around === 0) add(characters)
    },
    finish(): PageSigns {
      const text = parts.join('').slice(0, MAX_TEXT)
      const prices = findPrices(text, MAX_PRICES)
      return {
        h1: h1.map((each) => each.text),
        prices: prices.length,
        ...arrange(controls, prices, h1[0]?.at ?? 0),
        breadcrumb,
        quantity,
        cart,
        text: text.length,
      }
    },
  }

  /** A link that stays on this site, or leads nowhere by itself. */
  function isHere(read: (name: string) => string | null): boolean {
    const href = read('href')
    if (href === null || !/^(?:https?:)?\/\//i.test(href)) return true
    const target = URL.parse(href, 'https://x.invalid/')?.hostname ?? ''
    const base = (name: string) => name.split('.').slice(-2).join('.')
    return base(target) === base(host)
  }
}

const BREADCRUMB_ATTRIBUTES = new Set(['class', 'id', 'aria-label', 'itemtype', 'typeof'])

const isBreadcrumb = (attribute: string, value: string): boolean =>
  value.includes('rumb') && value.length < 300 && BREADCRUMB_ATTRIBUTES.has(attribute)

/** Finds the page's own control and price, and how many things are in a row. */
function arrange(
  controls: readonly Control[],
  prices: readonly { at: number; text: string }[],
  heading: number,
): Pick<PageSigns, 'buys' | 'buy' | 'is_link' | 'sold_out' | 'price' | 'cards'> {
  const places: Control[] = []
  for (const control of controls.toSorted((a, b) => a.at - b.at)) {
    const last = places.at(-1)
    const isSame =
      last !== undefined &&
      control.at - last.at < SAME_PLACE &&
      !prices.some(({ at }) => at >= last.at + last.text.length && at < control.at)
    if (last === undefined || !isSame) places.push({ ...control })
    else if (last.kind === 'sold_out' && control.kind === 'buy') last.kind = 'buy'
    else if (last.text === '') last.text = control.text
    if (isSame && last !== undefined) last.sure ||= control.sure
  }
  const buys = places.filter(({ kind }) => kind === 'buy')
  const after = (list: readonly Control[]) => list.find(({ at }) => at >= heading) ?? list[0]
  const main = after(buys.filter(({ sure }) => sure)) ?? after(buys) ?? after(places)
  const distance = ({ at }: { at: number }) => Math.abs(at - (main?.at ?? 0))
  const nearest =
    main === undefined ? undefined : prices.toSorted((a, b) => distance(a) - distance(b))[0]
  return {
    buys: buys.length,
    buy: main?.kind === 'buy' ? main.text : null,
    is_link: main !== undefined && !main.sure,
    sold_out: main?.kind === 'sold_out',
    price: nearest !== undefined && distance(nearest) <= NEAR ? nearest.text : null,
    cards: cardsIn(places, prices, main?.at ?? 0),
  }
}

/**
 * A card is small: name, price and button. A product's own place is followed by its description.
 */
const MAX_CARD = 500

/** Of the controls from the main one on, those that follow each other as in a list. */
function cardsIn(
  places: readonly Control[],
  prices: readonly { at: number }[],
  main: number,
): number {
  let cards = 0
  let last: Control | null = null
  for (const place of places) {
    if (place.at < main) continue
    const from: number = last?.at ?? Math.max(0, place.at - MAX_CARD)
    const hasPrice = prices.some(({ at }) => at > from && at <= place.at + SAME_PLACE)
    if (!hasPrice || place.at - from > MAX_CARD) break
    cards += 1
    last = place
  }
  return cards
}
