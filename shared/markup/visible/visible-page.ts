import { readPriceText } from '../../commerce/price-text.ts'
import { attributeOf, type PageElement } from '../html/elements.ts'
import { isBuyName, isSoldOutLine, namesStock, readControl } from '../page-signs/buy-words.ts'
import { findPrices, isPlainPrice, WITHOUT_TAX } from '../page-signs/prices.ts'
import { createHiddenReader, type HiddenText } from './hidden-text.ts'
import { createVisibility } from './visibility.ts'

/** What people see of the product of a page, and what its text says without their seeing it. */
export interface VisiblePage {
  /**
   * The price of the product as it is shown between the heading and the control that buys; null
   * where none is, or several are.
   */
  price: string | null
  /** The ends of the range that is shown in its place. */
  range: { low: string; high: string } | null
  /** It says that taxes are added to it. */
  without_tax: boolean
  /** Every price on the page but struck-through ones, each once: one of them may be meant. */
  prices: string[]
  /** What says that the product is sold out, where nothing can be bought in its place. */
  sold_out: string | null
  /**
   * The control that puts the product into a cart, without a script; null where the page says
   * anywhere that something is sold out or comes later, or lets choose a variant.
   */
  sells: string | null
  /** Of its variants, as the page hands them to its script, none is left. */
  none_left: boolean
  /** Something else of the product can be chosen, such as a size. */
  has_choice: boolean
  /** Of its text that is not seen: what it says to agents, and of the product. */
  hidden: HiddenText[]
}

const MAX_TEXT = 300_000
const MAX_PRICES = 100
const MAX_PRICE = 40
const MAX_NOTED = 500

/** Characters of text from the heading of a product to its control, and where there is none. */
const MAX_PLACE = 3_000
const PLACE_ALONE = 400
/** Around the control. */
const NEAR_CONTROL = 200

const OUTSIDE = new Set(['nav', 'footer', 'dialog', 'aside'])
const STRUCK = new Set(['s', 'del', 'strike'])
const STRUCK_NAME =
  /(?:^|[\s_-])(?:old|was|compare|strike\w*|struck|crossed|rrp|msrp|uvp|before|original|previous|list-?price)(?=[\s_-]|$)/i
/** Elements that break no line: their text runs on. */
const INLINE = new Set(
  'a abbr b bdi bdo big data em font i ins label mark small span strong sub sup u wbr'.split(' '),
)
/** What stands in these is one of several, or leads elsewhere. */
const APART = new Set(['label', 'li', 'a', 'button'])
const APART_NAME =
  /(?:^|[\s_-])(?:savings?|discount|unit|per|base|members?|club|instal\w*|financ\w*|month\w*|tiers?|bulk|bundles?|add-?ons?|upsells?|cross-?sells?|related|recommend\w*|similar|cards?|swatch\w*|variants?|options?|errors?|alerts?|messages?|notices?|notif\w*|template|quick\w*|review\w*|faq)(?=[\s_-]|$)/i

/** Names of what says how many are left, but not in a branch. */
const STOCK = /^(?!.*(?:pick-?up|store|branch|filial|local|collect)).*(?:stock|sold)/is

/** Headings of lists of other products. */
const OTHERS =
  /related|similar|also (?:like|bought|viewed)|you may|recommend|frequently|recently|customers|best-?sellers?|complete the|goes with|ähnlich|passend|kunden|empfehl|zubehör|dazu|zuletzt|aimerez|similaires|associés|relacionad|también|correlat|potrebbe|simili|consigliat|vergelijkbaar|gerelateerd|podobne|polecane|liknande|relaterade|lignende|похож|рекоменд|おすすめ|関連|推荐|相关|추천/i

interface Control {
  at: number
  end: number
  is: 'buy' | 'sold_out'
  enabled: boolean
  /** It sends a form. */
  sends: boolean
}

interface Heading {
  at: number
  end: number
  name: string
  text: string
}

