import { readPriceText } from '../../../commerce/price-text.ts'
import { formatMoney, toMinor } from '../../../commerce/product.ts'
import { findPrices } from '../../../markup/page-signs/prices.ts'
import { isNamedIn, mentionsOf, otherVariantIn, productName } from '../../goods.ts'
import type { HandedLine, HandedOver } from '../../hand-over/judge-arrival.ts'
import { EMPTY_BASKET } from '../../pages/words.ts'
import type { PageText } from './page-text.ts'

/** `unknown`: what scripts add to a page is seen in a browser alone. `said` is a sentence. */
type PageVerdict = { is: 'right'; said: string | null } | { is: 'wrong' | 'unknown'; said: string }

interface Visited {
  page: PageText
  html: string
  /** Where the link ended. */
  url: string
}

/** Characters after a name in which its quantity and price are looked for. */
const NEAR = 400
/** Prices of a page that are read. */
const MOST_PRICES = 300

const LOGIN_PATH =
  /(?:^|[/_.-])(?:log-?in|sign-?in|account|anmelde\p{L}*|connexion|acceso|accedi|inloggen)(?:$|[/_.?-])/iu

/** Whether a page of the store holds what a buyer is to go on with. */
export function judgeLinkedPage(visited: Visited, expected: HandedOver): PageVerdict {
  for (const each of expected.lines) {
    const verdict = judgeGood(visited, each, expected)
    if (verdict.is !== 'right') return verdict
  }
  const unstated = expected.lines.filter((each) => !isFilled(visited.page, each))
  return unstated.length === 0
    ? { is: 'right', said: null }
    : { is: 'right', said: 'How many there are does not stand in its markup.' }
}

function judgeGood(
  { page, html, url }: Visited,
  wanted: HandedLine,
  expected: HandedOver,
): PageVerdict {
  const { good } = wanted
  const shown = `${page.title} ${page.text}`
  // An id, or a name in an attribute, stands in no text that a person reads.
  const isThere = isNamedIn(shown, good, titlesOf(wanted)) || isNamedIn(html, good)
  const { pathname, search } = new URL(url)
  const wrong = (said: string): PageVerdict => ({ is: 'wrong', said })
  // A template of an empty basket may stand in the markup of a full one, for scripts to show.
  const unlessScripts = (said: string): PageVerdict =>
    page.hasScripts
      ? { is: 'unknown', said: `Before its scripts run, this holds: ${said}` }
      : wrong(said)
  const filled = isFilled(page, wanted)
  const isEmpty = EMPTY_BASKET.test(page.text.toLowerCase())
  if (!isThere && LOGIN_PATH.test(pathname)) return wrong(`The link ends at a log-in: ${pathname}`)
  if (!isThere && page.asksPassword) return unlessScripts('The page asks the buyer to log in.')
  if (isEmpty && !filled) return unlessScripts('The page says that the basket is empty.')
  const variant = otherVariantIn(page.lines, good, expected.listed)
  if (variant !== null) return wrong(`The page shows ${variant.name}, and not ${good.name}.`)
  if (!isThere) {
    const others = expected.listed.filter(
      (each) =>
        each.product_id !== good.product_id &&
        mentionsOf(page.lines, [productName(each)]).length > 0,
    )
    const [other] = others
    return unlessScripts(
      other !== undefined && new Set(others.map(({ product_id }) => product_id)).size === 1
        ? `The page shows ${productName(other)}, and not ${good.name}.`
        : `The page does not name ${good.name}.`,
    )
  }
  if (!filled && pathname === '/' && search === '') {
    return unlessScripts('The link ends at the start page of the store.')
  }
  return judgeQuantity(page, wanted) ?? judgePrice(page, wanted, expected) ?? RIGHT
}

const titlesOf = ({ title }: HandedLine): string[] => (title === null ? [] : [title])

/** With its options and without: a page may say of a thing only what it is. */
const namesOf = (line: HandedLine): string[] => [
  line.good.name,
  ...titlesOf(line),
  productName(line.good),
]

