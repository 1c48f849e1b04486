import type { ActOutcome, PageAct } from './act.ts'
import { type Deciding, keyOf, type PagesDecision, type PagesState } from './deciding.ts'
import type { Contact } from './fields.ts'
import type { PageFinding, PageFindingId } from './findings.ts'
import { isBasketPage, onBasket } from './on-basket.ts'
import { onCheckout } from './on-checkout.ts'
import { onProduct } from './on-product.ts'
import { onOpenList } from './open-list.ts'
import { readProduct } from './product.ts'
import { type PageNode, type PageTree, pageNodeOf } from './tree.ts'
import { elementOf, wallOf } from './walls.ts'

export const FRESH_STATE: PagesState = {
  stage: 'product',
  product: { name: '', price: null },
  tried: [],
  blocked: null,
  isFilled: false,
  basketUrl: null,
  open: null,
  contact: null,
}

/**
 * What an agent does next on a page, by the accessibility tree alone and by fixed rules. It never
 * presses what orders or pays.
 */
export function decidePages(before: PagesState, tree: PageTree, buyer: Contact): PagesDecision {
  const contact = before.contact ?? buyer
  const isBasket = before.stage === 'basket' && isBasketPage(tree)
  const state = isBasket ? { ...before, basketUrl: tree.url } : before
  const found: PageFinding[] = []
  const see = (id: PageFindingId, detail: string, node: PageNode | null = null) => {
    found.push({ id, detail, element: elementOf(node ?? pageNodeOf(tree)) })
  }
  const done: Deciding = {
    found,
    see,
    contact,
    press: (node, what, change = {}) => ({
      state: {
        ...state,
        open: null,
        ...change,
        blocked: null,
        tried: [...state.tried, keyOf(tree, node)],
      },
      findings: found,
      next: pressOf(tree, node, see),
      what,
      node,
    }),
    end: (how, pay = null) => ({ state, findings: found, end: how, pay }),
    isTried: (node) => state.tried.includes(keyOf(tree, node)),
    isTriedTwice: (node) => state.tried.filter((key) => key === keyOf(tree, node)).length > 1,
  }
  if (tree.status >= 400) {
    see('page_failed', `${tree.url} answers ${tree.status}.`)
    return done.end('stopped')
  }
  if (tree.nodes.length < 3) {
    see('page_unreadable', 'The accessibility tree is empty.')
    return done.end('stopped')
  }
  if (state.open !== null) {
    const chosen = onOpenList(state, tree, done, state.open)
    if (chosen !== null) return chosen
  }
  const wall = wallOf(tree, state.blocked !== null || isBehind(state, tree))
  if (wall?.is === 'stop') {
    found.push(wall.finding)
    return done.end('stopped')
  }
  if (wall?.is === 'press' && !done.isTried(wall.button)) {
    if (wall.finding) found.push(wall.finding)
    const what = wall.what === 'consent' ? 'Answer the cookie notice' : 'Close a pop-up'
    return done.press(wall.button, what)
  }
  if (state.blocked !== null) {
    see('overlay', `It lies over what has to be pressed: ${state.blocked}`)
    const last = found.at(-1)
    if (last) last.element = { role: 'generic', name: '', selector: state.blocked, ref: -1 }
    return done.end('stopped')
  }
  switch (state.stage) {
    case 'product':
      return onProduct(state, tree, done)
    case 'basket':
      return onBasket(state, tree, done)
    case 'checkout':
      return onCheckout(state, tree, done)
  }
}

/**
 * The state after an act: what could not be pressed blocks the way, and a field that the page
 * replaced meanwhile is filled in once more.
 */
export function afterAct(state: PagesState, outcome: ActOutcome): PagesState {
  if (outcome.is === 'covered') {
    return { ...state, blocked: outcome.by, tried: state.tried.slice(0, -1) }
  }
  if (outcome.is !== 'gone') return state
  const { tried } = state
  const again = (key: string) => (tried.includes(`${key} again`) ? key : `${key} again`)
  const left = new Set(outcome.left.map((at) => tried.length + at))
  return { ...state, tried: tried.map((key, at) => (left.has(at) ? again(key) : key)) }
}

/** A link to a new window is followed in this one: an agent has one page before it. */
function pressOf(tree: PageTree, node: PageNode, see: Deciding['see']): PageAct {
  const to =
    node.attributes.target === '_blank' ? URL.parse(node.attributes.href ?? '', tree.url) : null
  if (to === null) return { do: 'press', ref: node.ref }
  see('new_window', `"${node.name}" opens ${to.href} in a new window.`, node)
  return { do: 'open', url: to.href }
}

/** A dialog takes everything else out of the tree: what is needed is behind it. */
const isBehind = ({ stage }: PagesState, tree: PageTree): boolean =>
  stage === 'product' && readProduct(tree).add === null