/** Follows where in the text things of one kind stand. */
function createSpans() {
  const turns: number[] = []
  let depth = 0
  return {
    enter(at: number) {
      if (depth === 0) turns.push(at)
      depth += 1
    },
    leave(at: number) {
      depth -= 1
      if (depth === 0) turns.push(at)
    },
    /** As if those that are open had not begun. */
    forget() {
      if (depth > 0) turns.pop()
      depth = 0
    },
    isOpen: () => depth > 0,
    /** Whether a position is within: an odd number of turns lies before it. */
    holds(at: number): boolean {
      let [low, high] = [0, turns.length]
      while (low < high) {
        const middle = (low + high) >> 1
        if ((turns[middle] ?? 0) <= at) low = middle + 1
        else high = middle
      }
      return low % 2 === 1
    },
  }
}

/** Reads what people see of a page from the stream of its elements. */
export function createVisibleReader() {
  const visibility = createVisibility()
  const hidden = createHiddenReader()
  const outside = createSpans()
  const struck = createSpans()
  const apart = createSpans()
  const spans = { outside, struck, apart }
  const kindOf = createKinds()
  const entered: { element: PageElement; spans: typeof apart }[] = []
  const parts: string[] = []
  let size = 0
  /** What only a style sheet elsewhere may hide. */
  const unsure: string[] = []
  let unsureSize = 0
  const controls: Control[] = []
  const open = new Map<
    PageElement,
    { at: number; named: boolean; isLink: boolean; enabled: boolean; sends: boolean }
  >()
  /** What says that nothing is left, where shops leave the control away. */
  const stated: Control[] = []
  const lines = new Map<PageElement, number>()
  const headings: Heading[] = []
  let heading: { element: PageElement; at: number } | null = null
  const choices: number[] = []
  let select: { element: PageElement; at: number; options: number } | null = null
  let radio = ''
  let isJoint = false
  const forms: PageElement[] = []
  let noneLeft = false

  const isSeen = () => visibility.now() === 'shown' && !outside.isOpen()
  const add = (text: string) => {
    if (size >= MAX_TEXT || text === '') return
    let line = text.replace(/[\s\u200e\u200f]+/g, ' ')
    const last = parts.at(-1) ?? '\n'
    if (line === ' ' && /[ \n]$/.test(last)) return
    // `$19<sup>99</sup>`: another element begins within the number.
    if (isJoint && /^\d/.test(line) && /\d$/.test(last)) line = `.${line}`
    isJoint = false
    parts.push(line)
    size += line.length
  }
  const breakLine = () => {
    const last = parts.at(-1)
    if (size >= MAX_TEXT || last === undefined || last.endsWith('\n')) return
    if (last === ' ') parts.pop()
    else size += 1
    parts.push('\n')
  }
  const bound = ({ name }: PageElement) => {
    if (INLINE.has(name)) isJoint = true
    else {
      hidden.flush()
      if (visibility.now() === 'shown') breakLine()
      else unsure.push('\n')
    }
  }
  /** The text since a position. Only called for short texts. */
  const since = (from: number): string => {
    let text = ''
    for (let n = parts.length - 1, left = size - from; n >= 0 && left > 0; n -= 1) {
      text = (parts[n] ?? '') + text
      left -= parts[n]?.length ?? 0
      if (text.length > NEAR_CONTROL) return ''
    }
    return text.slice(from - size).trim()
  }
  const enter = (element: PageElement, spans: typeof apart) => {
    spans.enter(size)
    entered.push({ element, spans })
  }
  const note = (control: Control) => {
    if (controls.length < MAX_NOTED) controls.push(control)
  }
  const holdOwn = () => {
    if (entered.some((each) => each.spans === apart && APART.has(each.element.name))) return
    apart.forget()
    for (let n = entered.length - 1; n >= 0; n -= 1)
      if (entered[n]?.spans === apart) entered.splice(n, 1)
  }

  return {
    /** In what the page itself hides on every screen. */
    isHidden: (): boolean => visibility.now() === 'hidden',
    start(element: PageElement): void {
      if (element.foreign) return
      const { name } = element
      bound(element)
      visibility.start(element)
      const kind = kindOf(element)
      if (kind !== null) enter(element, spans[kind])
      if (name === 'option' && select !== null) select.options += 1
      if (isPost(element)) forms.push(element)
      if (name === 'form' && !apart.isOpen()) noneLeft ||= isNoneLeft(element)
      if (!isSeen()) return
      if (/^h[1-4]$/.test(name) && heading === null) heading = { element, at: size }
      // `product no-review`: what holds the name of the page's product is that product.
      if (name === 'h1' && apart.isOpen() && !controls.some(({ is }) => is === 'buy')) holdOwn()
      if (name === 'select' && select === null && !isSetting(element)) {
        select = { element, at: size, options: 0 }
      }
      if (isOneOfSeveral(element)) choices.push(size)
      const control = controlOf(element, forms.length > 0)
      if (control === null) {
        if (namesStock(element, STOCK) && !apart.isOpen()) lines.set(element, size)
        return
      }
      const { is, ...about } = control
      if (is === null) open.set(element, { at: size, ...about })
      else note({ at: size, end: size, is, ...about })
    },
    end(element: PageElement, raw: string | null): void {
      if (element.foreign) return
      if (raw !== null && element.name === 'style') visibility.style(raw)
      if (raw !== null && element.name === 'noscript') hidden.withoutScripts(raw)
      if (heading?.element === element) {
        const text = since(heading.at)
        if (headings.length < MAX_NOTED)
          headings.push({ at: heading.at, end: size, name: element.name, text })
        heading = null
      }
      if (select?.element === element) {
        if (select.options > 1) choices.push(select.at)
        select = null
      }
      const control = open.get(element)
      if (control !== undefined) {
        open.delete(element)
        const is = whatControl(since(control.at), control)
        if (is !== null) note({ ...control, end: size, is })
      }
      const line = lines.get(element)
      lines.delete(element)
      if (line !== undefined && isSoldOutLine(since(line)) && stated.length < MAX_NOTED)
        stated.push({ at: line, end: size, is: 'sold_out', enabled: false, sends: false })
      const within = entered.findLastIndex((each) => each.element === element)
      if (within !== -1) entered.splice(within, 1)[0]?.spans.leave(size)
      if (forms.at(-1) === element) forms.pop()
      const before = visibility.now()
      bound(element)
      visibility.end(element)
      if (before !== 'shown' && visibility.now() !== before) hidden.close(before === 'hidden')
    },
    text(characters: string): void {
      const now = visibility.now()
      if (now === 'shown') {
        if (!outside.isOpen() && !struck.isOpen()) add(characters)
        return
      }
      hidden.text(characters, outside.isOpen() || apart.isOpen() || struck.isOpen(), size)
      if (now === 'unsure' && !struck.isOpen() && unsureSize < MAX_TEXT) {
        unsure.push(characters)
        unsureSize += characters.length
      }
    },
    finish(): VisiblePage {
      const text = parts.join('').slice(0, MAX_TEXT)
      const found = findPrices(text, MAX_NOTED)
      const isApartAt = (at: number) => apart.holds(at)
      const place = placeOf(headings, controls, stated, isApartAt)
      const plain = place === null ? [] : plainPrices(text, place, headings, isApartAt)
      const amounts = new Set(plain.map((price) => amountOf(price.text)))
      amounts.delete(null)
      const [first] = plain
      const isOne = new Set(plain.map((each) => each.text)).size === 1
      const price = amounts.size === 1 && first !== undefined ? first : null
      const range = amounts.size === 0 && isOne && first !== undefined ? first.range : null
      const isChoice = place !== null && choices.some((at) => at >= place.from && at <= place.to)
      const all = [...found, ...findPrices(unsure.join(''), MAX_NOTED)]
      return {
        price: price === null ? null : price.text.slice(0, MAX_PRICE),
        range,
        without_tax:
          first !== undefined &&
          (price ?? range) !== null &&
          WITHOUT_TAX.test(text.slice(first.at, first.at + 80)),
        prices: [...new Set(all.map((each) => each.text.slice(0, MAX_PRICE)))].slice(0, MAX_PRICES),
        sold_out: place === null ? null : soldOutIn(text, place, controls, stated, isApartAt),
        sells:
          place === null || isChoice || hidden.found.some(({ says }) => says === 'stock')
            ? null
            : sellsIn(text, place, controls, unsure.join('')),
        none_left: noneLeft,
        has_choice: isChoice,
        hidden: hidden.found.filter(
          ({ says, at }) =>
            says === 'instruction' ||
            (place !== null && at >= place.from && at <= place.to && !isChoice),
        ),
      }
    },
  }

  function isOneOfSeveral(element: PageElement): boolean {
    if (attributeOf(element, 'role') === 'radio') return true
    const isRadio =
      element.name === 'input' && attributeOf(element, 'type')?.toLowerCase() === 'radio'
    if (!isRadio || isSetting(element)) return false
    const group = attributeOf(element, 'name') ?? ''
    const isAgain = group === radio
    radio = group
    return isAgain
  }
}

