import { fieldKindOf } from '../../markup/field-kinds.ts'
import { type Deciding, lower, type PagesDecision, type PagesState } from './deciding.ts'
import { onCheckout } from './on-checkout.ts'
import { holds, judgePrice } from './price-kept.ts'
import { readProduct } from './product.ts'
import { ancestorsOf, isField, isPress, type PageNode, type PageTree, textOfNodes } from './tree.ts'
import { openOption } from './variants.ts'
import {
  ASKS_CHOICE,
  BASKET_LINK,
  BASKET_PLACE,
  EMPTY_BASKET,
  PAY,
  REMOVE,
  TO_CHECKOUT,
} from './words.ts'

/** By its address or its heading. */
export const isBasketPage = (tree: PageTree): boolean =>
  BASKET_PLACE.test((URL.parse(tree.url)?.pathname ?? '').toLowerCase()) ||
  tree.nodes.some(
    ({ role, level, name }) =>
      role === 'heading' && level === 1 && BASKET_PLACE.test(name.toLowerCase()),
  )

/** A button before the one that adds, which may choose a variant without saying its state. */
function plainOption(tree: PageTree, done: Deciding): PageNode | undefined {
  const { part, add } = readProduct(tree)
  const before = part.slice(0, add ? part.indexOf(add) : 0)
  return (
    openOption(tree, before, done.isTried, true) ?? openOption(tree, before, done.isTried, false)
  )
}

/** The first that the page itself shows; one of its menus and bars if it shows none. */
const ofPage = (tree: PageTree, nodes: readonly PageNode[]): PageNode | undefined =>
  nodes.find(
    (node) =>
      !ancestorsOf(tree, node).some(({ role }) =>
        /^(?:navigation|banner|contentinfo|menubar)$/.test(role),
      ),
  ) ?? nodes[0]

/** What is next after adding: the basket is found and compared, then the checkout. */
export function onBasket(state: PagesState, tree: PageTree, done: Deciding): PagesDecision {
  const presses = tree.nodes.filter((node) => isPress(node) && !node.disabled)
  const checkout = ofPage(
    tree,
    presses.filter((node) => TO_CHECKOUT.test(lower(node))),
  )
  if (!isBasketPage(tree)) {
    const links = presses.filter((node) => BASKET_LINK.test(lower(node)))
    const link =
      links.find((node) => node.role === 'link' && !done.isTried(node)) ??
      links.find((node) => !done.isTried(node))
    if (link) return done.press(link, 'Open the basket')
    if (checkout) return done.press(checkout, 'Go to the checkout', { stage: 'checkout' })
    const pay = presses.find((node) => PAY.test(lower(node)))
    const asksAddress = tree.nodes.some((node) => isField(node) && fieldKindOf(node) === 'street')
    // "Buy now" leads straight to the checkout.
    if (pay || asksAddress) return onCheckout({ ...state, stage: 'checkout' }, tree, done)
    if (ASKS_CHOICE.test(textOfNodes(tree.nodes).toLowerCase())) {
      const option = plainOption(tree, done)
      if (option) return done.press(option, `Choose ${option.name}`, { stage: 'product' })
      done.see(
        'options_not_operable',
        'The page asks to choose a variant, and offers no control for it.',
        tree.nodes.find((node) => node.role === 'StaticText' && ASKS_CHOICE.test(lower(node))) ??
          null,
      )
      return done.end('stopped')
    }
    const bare = presses.find(
      (node) =>
        node.role === 'link' && node.name === '' && BASKET_PLACE.test(node.attributes.href ?? ''),
    )
    done.see(
      'basket_link_missing',
      'After adding, no link says that it leads to the basket or the checkout.',
      bare ?? null,
    )
    return done.end('stopped')
  }
  const text = textOfNodes(tree.nodes).toLowerCase()
  if (!holds(tree, state.product.name)) {
    const heading = tree.nodes.find(({ role }) => role === 'heading') ?? null
    const isEmpty = EMPTY_BASKET.test(text)
    done.see(
      isEmpty ? 'basket_empty' : 'add_without_effect',
      `"${state.product.name}" is not in the basket.`,
      heading,
    )
    return done.end('stopped')
  }
  const isSame = judgePrice(state, tree, done)
  const quantity = tree.nodes.find(({ role }) => role === 'spinbutton')
  if (quantity && /^\d+$/.test(quantity.value) && quantity.value !== '1') {
    done.see('quantity_changed', `One was added, and the basket holds ${quantity.value}.`, quantity)
    return done.end('stopped')
  }
  if (!isSame) return done.end('stopped')
  if (checkout && !done.isTried(checkout)) {
    return done.press(checkout, 'Go to the checkout', { stage: 'checkout' })
  }
  const plain = tree.nodes.find(
    (node) => node.role === 'StaticText' && TO_CHECKOUT.test(lower(node)),
  )
  if (plain && !checkout) {
    done.see('checkout_not_a_control', `"${plain.name}" has no role that can be pressed.`, plain)
  } else {
    const bare = presses.find((node) => node.name === '')
    done.see(
      'checkout_link_missing',
      'No button or link of the basket says that it leads to the checkout.',
      bare ?? checkout ?? null,
    )
  }
  return done.end('stopped')
}

/** Whether a page of a basket says that it is empty, or holds the product no longer. */
export const isEmptied = ({ product }: PagesState, tree: PageTree): boolean =>
  EMPTY_BASKET.test(textOfNodes(tree.nodes).toLowerCase()) || !holds(tree, product.name)

/** What takes a thing out of the basket, the page's own first; none if the basket holds nothing. */
export function removersOf(tree: PageTree): PageNode[] {
  const all = tree.nodes.filter((node) => isPress(node) && REMOVE.test(lower(node)))
  const first = ofPage(tree, all)
  return first ? [first, ...all.filter((node) => node !== first)] : []
}