const RIGHT: PageVerdict = { is: 'right', said: null }

/** `2 ×`, `× 2`, `Qty: 2`, and the same in other languages. */
const BEFORE = /(?<![\p{L}\p{N}.,])(\d{1,4})\s?[×x*]\s*$/iu
const AFTER =
  /(?<!\d\s?)(?<=^|\s)[×x]\s?(\d{1,4})(?![\p{L}\p{N}.,])|(?<!\p{L})(?:qty|quantity|menge|anzahl|quantité|cantidad|quantità|aantal|antal)[\s:.=]{0,4}(\d{1,4})(?![\p{L}\p{N}.,])/iu

/** How many of a good a page states, wherever it names it; empty where it does not say so. */
function statedOf(page: PageText, line: HandedLine): number[] {
  const places = mentionsOf(page.lines, namesOf(line))
  return places.flatMap(({ at, end }, index) => {
    const until = Math.min(end + NEAR, places[index + 1]?.at ?? Number.POSITIVE_INFINITY)
    const before = BEFORE.exec(page.lines.slice(Math.max(0, at - 12), at))
    const field = page.quantities.find((each) => each.at >= end && each.at <= until)
    const after = AFTER.exec(page.lines.slice(end, until))
    const said = before?.[1] ?? after?.[1] ?? after?.[2]
    return [...(said === undefined ? [] : [Number(said)]), ...(field ? [field.value] : [])]
  })
}

/** The price of more than one of a thing shows how many there are. */
function isFilled(page: PageText, line: HandedLine): boolean {
  const { quantity, price } = line
  if (statedOf(page, line).includes(quantity)) return true
  if (quantity === 1 || price === null) return false
  const shown = amountsIn(page.lines, price.currency)
  return shown.some(({ amounts }) => amounts.includes(price.amount * quantity))
}

function judgeQuantity(page: PageText, line: HandedLine): PageVerdict | null {
  const { good, quantity } = line
  const [first] = statedOf(page, line)
  if (first === undefined || isFilled(page, line)) return null
  const said = `The page shows ${first} of ${good.name}, and the link is for ${quantity}.`
  return { is: 'wrong', said }
}

/** The price that stands by a good, unless the page has the right one anywhere. */
function judgePrice(
  page: PageText,
  line: HandedLine,
  { sums }: Pick<HandedOver, 'sums'>,
): PageVerdict | null {
  const { good, quantity, price } = line
  if (price === null) return null
  const { amount, currency } = price
  const right = [amount, amount * quantity, ...sums.map((sum) => sum.amount)]
  const isRight = ({ amounts }: Shown) => amounts.some((each) => right.includes(each))
  if (amountsIn(page.lines, currency).some(isRight)) return null
  const places = mentionsOf(page.lines, namesOf(line))
  const near = places.flatMap(({ end }, index) => {
    const until = Math.min(end + NEAR, places[index + 1]?.at ?? Number.POSITIVE_INFINITY)
    return amountsIn(page.lines.slice(end, until), currency)
  })
  const [first] = near
  if (first === undefined) return null
  // Unspecified: a store may show the money of where a visitor is from.
  if (first.isOther) return { is: 'unknown', said: `The page is in other money: ${first.text}.` }
  const said = `The page shows ${good.name} for ${first.text}, and the link is for ${formatMoney(price)} each.`
  return { is: 'wrong', said }
}

interface Shown {
  text: string
  amounts: number[]
  /** It names another currency. */
  isOther: boolean
}

/** Each price of a text, with what it may mean in the smallest unit; nothing in other money. */
const amountsIn = (text: string, currency: string): Shown[] =>
  findPrices(text, MOST_PRICES).map((found) => {
    const read = readPriceText(found.text)
    const isOther = read.currency !== null && read.currency !== currency
    const amounts = isOther ? [] : read.decimals.flatMap((each) => toMinor(each, currency) ?? [])
    return { text: found.text, amounts, isOther }
  })