/** What an element is by its own name, its classes and its id, each of which is judged once. */
function createKinds() {
  const known = new Map<string, 'struck' | 'apart' | null>()
  const byNames = (names: string) => {
    const found = known.get(names)
    if (found !== undefined) return found
    const kind = STRUCK_NAME.test(names) ? 'struck' : APART_NAME.test(names) ? 'apart' : null
    if (known.size < MAX_NAMES) known.set(names, kind)
    return kind
  }
  return (element: PageElement): 'outside' | 'struck' | 'apart' | null => {
    const { name } = element
    if (OUTSIDE.has(name)) return 'outside'
    if (STRUCK.has(name)) return 'struck'
    let names = ''
    for (const { name: attribute, value } of element.attributes) {
      if (attribute === 'class' || attribute === 'id') {
        const own = value.slice(0, MAX_NAME)
        names = names === '' ? own : `${names} ${own}`
      } else if (attribute === 'style' && value.includes('line-through')) return 'struck'
    }
    // Of the whole page, names say what it has somewhere.
    const isWhole = name === 'body' || name === 'html' || name === 'main'
    const kind = names === '' || isWhole ? null : byNames(names)
    return APART.has(name) ? (kind ?? 'apart') : kind
  }
}

const MAX_NAMES = 5_000
const MAX_NAME = 300

