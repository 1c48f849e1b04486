import { readPriceText } from '../../commerce/price-text.ts'
import { isSoldOutLine, readControl } from '../../markup/page-signs/buy-words.ts'
import { findPrices } from '../../markup/page-signs/prices.ts'
import { isCustomList } from './lists.ts'
import { ancestorsOf, isPress, type PageNode, type PageTree } from './tree.ts'
import { OF_NET, PLACEHOLDER, QUANTITY } from './words.ts'

export interface ReadPrice {
  text: string
  /** Plain decimals, the likeliest first. */
  decimals: string[]
  currency: string | null
}

/** The prices in texts, as a buyer reads them, without those that are crossed out. */
export function pricesIn(
  tree: PageTree,
  nodes: readonly PageNode[],
): (ReadPrice & { node: PageNode })[] {
  const texts = nodes.filter(
    (node) =>
      node.role === 'StaticText' &&
      !ancestorsOf(tree, node).some(
        ({ role, tag }) => role === 'deletion' || /^(?:del|s|strike)$/.test(tag),
      ),
  )
  // A sign and its amount are often texts of their own.
  let line = ''
  const starts: { at: number; node: PageNode }[] = []
  for (const node of texts) {
    starts.push({ at: line.length, node })
    line += `${node.name} `
  }
  return findPrices(line, 60).flatMap(({ at, text }) => {
    const node = starts.findLast((start) => start.at <= at)?.node
    const { decimals, currency } = readPriceText(text)
    return node && decimals.length > 0 ? [{ text, decimals, currency, node }] : []
  })
}

/** A product page, as an agent reads it. */
interface ProductPart {
  heading: PageNode | null
  name: string
  price: (ReadPrice & { node: PageNode }) | null
  add: PageNode | null
  /** Lists and groups of which one has to be chosen, with their controls. */
  choices: { label: PageNode; controls: readonly PageNode[] }[]
  /** Lists of options that are no `select`. */
  lists: readonly PageNode[]
  quantity: PageNode | null
  isSoldOut: boolean
  /** The nodes between the heading and a little after the control that adds. */
  part: readonly PageNode[]
}

/** A store that states the price without tax too may charge either, by the buyer's address. */
function withNet<P extends ReadPrice>(
  price: P | null,
  all: readonly { node: PageNode; decimals: string[] }[],
): P | null {
  const net = all.filter(({ node }) => OF_NET.test(node.name.toLowerCase()))
  return price && { ...price, decimals: [price, ...net].flatMap(({ decimals }) => decimals) }
}

/** Where other products begin, a page's own is over. */
const AFTER = 40

export function readProduct(tree: PageTree): ProductPart {
  const heading =
    tree.nodes.find(({ role, level, name }) => role === 'heading' && level === 1 && name !== '') ??
    null
  const from = heading ? tree.nodes.indexOf(heading) : 0
  const presses = tree.nodes.filter(isPress)
  const offers = (kind: 'cart' | 'buy') =>
    presses.find((node) => tree.nodes.indexOf(node) >= from && readControl(node.name) === kind) ??
    presses.find((node) => readControl(node.name) === kind)
  const add = offers('cart') ?? offers('buy') ?? null
  const addAt = add ? tree.nodes.indexOf(add) : -1
  const end = addAt > from ? addAt + AFTER : from + 250
  const part = tree.nodes.slice(addAt >= 0 && addAt < from ? addAt : from, end)
  const before = addAt > from ? tree.nodes.slice(from, addAt) : part
  const prices = pricesIn(tree, before)
  const price = withNet(prices[0] ?? pricesIn(tree, part)[0] ?? null, prices)
  const lists = before.filter(
    (node) =>
      node.tag === 'select' && !QUANTITY.test(node.name.toLowerCase()) && node.options.length > 1,
  )
  const radios = before.filter(({ role }) => role === 'radio')
  const groups = [
    ...Map.groupBy(
      radios,
      (node) => node.attributes.name ?? ancestorsOf(tree, node)[0]?.selector ?? '',
    ).values(),
  ]
  const number = part.find(
    (node) =>
      node.role === 'spinbutton' ||
      ((node.role === 'textbox' || node.tag === 'select') &&
        QUANTITY.test(node.name.toLowerCase())),
  )
  const title = tree.title.toLowerCase()
  const named =
    heading ??
    tree.nodes.find(
      ({ role, name }) =>
        role === 'heading' && name.length > 2 && title.includes(name.toLowerCase()),
    )
  return {
    heading,
    name: named?.name ?? tree.title,
    price,
    add,
    choices: [
      ...lists.map((list) => ({ label: list, controls: [list] })),
      ...groups.flatMap(([first, ...rest]) =>
        first ? [{ label: groupOf(tree, first), controls: [first, ...rest] }] : [],
      ),
    ],
    lists: before.filter((node) => isCustomList(node) && !QUANTITY.test(node.name.toLowerCase())),
    quantity: number ?? null,
    isSoldOut: part.some(
      (node) =>
        (node.role === 'StaticText' && isSoldOutLine(node.name)) ||
        (isPress(node) && readControl(node.name) === 'sold_out'),
    ),
    part,
  }
}

/** What names a group of radio buttons: the nearest group around them. */
const groupOf = (tree: PageTree, radio: PageNode): PageNode =>
  ancestorsOf(tree, radio).find(({ role }) => role === 'radiogroup' || role === 'group') ?? radio

/** Whether a list still asks to choose. */
export const isToChoose = (list: PageNode): boolean => PLACEHOLDER.test(list.value.toLowerCase())
