import { attributeOf, type PageElement } from '../html/elements.ts'
import { wordsIn } from './address.ts'
import type { Box } from './boxes.ts'
import { isBuyName, namesStock, readControl } from './buy-words.ts'
import { createLinkReader, type LinkReader } from './card-links.ts'
import type { Card, NamingLink, Owner, Visible } from './owner.ts'
import { ownersOf } from './owners.ts'
import { findPrices } from './prices.ts'
import { ownPrices } from './rows.ts'

/** What a person sees of a page, as far as it tells product pages from others; all untrusted. */
export interface PageSigns {
  /** The first headings of the first order, on one line: the page's own, where there are some. */
  h1: string[]
  /** The page's own, of the second order or third where it has none of the first. */
  heading: string | null
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
  /**
   * How many products of other pages it offers, where no control is for one of its own; else 0.
   */
  cards: number
  /** The first of these in either case: below a product stand others. */
  shows: Card[]
  /** There is a path of links to the categories above. */
  breadcrumb: boolean
  /** A quantity can be chosen. */
  quantity: boolean
  /** Leads to a cart. */
  cart: boolean
  /** Asks for a password. */
  password: boolean
  /** Characters of visible text. */
  text: number
}

/** How much of the visible text is searched: several times what pages of stores have. */
const MAX_TEXT = 300_000
const MAX_PRICES = 500
const MAX_CONTROLS = 500
const MAX_HEADING = 300
const MAX_HEADINGS = 3
const MAX_LINKS = 2_000
const MAX_SHOWN = 24

/** Characters of text between a control and the price that belongs to it. */
const NEAR = 400

/** Controls as close as this, with no price between them, belong to one product. */
const SAME_PLACE = 250

/** Characters in the form of one product; some software has the whole page in one. */
const MAX_FORM = 5_000

/** Characters of a link's name. */
const MAX_NAME = 200

/** More headings of the page itself are those of a list. */
const MAX_OWN_HEADINGS = 20

const HEADINGS = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6']

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

/** A heading of one of the first orders, and where it leads as far as it is a link. */
interface Titled {
  box: Box
  level: number
  text: string
  link: NamingLink | null
}

/** What a page is known by. */
interface PageNames {
  title: string | null
  addresses: readonly string[]
  /** Makes an address absolute. */
  resolve: (href: string) => string
}