/** A choice of how many, how to sort or where to: not of another variant. */
const isSetting = (element: PageElement): boolean =>
  /qty|quantit|menge|anzahl|cantidad|quantita|country|currency|land|lang|locale|sort|rating|ship|country|region/i.test(
    `${attributeOf(element, 'name') ?? ''} ${attributeOf(element, 'id') ?? ''} ${attributeOf(element, 'aria-label') ?? ''}`,
  )

/** A form that browsers without scripts send to the shop. */
const isPost = (element: PageElement): boolean =>
  element.name === 'form' && attributeOf(element, 'method')?.toLowerCase() === 'post'

/**
 * https://github.com/woocommerce/woocommerce: `single-product/add-to-cart/variable.php` holds all of
 * them for the script that offers them, and `false` where they are many.
 */
function isNoneLeft(element: PageElement): boolean {
  const variants = attributeOf(element, 'data-product_variations') ?? ''
  const stocks = [...variants.slice(0, MAX_TEXT).matchAll(/"is_in_stock":\s?(true|false)/g)]
  const isWhole = variants.length <= MAX_TEXT
  return isWhole && stocks.length > 0 && stocks.every(([, is]) => is === 'false')
}

/** A control that may buy. `is` is null where only its text tells. */
function controlOf(element: PageElement, isInForm: boolean) {
  const { name } = element
  const read = (attribute: string) => attributeOf(element, attribute) ?? ''
  const isLink = name === 'a'
  const type = name === 'input' || name === 'button' ? read('type').toLowerCase() : ''
  const isInput = name === 'input' && (type === 'submit' || type === 'button' || type === 'image')
  if (!isInput && !isLink && name !== 'button' && read('role') !== 'button') return null
  const named =
    ['id', 'class', 'name', 'data-action', 'data-testid'].some((each) => isBuyName(read(each))) ||
    (isLink && isBuyName(read('href')))
  const enabled =
    attributeOf(element, 'disabled') === null &&
    read('aria-disabled') !== 'true' &&
    !/(?:^|[\s_-])disabled(?=\s|$)/i.test(read('class'))
  const sends = isInForm && (isInput || (name === 'button' && type !== 'button'))
  const about = { named, isLink: isLink && read('href') !== '', enabled, sends }
  const label = isInput ? read('value') || read('alt') : ''
  return { ...about, is: label === '' ? null : whatControl(label, about) }
}

