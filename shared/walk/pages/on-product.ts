import { readControl } from '../../markup/page-signs/buy-words.ts'
import { type Deciding, fill, type PagesDecision, type PagesState } from './deciding.ts'
import { openList } from './open-list.ts'
import { isToChoose, readProduct } from './product.ts'
import { type PageNode, type PageTree, textOfNodes } from './tree.ts'
import { openOption } from './variants.ts'
import { ASKS_CHOICE, PLACEHOLDER } from './words.ts'

/** What is next on a product's page: a variant is chosen, and it is put into the basket. */
export function onProduct(state: PagesState, tree: PageTree, done: Deciding): PagesDecision {
  const read = readProduct(tree)
  const { heading, price, add, choices, quantity } = read
  const byName = (node: PageNode[]) => openOption(tree, node, done.isTried, true)
  if (add === null) {
    // Many say "sold out" or "select" on a disabled button until a variant is chosen.
    const gate = read.part.findIndex((node) => node.role === 'button' && node.disabled)
    const option = gate < 0 ? undefined : byName(read.part.slice(0, gate))
    if (option) return done.press(option, `Choose ${option.name}`)
    if (read.isSoldOut) return done.end('sold_out')
    const text = tree.nodes.find(
      (node) => node.role === 'StaticText' && readControl(node.name) === 'cart',
    )
    const bare = read.part.find((node) => node.role === 'button' && node.name === '')
    if (text) done.see('add_not_a_control', `"${text.name}" has no role that can be pressed.`, text)
    else if (bare) done.see('add_unnamed', 'A button without a name is where it is expected.', bare)
    else {
      const what = 'No button or link says that it adds the product to the basket.'
      done.see('add_missing', what, heading)
    }
    return done.end('stopped')
  }
  for (const { label, controls } of choices) {
    const list = controls[0]
    if (label.name === '' && !done.isTried(label)) {
      done.see('option_unnamed', 'It does not say what is chosen with it.', label)
    }
    if (list?.tag === 'select') {
      const wanted = list.options.find(
        ({ text, value, disabled }) =>
          !disabled && value !== '' && !PLACEHOLDER.test(text.toLowerCase()),
      )
      if (isToChoose(list) && wanted && !done.isTried(list)) {
        return fill(state, tree, done, `Choose ${wanted.text}`, [
          { node: list, option: wanted.value },
        ])
      }
    } else if (!controls.some(({ checked }) => checked)) {
      const free = controls.find((node) => !node.disabled && !done.isTried(node))
      if (free) return done.press(free, `Choose ${free.name}`)
    }
  }
  const list = read.lists.find(
    (node) => PLACEHOLDER.test((node.value || node.name).toLowerCase()) && !done.isTried(node),
  )
  if (list) return openList(tree, done, list, 'variant')
  if (heading === null) {
    done.see('product_name_missing', 'No heading of level 1 names the product.', add)
  }
  if (price === null)
    done.see('price_missing', 'No text near the heading and the button is a price.', add)
  if (quantity && quantity.name === '') {
    done.see('quantity_unnamed', 'The field does not say that it is a quantity.', quantity)
  }
  const buttons = read.part.filter(
    (node) => node.role === 'button' && node.name !== '' && node !== add && node.name.length <= 20,
  )
  const swatch = buttons.find(({ pressed, disabled }) => pressed === false && !disabled)
  if (add.disabled || ASKS_CHOICE.test(textOfNodes(read.part).toLowerCase())) {
    if (swatch && !done.isTried(swatch)) return done.press(swatch, `Choose ${swatch.name}`)
    const option = byName(read.part.slice(0, read.part.indexOf(add)))
    if (option) return done.press(option, `Choose ${option.name}`)
  }
  if (add.disabled) {
    if (choices.length === 0 && ASKS_CHOICE.test(textOfNodes(tree.nodes).toLowerCase())) {
      done.see(
        'options_not_operable',
        'The page asks to choose, and offers no list, radio button or button for it.',
        add,
      )
    } else {
      done.see('add_disabled', 'It stays disabled when everything is chosen.', add)
    }
    return done.end('stopped')
  }
  const product = {
    name: read.name,
    price: price && { text: price.text, decimals: price.decimals, currency: price.currency },
  }
  return done.press(add, `Add to the basket: ${product.name}`, {
    stage: 'basket',
    product,
    isFilled: true,
  })
}
