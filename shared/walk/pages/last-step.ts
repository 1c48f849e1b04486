import { ancestorsOf, isPress, type PageNode, type PageTree } from './tree.ts'
import { CHOOSE, OF_PAYMENT, OF_SHIPPING, OFFLINE, TERMS } from './words.ts'

const lower = (node: PageNode) => node.name.toLowerCase().trim()

/** The radio buttons of a page; one in another is only its drawing. */
const radiosOf = (tree: PageTree): PageNode[] =>
  tree.nodes.filter(
    (node) =>
      node.role === 'radio' && !ancestorsOf(tree, node).some(({ role }) => role === 'radio'),
  )

const groupOf = (tree: PageTree, radio: PageNode): PageNode[] => {
  const { name } = radio.attributes
  const around = ancestorsOf(tree, radio).find(({ role }) => role === 'radiogroup')
  return radiosOf(tree).filter((node) =>
    around && name === undefined
      ? ancestorsOf(tree, node).includes(around)
      : node.attributes.name === name,
  )
}

/** Radio buttons of which none is chosen; `ofPayment`: those for ways of paying, or the others. */
function openChoices(tree: PageTree, ofPayment: boolean): PageNode[] {
  return radiosOf(tree).filter((node) => {
    if (node.disabled) return false
    const all = groupOf(tree, node)
    const said = [...all, ...ancestorsOf(tree, node).slice(0, 4)].map(lower).join(' ')
    return !all.some(({ checked }) => checked) && OF_PAYMENT.test(said) === ofPayment
  })
}

/** The first radio button of each group in which none is chosen, those for ways of paying apart. */
export function firstChoices(tree: PageTree): PageNode[] {
  const open = openChoices(tree, false)
  return open.filter((node) => {
    const all = groupOf(tree, node)
    return open.find((each) => all.includes(each)) === node
  })
}

/** The texts that a control stands under: its groups, and what is said before it. */
function saidBefore(tree: PageTree, node: PageNode): string {
  const at = tree.nodes.indexOf(node)
  const groups = ancestorsOf(tree, node).filter(({ role }) => role === 'group')
  return [...groups, ...tree.nodes.slice(Math.max(0, at - 6), at)].map(lower).join(' ')
}

/**
 * What the last button may wait for while it is disabled: a way of paying, a choice behind a button
 * of its own, or that the terms are agreed to. Null if nothing is left.
 *
 * Unspecified: a way of paying is chosen only here, one that asks for nothing first. Choosing it
 * pays nothing.
 */
export function waitsFor(
  tree: PageTree,
  isTried: (node: PageNode) => boolean,
): { node: PageNode; what: string } | null {
  const opener = tree.nodes.find(
    (node) =>
      isPress(node) &&
      !node.disabled &&
      !isTried(node) &&
      CHOOSE.test(lower(node)) &&
      [OF_SHIPPING, OF_PAYMENT].some((words) => words.test(saidBefore(tree, node))),
  )
  if (opener) return { node: opener, what: `Press "${opener.name}"` }
  const ways = openChoices(tree, true)
  const way = ways.find((node) => OFFLINE.test(lower(node))) ?? ways[0]
  if (way && !isTried(way)) return { node: way, what: `Choose ${way.name}` }
  const terms = tree.nodes.find(
    (node) =>
      node.role === 'checkbox' &&
      !node.checked &&
      !node.disabled &&
      !isTried(node) &&
      TERMS.test(lower(node)),
  )
  return terms ? { node: terms, what: 'Agree to the terms' } : null
}

/** Whether the page asks for a card or the like, which a walk does not have. */
export const asksToPay = ({ nodes }: PageTree): boolean =>
  nodes.some(
    ({ role, name, attributes }) =>
      /^cc-/.test((attributes.autocomplete ?? '').split(/\s+/).at(-1) ?? '') ||
      (/^(?:textbox|Iframe)$/.test(role) && /card|karte|carte|tarjeta|payment input/i.test(name)),
  )