/** `location.href='/kettle'` */
const SCRIPTED = /location(?:\.href|\.assign\()?\s{0,3}=?\s{0,3}['"]([^'"]+)/
const MAX_SCRIPT = 2_000

/** Where links of software lead that say "buy". */
const SERVICE =
  /^[^?#]{0,500}\/(?:sign-?up|pricing|plans?|(?:free-?)?trial|demo|contact|subscribe)(?:[/?#.]|$)/i

interface Control {
  box: Box
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
  let order = 0
  let chosen = 0
  const boxes: Box[] = []
  const links: NamingLink[] = []
  const titled: Titled[] = []
  let link: NamingLink | null = null
  let heading: Titled | null = null
  const controls: Control[] = []
  const open = new Map<PageElement, { named: boolean; sure: boolean; isMade: boolean }>()
  /** Forms that put something into the cart, and how many controls were before them. */
  const forms = new Map<PageElement, number>()
  let breadcrumb = false
  let quantity = false
  let cart = false
  let password = false

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
  const note = (kind: ReturnType<typeof readControl>, box: Box, text: string, sure: boolean) => {
    if (around > 0 || controls.length >= MAX_CONTROLS) return
    controls.push({
      box,
      at: box.text.from,
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
      order += 1
      const box: Box = {
        parent: boxes.at(-1) ?? null,
        element,
        from: order,
        to: Number.POSITIVE_INFINITY,
        text: { from: size, to: Number.POSITIVE_INFINITY },
      }
      boxes.push(box)
      if (name !== 'a' && around === 0) openScripted(box)
      if (CHOSEN.has(name)) chosen = order
      const read = (attribute: string) => attributeOf(element, attribute)
      const level = HEADINGS.indexOf(name) + 1
      if (level > 0 && heading === null) {
        heading = { box, level, text: '', link }
        if (link !== null) link.is_heading = true
      }
      if (name === 'img' && link !== null) {
        link.is_image = true
        link.name ||= read('alt')?.trim().slice(0, MAX_NAME) ?? ''
      }
      if (name === 'a') openLink(box, read('href')?.trim() ?? '')
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
      if (name === 'form' && isBuyName(read('action') ?? '')) forms.set(element, controls.length)
      const type = name === 'input' ? read('type')?.toLowerCase() : undefined
      if (type === 'password') password = true
      const isInput = type === 'submit' || type === 'button' || type === 'image'
      const isControl =
        name === 'button' ||
        isInput ||
        hasRole ||
        (name === 'a' && isHere(read) && !SERVICE.test(read('href') ?? ''))
      // Any element can be made a button; one that holds a price is the card of a product.
      const isMade = !isControl && (read('onclick') !== null || isBuyName(name))
      if (!isControl && !isMade) return
      const named =
        isBuyName(isMade ? name : (read('href') ?? '')) ||
        NAMES.some((each) => isBuyName(read(each) ?? ''))
      const label = (isInput ? (read('value') ?? read('alt')) : read('aria-label')) ?? ''
      const kind = readControl(label)
      if (kind !== null || (isInput && named)) note(kind, box, label, true)
      else if (!isInput) open.set(element, { named, sure: named || name !== 'a', isMade })
    },
    end(element: PageElement) {
      if (element.foreign) return
      if (AROUND.has(element.name)) around = Math.max(0, around - 1)
      // Elements that were closed out of their order end with those around them.
      const isLast = boxes.at(-1)?.element === element
      const index = isLast ? boxes.length - 1 : boxes.findIndex((each) => each.element === element)
      const box = boxes[index]
      if (box === undefined) return
      boxes.splice(index, 1)
      order += 1
      box.to = order
      box.text.to = size
      if (heading?.box === box) {
        heading.text = since(box.text.from, MAX_HEADING * 4)
          .replace(/\s+/g, ' ')
          .trim()
          .slice(0, MAX_HEADING)
        const { text } = heading
        if (link !== null && text !== '') link.name = text.slice(0, MAX_NAME)
        if (text !== '' && titled.length < MAX_LINKS) titled.push(heading)
        heading = null
      }
      if (link?.box === box) {
        const text = since(box.text.from, MAX_NAME).replace(/\s+/g, ' ').trim()
        if (size === box.text.from) link.is_image = true
        else if (!link.is_heading && text !== '') link.name = text
        link = null
      }
      const control = open.get(element)
      if (control !== undefined) {
        open.delete(element)
        const text = since(box.text.from, 200).trim()
        const kind = readControl(text)
        const isCard = control.isMade && /\d/.test(text)
        if ((kind !== null || control.named) && !isCard) note(kind, box, text, control.sure)
      }
      if (control === undefined && namesStock(element, /stock|sold|avail/i)) {
        const text = since(box.text.from, MAX_STOCK).trim()
        if (readControl(text) === 'sold_out' && !isChoice(box)) note('sold_out', box, text, true)
      }
      // A form's button may have but a picture.
      const before = forms.get(element)
      if (before === controls.length) note('cart', box, '', true)
      forms.delete(element)
      if (!INLINE.has(element.name)) breakLine()
    },
    text(characters: string) {
      if (around === 0) add(characters)
    },
    finish({ title, addresses, resolve }: PageNames): PageSigns {
      const text = parts.join('').slice(0, MAX_TEXT)
      const prices = findPrices(text, MAX_PRICES)
      const reader = createLinkReader(addresses, resolve)
      const headings = headingsOf(titled, title, reader.isHere)
      const first = [headings, titled].map((list) => list.filter(({ level }) => level === 1))
      const h1 = first.find((list) => list.length > 0)?.slice(0, MAX_HEADINGS) ?? []
      const names = titled.filter(({ link }) => link === null)
      return {
        h1: h1.map((each) => each.text),
        heading: headings[0]?.text ?? h1[0]?.text ?? null,
        prices: prices.length,
        ...arrange(
          controls,
          { text, prices, links, read: reader.read, headings, names },
          h1[0]?.box.text.from ?? 0,
        ),
        breadcrumb,
        quantity,
        cart,
        password,
        text: text.length,
      }
    },
  }

  /** Some themes make a link of a whole card with a script. */
  function openScripted(box: Box): void {
    const { name, attributes } = box.element
    if (name === 'form' || name === 'button' || links.length >= MAX_LINKS) return
    for (const { name: attribute, value } of attributes) {
      const href =
        attribute === 'data-href'
          ? value
          : attribute === 'onclick' && value.length < MAX_SCRIPT
            ? SCRIPTED.exec(value)?.[1]
            : undefined
      if (href) links.push({ box, href, name: '', is_image: false, is_heading: false })
    }
  }

  /** Something to choose, such as a filter of a list. */
  function isChoice(box: Box): boolean {
    return chosen > box.from || boxes.some(({ element: { name } }) => CHOSEN.has(name))
  }

  function openLink(box: Box, href: string): void {
    if (around > 0 || links.length >= MAX_LINKS || href === '') return
    const is_heading = heading !== null
    const label = attributeOf(box.element, 'aria-label') ?? attributeOf(box.element, 'title')
    const name = label?.trim().slice(0, MAX_NAME) ?? ''
    link = { box, href, name, is_image: false, is_heading }
    if (heading !== null) heading.link = link
    links.push(link)
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

/** Elements in which what is left is a choice. */
const CHOSEN = new Set(['a', 'label', 'li', 'aside', 'button', 'select'])
const MAX_STOCK = 40

const BREADCRUMB_ATTRIBUTES = new Set(['class', 'id', 'aria-label', 'itemtype', 'typeof'])

const isBreadcrumb = (attribute: string, value: string): boolean =>
  value.includes('rumb') && value.length < 300 && BREADCRUMB_ATTRIBUTES.has(attribute)

/**
 * The headings of the page itself, which link to no other: of the first order, else of the next
 * two. Of several, those whose words its title has.
 */
function headingsOf(
  titled: readonly Titled[],
  title: string | null,
  isHere: LinkReader['isHere'],
): Titled[] {
  const isOwn = ({ link }: Titled) => link === null || isHere(link.href)
  const first = titled.filter((each) => each.level === 1 && isOwn(each))
  if (first.length === 1) return first
  const line = title?.toLowerCase() ?? ''
  const words = new Set(wordsIn(line))
  const some = first.length > 0 ? first : titled.filter((each) => each.level < 4 && isOwn(each))
  const exact = some.filter(({ text }) => line.includes(text.toLowerCase()))
  const named = exact.length > 0 ? exact : some.filter(({ text }) => isAmong(text, words))
  return (named.length > 0 ? named : first).slice(0, MAX_OWN_HEADINGS)
}

const isAmong = (text: string, words: ReadonlySet<string>): boolean => {
  const own = wordsIn(text)
  return own.length > 0 && own.every((word) => words.has(word))
}

/** Finds the page's own control and price, and what it shows of other pages. */
function arrange(
  controls: readonly Control[],
  page: Visible<{ at: number; text: string }>,
  heading: number,
): Pick<PageSigns, 'buys' | 'buy' | 'is_link' | 'sold_out' | 'price' | 'cards' | 'shows'> {
  const { prices } = page
  const groups: Control[][] = []
  for (const control of controls.toSorted((a, b) => a.box.from - b.box.from)) {
    const place = groups.at(-1)
    const last = place?.at(-1)
    const isSame =
      last !== undefined &&
      control.at - (place?.[0]?.at ?? 0) < SAME_PLACE &&
      !prices.some(({ at }) => at >= last.at + last.text.length && at < control.at)
    if (isSame) place?.push(control)
    else groups.push([control])
  }
  const owners = ownersOf(groups, page)
  const places = groups.flatMap((group, index) => placesIn(group, owners[index] ?? []))
  const cards = places.flatMap(({ owner }) => (owner.is === 'cards' ? [owner] : []))
  const own = places.filter(({ owner }) => owner.is !== 'cards')
  const mine = own.length > 0 ? own : places
  const buys = mine.filter(({ kind }) => kind === 'buy')
  const after = (list: readonly Place[]) => list.find(({ at }) => at >= heading) ?? list[0]
  const main = after(buys.filter(({ sure }) => sure)) ?? after(buys) ?? after(mine)
  const distance = ({ at }: { at: number }) => Math.abs(at - (main?.at ?? 0))
  const free = own.length > 0 ? ownPrices(prices, owners.flat()) : prices
  const nearest =
    main === undefined ? undefined : free.toSorted((a, b) => distance(a) - distance(b))[0]
  return {
    buys: places.filter(({ kind }) => kind === 'buy').length,
    buy: main?.kind === 'buy' ? main.text : null,
    is_link: main !== undefined && !main.sure,
    sold_out: main?.kind === 'sold_out',
    price: nearest !== undefined && isOf(nearest, main) ? nearest.text : null,
    cards: own.length > 0 ? 0 : cards.reduce((sum, { count }) => sum + count, 0),
    shows: cards.flatMap((owner) => owner.cards).slice(0, MAX_SHOWN),
  }
}

interface Place extends Control {
  owner: Owner
}

/** A price near a control, or in its form: some themes have all of a product in one. */
function isOf({ at }: { at: number }, control: Control | undefined): boolean {
  if (control === undefined) return false
  let box: Box | null = control.box
  while (box !== null && box.element.name !== 'form') box = box.parent
  const size = box === null ? 0 : box.text.to - box.text.from
  const isInForm = box !== null && size <= MAX_FORM && at >= box.text.from && at < box.text.to
  return isInForm || Math.abs(at - control.at) <= NEAR
}

/** The controls of one place as one, for each product that they buy. */
function placesIn(group: readonly Control[], owners: readonly Owner[]): Place[] {
  const places: Place[] = []
  for (const [index, control] of group.entries()) {
    const owner = owners[index] ?? { is: 'unknown' }
    const last = places.at(-1)
    if (last === undefined || keyOf(last.owner) !== keyOf(owner)) {
      places.push({ ...control, owner })
      continue
    }
    if (last.kind === 'sold_out' && control.kind === 'buy') last.kind = 'buy'
    else if (last.text === '') last.text = control.text
    last.sure ||= control.sure
  }
  return places
}

const keyOf = (owner: Owner): string =>
  owner.is === 'cards' ? `cards ${owner.cards.map(({ url }) => url).join(' ')}` : 'page'