function whatControl(
  text: string,
  { named, isLink }: { named: boolean; isLink: boolean },
): Control['is'] | null {
  if (isSoldOutLine(text)) return isLink ? null : 'sold_out'
  const kind = readControl(text)
  if (kind === 'cart' || kind === 'buy') return 'buy'
  return named && kind === null ? 'buy' : null
}

/**
 * Where the page's own product stands: from its heading to its control. Null where neither is
 * found. A heading of other products ends it.
 */
function placeOf(
  headings: readonly Heading[],
  controls: readonly Control[],
  stated: readonly Control[],
  isApart: (at: number) => boolean,
) {
  const first = headings.find(({ name }) => name === 'h1')
  const buys = controls.find(({ at }) => first !== undefined && at >= first.at)
  // Some pages have the name of the shop, or messages, as headings of the first order as well.
  const top =
    headings.findLast(
      ({ name, at, text }) =>
        name === 'h1' && at <= (buys?.at ?? first?.at ?? 0) && !OTHERS.test(text),
    ) ?? first
  const from = top?.at ?? 0
  const next = headings.find(
    ({ at, text, name }) =>
      top !== undefined &&
      at > top.at &&
      name !== 'h1' &&
      (isApart(at) || isApart(at + 1) || OTHERS.test(text)),
  )
  const until = Math.min(next?.at ?? Number.POSITIVE_INFINITY, from + MAX_PLACE)
  const isHere = ({ at }: Control) => at >= from && at < until
  const control = controls.find(isHere) ?? stated.find(isHere)
  if (control !== undefined) {
    const start = top === undefined ? Math.max(0, control.at - PLACE_ALONE) : from
    return { from: start, to: Math.min(until, control.end + NEAR_CONTROL), top: top?.end ?? start }
  }
  if (top === undefined) return null
  const second = headings.find(({ at, text }) => at > top.at && !/\d/.test(text))
  const end = Math.min(until, second?.at ?? until, top.end + PLACE_ALONE)
  return { from, to: end, top: top.end }
}

/**
 * The prices and ranges at a place that are the product's, and of nothing else: see `isPlainPrice`.
 */
function plainPrices(
  whole: string,
  place: { from: number; to: number },
  headings: readonly Heading[],
  isApart: (at: number) => boolean,
): { at: number; text: string; range: VisiblePage['range'] }[] {
  const base = Math.max(0, place.from - NEAR_CONTROL)
  const text = whole.slice(base, place.to + NEAR_CONTROL)
  return withRanges(text, findPrices(text, MAX_NOTED))
    .filter((price) => {
      const at = base + price.at
      return place.from <= at && at <= place.to && !isApart(at) && isPlainIn(text, price, isName)
    })
    .map((price) => ({ ...price, at: base + price.at }))

  function isName(at: number): boolean {
    return headings.some((each) => each.at <= base + at && base + at <= each.end)
  }
}

/** Two prices with a dash between them are one range, as `89,00 € – 99,00 €`. */
function withRanges(text: string, found: readonly { at: number; text: string }[]) {
  const ends = found.map((price) => price.at + lengthIn(text, price.at, price.text))
  const isJoined = (n: number) => /^ ?[–—-] ?$/.test(text.slice(ends[n], found[n + 1]?.at ?? 0))
  return found.flatMap((price, n) => {
    const next = found[n + 1]
    if (n > 0 && isJoined(n - 1)) return []
    if (next === undefined || !isJoined(n)) return [{ ...price, range: null }]
    const [low, high] = [price, next].map((each) => each.text.slice(0, MAX_PRICE))
    const isRange = numberOf(low ?? '') < numberOf(high ?? '')
    const range = isRange && low !== undefined && high !== undefined ? { low, high } : null
    return [{ at: price.at, text: text.slice(price.at, ends[n + 1]), range }]
  })
}

