import { fieldKindOf, isLeftAlone } from '../../markup/field-kinds.ts'
import { type Deciding, lower, type PagesDecision, type PagesState } from './deciding.ts'
import { fieldsToFill } from './fill-form.ts'
import { asksToPay, firstChoices, waitsFor } from './last-step.ts'
import { isCustomList } from './lists.ts'
import { judgePrice } from './price-kept.ts'
import { pricesIn } from './product.ts'
import { ancestorsOf, isField, isPress, type PageNode, type PageTree, textOfNodes } from './tree.ts'
import { ACCOUNT, CONTINUE, EMPTY_BASKET, GUEST, OF_PAYMENT, OF_TOTAL, PAY } from './words.ts'

/** What is next on a page of the checkout, up to the button that orders, which is not pressed. */
export function onCheckout(state: PagesState, tree: PageTree, done: Deciding): PagesDecision {
  const presses = tree.nodes.filter((node) => isPress(node) && !node.disabled)
  const fields = tree.nodes.filter(
    (node) =>
      (isCustomList(node) ||
        // A list that is no `select` often shows what is chosen in a field of its own.
        (isField(node) && !ancestorsOf(tree, node).some(isCustomList))) &&
      !node.disabled &&
      !isLeftAlone(node),
  )
  const known = fields.filter((node) => fieldKindOf(node) !== null)

  const guest =
    presses.find((node) => GUEST.test(lower(node)) && !done.isTried(node)) ??
    tree.nodes.find(
      (node) =>
        node.role === 'radio' && !node.checked && GUEST.test(lower(node)) && !done.isTried(node),
    )
  if (guest) return done.press(guest, 'Check out as a guest', { stage: 'checkout' })

  const password = tree.nodes.find(
    (node) => node.attributes.type === 'password' && node.role === 'textbox',
  )
  const isLogin =
    password &&
    !known.some(
      (node) =>
        fieldKindOf(node) === 'street' ||
        fieldKindOf(node) === 'name' ||
        fieldKindOf(node) === 'first',
    )
  if (isLogin && tree.nodes.some((node) => ACCOUNT.test(lower(node)))) {
    done.see(
      'account_required',
      'It asks to log in or register, and offers no way for guests.',
      password,
    )
    return done.end('stopped')
  }
  if (EMPTY_BASKET.test(textOfNodes(tree.nodes).toLowerCase())) {
    const said = tree.nodes.find(
      (node) => node.role === 'StaticText' && EMPTY_BASKET.test(lower(node)),
    )
    done.see('basket_empty', 'The checkout says that the basket is empty.', said)
    return done.end('stopped')
  }

  const filled = fieldsToFill(state, tree, fields, done)
  if (filled !== null) return filled

  const invalid = fields.filter(({ invalid }) => invalid)
  const alert = tree.nodes.find(({ role, name }) => role === 'alert' && name !== '')
  const goesOn = (node: PageNode) => CONTINUE.test(lower(node)) && !PAY.test(lower(node))
  const ways = presses.filter(goesOn)
  const onward = ways.find((node) => !done.isTried(node))
  // A press is lost where the page draws itself again meanwhile.
  const radio = firstChoices(tree).find((node) => !done.isTriedTwice(node))
  if (radio) return done.press(radio, `Choose ${radio.name}`)
  const pay =
    presses.find((node) => PAY.test(lower(node))) ??
    tree.nodes.find((node) => node.role === 'button' && PAY.test(lower(node)))
  if (onward) return done.press(onward, `Press "${onward.name}"`)
  const last =
    pay ??
    tree.nodes.findLast(
      (node) =>
        node.role === 'button' &&
        node.disabled &&
        // Some say there what is still to choose.
        (goesOn(node) || (node.attributes.type === 'submit' && OF_PAYMENT.test(lower(node)))),
    )
  if (last?.disabled) {
    const left = waitsFor(tree, done.isTried)
    if (left) return { ...done.press(left.node, left.what), isUnsure: true }
    if (!invalid[0] && !asksToPay(tree)) {
      const detail = `"${last.name}" stays disabled when everything that is asked for is given.`
      done.see('pay_disabled', detail, last)
      return done.end('stopped')
    }
  }
  if (invalid[0] || (ways.length > 0 && pay === undefined)) {
    const about = invalid[0] ?? ways[0] ?? null
    done.see(
      'form_refused',
      `After "${ways[0]?.name ?? ''}" it stays on the same step${alert ? `: ${alert.name.slice(0, 160)}` : '.'}`,
      about,
    )
    return done.end('stopped')
  }
  if (pay === undefined) {
    const bare = tree.nodes.find((node) => node.role === 'button' && node.name === '')
    done.see('continue_missing', 'No button says that it goes on or pays.', bare ?? null)
    return done.end('stopped')
  }
  if (!judgePrice(state, tree, done)) return done.end('stopped')
  const said = `${textOfNodes(tree.nodes)} ${pay.name}`.toLowerCase()
  if (!OF_TOTAL.test(said) && pricesIn(tree, tree.nodes).length === 0) {
    done.see('total_missing', 'No text of the last step is a total.', pay)
  }
  return done.end('reached', pay)
}
