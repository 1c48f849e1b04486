import type { PageFinding } from './findings.ts'
import { ancestorsOf, isPress, type PageNode, type PageTree, textWithin } from './tree.ts'
import { ACCEPT_COOKIES, AGE, CAPTCHA, CLOSE, OF_COOKIES, REFUSE_COOKIES } from './words.ts'

/** What stands before a page: it ends the walk, or has a button that a person would press. */
type Wall =
  | { is: 'stop'; finding: PageFinding }
  | { is: 'press'; what: 'consent' | 'overlay'; button: PageNode; finding: PageFinding | null }

const lower = (node: PageNode) => node.name.toLowerCase().trim()

export const elementOf = (node: PageNode): PageFinding['element'] => ({
  role: node.role,
  name: node.name.slice(0, 120),
  selector: node.selector,
  ref: node.ref,
})

const DIALOGS = new Set(['dialog', 'alertdialog'])

/**
 * The wall before a page, if there is one. `isBlocked`: something needed could not be pressed, so
 * that notices count that otherwise stand aside.
 *
 * Unspecified: a cookie notice is answered as a person would who wants none: "reject" before
 * "accept", by its own button. A captcha or an age gate is never answered.
 */
export function wallOf(tree: PageTree, isBlocked: boolean): Wall | null {
  const dialogs = tree.nodes.filter(({ role }) => DIALOGS.has(role))
  const captcha = tree.nodes.find(
    (node) =>
      (node.role === 'checkbox' || node.role === 'textbox' || node.role === 'heading') &&
      CAPTCHA.test(lower(node)),
  )
  if (captcha !== undefined) {
    return stop('captcha', `It asks: "${captcha.name.slice(0, 80)}".`, captcha)
  }
  const presses = tree.nodes.filter((node) => isPress(node) && !node.disabled)
  const asks = [...dialogs, ...headings(tree)].find((node) =>
    AGE.test(
      `${lower(node)} ${DIALOGS.has(node.role) ? textWithin(tree, node).toLowerCase() : ''}`,
    ),
  )
  if (asks !== undefined) return stop('age_gate', 'It asks for the buyer’s age first.', asks)

  const answers = [REFUSE_COOKIES, ACCEPT_COOKIES].flatMap((words) => {
    const button = presses.find((node) => words.test(lower(node)) && isOfCookies(tree, node))
    return button ? [button] : []
  })
  if (answers[0]) return { is: 'press', what: 'consent', button: answers[0], finding: null }

  const over = dialogs[0]
  if (over === undefined) return null
  const text = textWithin(tree, over).toLowerCase()
  const buttons = presses.filter((node) => ancestorsOf(tree, node).includes(over))
  const close = buttons.find((node) => CLOSE.test(lower(node)))
  if (!isBlocked) return null
  if (close !== undefined) {
    const finding: PageFinding = {
      id: 'overlay_to_close',
      detail: `A dialog had to be closed with "${close.name}": ${text.slice(0, 120)}`,
      element: elementOf(over),
    }
    return { is: 'press', what: 'overlay', button: close, finding }
  }
  return OF_COOKIES.test(text)
    ? stop('consent_without_button', 'No button of it says that it accepts or rejects.', over)
    : stop('overlay', 'No button of it says that it closes it.', over)
}

const headings = (tree: PageTree) =>
  tree.nodes.filter(({ role, level }) => role === 'heading' && (level ?? 9) <= 3)

const stop = (id: PageFinding['id'], detail: string, node: PageNode): Wall => ({
  is: 'stop',
  finding: { id, detail, element: elementOf(node) },
})

/** Whether what is around a button speaks of cookies, as far as its nearest box with a text. */
function isOfCookies(tree: PageTree, node: PageNode): boolean {
  if (OF_COOKIES.test(lower(node))) return true
  const above = ancestorsOf(tree, node).filter(({ role }) => role !== 'RootWebArea')
  const [first, ...rest] = above
  const boxes = first === undefined ? siblings(tree, node) : [first, ...rest.slice(0, 2)]
  return boxes.some((box) =>
    OF_COOKIES.test(`${lower(box)} ${textWithin(tree, box)}`.toLowerCase()),
  )
}

/** Of a button that stands in the page itself: the texts next to it. */
const siblings = (tree: PageTree, node: PageNode) => {
  const at = tree.nodes.indexOf(node)
  return tree.nodes.slice(Math.max(0, at - 12), at)
}