const numberOf = (text: string): number => Number(readPriceText(text).decimals[0] ?? Number.NaN)

function isPlainIn(
  text: string,
  { at, text: written }: { at: number; text: string },
  isName: (at: number) => boolean,
): boolean {
  const start = text.lastIndexOf('\n', at) + 1
  // A sign may stand in a line of its own.
  const length = lengthIn(text, at, written)
  const end = endOfLine(text, at + length)
  const before = start === 0 ? '' : text.slice(text.lastIndexOf('\n', start - 2) + 1, start - 1)
  return isPlainPrice(
    { before: text.slice(start, at), after: text.slice(at + length, end) },
    {
      before: isName(start - 1) ? '' : before.trim(),
      after: text.slice(end + 1, endOfLine(text, end + 1)).trim(),
    },
  )
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end === -1 ? text.length : end
}

/** As long as it is in the text: it is written without line ends and doubled blanks. */
function lengthIn(text: string, at: number, written: string): number {
  let length = 0
  for (const sign of written) {
    while (/\s/.test(text[at + length] ?? '') && !/\s/.test(sign)) length += 1
    length += sign.length
  }
  return length
}

/** The likeliest amount, with its currency; null for nothing and for what cannot be read. */
function amountOf(written: string): string | null {
  const { decimals, currency } = readPriceText(written)
  const [amount] = decimals
  return amount === undefined || Number(amount) === 0 ? null : `${Number(amount)} ${currency}`
}

/**
 * The words by which the product is sold out: those of its control, or of what replaces it, or a
 * line of its own where the control is there and cannot be used.
 */
function soldOutIn(
  text: string,
  place: { from: number; to: number },
  controls: readonly Control[],
  stated: readonly Control[],
  isApart: (at: number) => boolean,
): string | null {
  const isHere = ({ at }: Control) => at >= place.from && at <= place.to
  const found = controls.filter(isHere)
  const here = found.length > 0 ? found : stated.filter(isHere)
  if (here.length === 0 || here.some(({ is, enabled }) => is === 'buy' && enabled)) return null
  const [control] = here.filter(({ is }) => is === 'sold_out')
  if (control !== undefined)
    return text.slice(control.at, control.end).trim().slice(0, MAX_PRICE) || 'Sold out'
  let at = place.from
  for (const line of text.slice(place.from, place.to).split('\n')) {
    if (!isApart(at + 1) && isSoldOutLine(line)) return line.trim()
    at += line.length + 1
  }
  return null
}

/**
 * The text of the control by which the product can be put into a cart as the page stands. Of what
 * is sold out some themes keep the control, and say so in a line, or show it by a style sheet.
 */
function sellsIn(
  text: string,
  place: { from: number; to: number },
  controls: readonly Control[],
  unsure: string,
): string | null {
  const here = controls.filter(({ at }) => at >= place.from && at <= place.to)
  const labels = here.map(({ at, end }) => text.slice(at, end).trim())
  const [label] = labels
  const isSold =
    here.every(({ is, enabled, sends }) => is === 'buy' && enabled && sends) &&
    labels.every((each) => readControl(each) === 'cart')
  if (label === undefined || !isSold) return null
  const lines = `${text}\n${unsure}`.split('\n')
  return lines.some((line) => isSoldOutLine(line) || COMES_LATER.test(line)) ? null : label
}

/** That it is sold before it is there, or that a message is sent once it is. */
const COMES_LATER =
  /back-?\s?order|pre-?\s?order|notify|wait-?list|back in stock|made to order|vorbestell|nachbestell|lieferzeit|benachrichtig|pré-?command|précommand|réappro|sur commande|délai|bajo pedido|reserva|preventa|preordin|su ordinazione|encomenda|nabestel|levertijd|beställningsvara|bestillingsvare|na zamówienie|na objednávku|под заказ|предзаказ|予約|取り寄せ|예약|预订|預購/iu
