import { currenciesOf, isSameAmount } from '../../commerce/price-text.ts'
import { type Money, toMajor } from '../../commerce/product.ts'
import { type Good, isNamedIn, plain } from '../goods.ts'
import { pricesIn } from '../pages/product.ts'
import { ancestorsOf, isField, type PageNode, type PageTree, textOfNodes } from '../pages/tree.ts'
import { wallOf } from '../pages/walls.ts'
import { ACCOUNT, EMPTY_BASKET, QUANTITY } from '../pages/words.ts'

/** A line of what the buyer takes along. */
export interface HandedLine {
  good: Good
  /** Its name in the store's answer. */
  title: string | null
  quantity: number
  /** Of one piece; null if it was not stated. */
  price: Money | null
}

export interface HandedOver {
  lines: readonly HandedLine[]
  /** What the store has said the goods cost together, and with everything; as far as it has. */
  sums: readonly Money[]
  /** Other goods of the store: the other variants of a product are among them. */
  listed: readonly Good[]
}

/** How a buyer does not find what an agent has chosen. */
type Loss =
  | 'dead'
  | 'log_in'
  | 'empty'
  | 'other_goods'
  | 'other_variant'
  | 'other_quantity'
  | 'other_price'
  | 'other_currency'

/** `unseen`: it says nothing of the store. Texts are sentences. */
type Arrival =
  | { is: 'whole'; notes: string[] }
  | { is: 'lost'; how: Loss; found: string }
  | { is: 'unseen'; why: string }

/** Refusals of us, and not of the buyer: a firewall, a limit. */
export const KEPT_OUT: readonly number[] = [401, 403, 429]

/** Whether a page shows a buyer what an agent has put together. */
export function judgeArrival(tree: PageTree, { lines, sums, listed }: HandedOver): Arrival {
  const { status } = tree
  if (KEPT_OUT.includes(status)) return { is: 'unseen', why: `It answered ${status}.` }
  if (status >= 400) return { is: 'lost', how: 'dead', found: `The link answers ${status}.` }
  const nodes = tree.nodes.filter((node) => !isAround(tree, node))
  const text = textOfNodes(nodes)
  const missing = lines.find(({ good, title }) => !isNamedIn(text, good, title ? [title] : []))
  if (missing !== undefined) return judgeMissing(tree, text, missing)
  const notes: string[] = []
  for (const line of lines) {
    const place = placeOf(nodes, line)
    const lost = otherVariant(place, line, listed) ?? otherQuantity(place, line)
    if (lost !== null) return lost
    const unnamed = optionsOf(line.good).filter((each) => !saysIn(place, each))
    if (unnamed.length > 0) notes.push(`The page does not say ${unnamed.join(', ')}.`)
  }
  const lost = otherPrice(pricesIn(tree, nodes), lines, sums, notes)
  return lost ?? { is: 'whole', notes }
}

/** What every page of a store has around its own. */
const isAround = (tree: PageTree, node: PageNode): boolean =>
  isOf(tree, node, 'contentinfo') || isOf(tree, node, 'navigation')

const isOf = (tree: PageTree, node: PageNode, part: string): boolean =>
  ancestorsOf(tree, node).some(({ role }) => role === part)

function judgeMissing(tree: PageTree, text: string, { good }: HandedLine): Arrival {
  const wall = wallOf(tree, true)
  if (wall?.is === 'stop')
    return { is: 'unseen', why: `A wall is before it: ${wall.finding.detail}` }
  const asksAccount = tree.nodes.some(
    ({ role, attributes }) => role === 'textbox' && attributes.type === 'password',
  )
  const said = text.toLowerCase()
  const main = textOfNodes(tree.nodes.filter((node) => isOf(tree, node, 'main'))).trim()
  const excerpt = [main, text.trim()].find(Boolean)?.slice(0, 160)
  const shows = excerpt === undefined ? 'nothing' : `"${excerpt}"`
  if (asksAccount && ACCOUNT.test(`${said} ${tree.title.toLowerCase()}`)) {
    const found = `It asks the buyer to log in, and does not show ${good.name}: ${shows}.`
    return { is: 'lost', how: 'log_in', found }
  }
  if (EMPTY_BASKET.test(said)) {
    return { is: 'lost', how: 'empty', found: `The basket is empty: ${shows}.` }
  }
  const found = `The page does not show ${good.name}. It shows ${shows}.`
  return { is: 'lost', how: 'other_goods', found }
}

/** The nodes of a page that belong to a line, before and after its name. */
const BEFORE = 4
const AFTER = 24

