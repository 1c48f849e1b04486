import { currenciesOf, isSameAmount } from '../../commerce/price-text.ts'
import { type Deciding, lower, type PagesState } from './deciding.ts'
import { pricesIn, type ReadPrice } from './product.ts'
import type { PageNode, PageTree } from './tree.ts'

/** Whether a node says this name, or how it begins. */
const isNamed = (node: PageNode, name: string): boolean =>
  node.name !== '' && lower(node).includes(name.toLowerCase().slice(0, 60))

/** Whether a product of this name is on the page. */
export const holds = (tree: PageTree, name: string): boolean =>
  tree.nodes.some((node) => isNamed(node, name))

/** Whether the price of the product page is on this page; what is wrong with it is noted. */
export function judgePrice(
  { product: { price, name } }: PagesState,
  tree: PageTree,
  done: Deciding,
): boolean {
  if (price === null) return true
  const prices = pricesIn(tree, tree.nodes)
  if (prices.length === 0) return true
  const isIt = (each: ReadPrice) =>
    each.decimals.some((one) =>
      price.decimals.some((other) => isSameAmount(one, other, price.currency)),
    )
  const same = prices.filter(isIt)
  const named = tree.nodes.findIndex((node, at) => at > 0 && isNamed(node, name))
  const after = prices.filter(({ node }) => tree.nodes.indexOf(node) > named)
  const shown = named > 0 && after.length > 0 ? after : prices
  if (same.length === 0) {
    done.see(
      'price_changed',
      `"${name}" costs ${price.text} on its page; here ${shown
        .slice(0, 3)
        .map(({ text }) => text)
        .join(', ')}.`,
      shown[0]?.node ?? null,
    )
    return false
  }
  const mayBe = (each: ReadPrice) => currenciesOf({ value: each.text, currency: each.currency })
  const wanted = mayBe(price)
  const isOther = (each: ReadPrice) => {
    const currencies = mayBe(each)
    return currencies.length > 0 && !currencies.some((currency) => wanted.includes(currency))
  }
  if (wanted.length > 0 && same.every(isOther)) {
    done.see(
      'currency_changed',
      `${price.text} on its page, ${same[0]?.text} here.`,
      same[0]?.node ?? null,
    )
    return false
  }
  return true
}