/** The part of the page around a line's name; it ends where the next price begins another line. */
function placeOf(nodes: readonly PageNode[], { good, title }: HandedLine): readonly PageNode[] {
  const at = nodes.findIndex(({ role, name }) => {
    return role === 'StaticText' && isNamedIn(name, good, title ? [title] : [])
  })
  return at < 0 ? nodes : nodes.slice(Math.max(0, at - BEFORE), at + AFTER)
}

const optionsOf = ({ name, options }: Good): string[] =>
  options === 0 ? [] : name.split(', ').slice(-options)

const saysIn = (place: readonly PageNode[], text: string): boolean =>
  plain(place.map(({ name, value }) => `${name} ${value}`).join(' ')).includes(plain(text))

// Unspecified: a page need not name the variant. One that names another variant of the product,
// and not the one that was chosen, leads the buyer to that one.
function otherVariant(
  place: readonly PageNode[],
  { good }: HandedLine,
  listed: readonly Good[],
): Arrival | null {
  const others = listed.filter(
    (each) => each.product_id === good.product_id && each.options === good.options,
  )
  for (const [at, wanted] of optionsOf(good).entries()) {
    if (saysIn(place, wanted)) continue
    const shown = others
      .flatMap((each) => optionsOf(each)[at] ?? [])
      .find((value) => value !== wanted && saysIn(place, value))
    if (shown === undefined) continue
    const found = `${good.name} was chosen, and the page shows ${shown} instead of ${wanted}.`
    return { is: 'lost', how: 'other_variant', found }
  }
  return null
}

/** `2 × Boot`, `Boot x 2`, `Quantity: 2`. */
const COUNTED =
  /(?:^|\s)(\d{1,4})\s*[×x✕](?=\s|\p{L}|$)|(?:^|\s)[×x✕]\s*(\d{1,4})(?=\s|$)|(?:qty|quantity|menge|anzahl|quantité|cantidad|quantità|aantal|quantidade|antal)[^\p{L}\d]{0,4}(\d{1,4})(?!\d)/giu

function otherQuantity(place: readonly PageNode[], line: HandedLine): Arrival | null {
  const inFields = place.flatMap((node) =>
    (node.role === 'spinbutton' || (isField(node) && QUANTITY.test(node.name.toLowerCase()))) &&
    /^\d{1,4}$/.test(node.value)
      ? [Number(node.value)]
      : [],
  )
  const inText = [...textOfNodes(place).matchAll(COUNTED)].map(([, before, after, named]) =>
    Number(before ?? after ?? named),
  )
  const [first, ...rest] = [...inFields, ...inText]
  if (first === undefined || [first, ...rest].includes(line.quantity)) return null
  const found = `${line.quantity} of ${line.good.name} were handed over, and the page shows ${first}.`
  return { is: 'lost', how: 'other_quantity', found }
}

type ShownPrice = ReturnType<typeof pricesIn>[number]

// Unspecified: prices may be shown for a piece or for a line, with tax or without it, so that it is
// enough to show either those of all lines, or a sum that the store has stated.
function otherPrice(
  shown: readonly ShownPrice[],
  lines: readonly HandedLine[],
  sums: readonly Money[],
  notes: string[],
): Arrival | null {
  const wanted = lines.flatMap(({ price, quantity }) =>
    price === null ? [] : [[price, { ...price, amount: price.amount * quantity }]],
  )
  if (shown.length === 0 || (wanted.length < lines.length && sums.length === 0)) {
    notes.push('The page shows no price to compare.')
    return null
  }
  const same = (money: Money) =>
    shown.filter(({ decimals }) =>
      decimals.some((each) => isSameAmount(each, toMajor(money), money.currency)),
    )
  const ofLines = wanted.map((either) => either.flatMap(same))
  const isPriced = wanted.length === lines.length && ofLines.every((each) => each.length > 0)
  const fitting = isPriced ? ofLines.flat() : sums.flatMap(same)
  const seen = shown.slice(0, 4).map(({ text }) => text.trim())
  const stated = [...wanted.flatMap(([each]) => each ?? []), ...sums][0]
  if (stated === undefined) return null
  const said = `${toMajor(stated)} ${stated.currency} was stated, and the page shows ${seen.join(', ')}.`
  if (fitting.length === 0) return { is: 'lost', how: 'other_price', found: said }
  const isOther = ({ text, currency }: ShownPrice) => {
    const may = currenciesOf({ value: text, currency })
    return may.length > 0 && !may.includes(stated.currency)
  }
  return fitting.every(isOther) ? { is: 'lost', how: 'other_currency', found: said } : null
}
