import { afterAct, decidePages, FRESH_STATE } from '../../../shared/walk/pages/decide.ts'
import type { PagesState } from '../../../shared/walk/pages/deciding.ts'
import type { Contact } from '../../../shared/walk/pages/fields.ts'
import type { PageFinding } from '../../../shared/walk/pages/findings.ts'
import { isEmptied, removersOf } from '../../../shared/walk/pages/on-basket.ts'
import type { PagesStep, PagesWalk } from '../../../shared/walk/pages/pages-walk.ts'
import {
  controlText,
  isControl,
  type PageNode,
  type PageTree,
  pageNodeOf,
} from '../../../shared/walk/pages/tree.ts'
import { elementOf } from '../../../shared/walk/pages/walls.ts'
import type { BrowserSession } from './session.ts'

/** More steps than any checkout has. */
const MOST_STEPS = 30
/** Controls of a page that a step lists. */
const MOST_CONTROLS = 60
const MOST_REMOVED = 3

/** What to walk through. */
export interface PagesOrder {
  /** A product's page. */
  url: string
  contact: Contact
  /** Domains of the store: only the checkout may be at another. */
  own: readonly string[]
}

/**
 * Walks from a product's page to the last step before paying, as an agent with a browser does, and
 * stops there. What it put into the basket is taken out again.
 */
export async function walkPages(
  session: BrowserSession,
  { url, contact, own }: PagesOrder,
  onStep: (step: PagesStep) => void,
): Promise<PagesWalk> {
  const steps: PagesStep[] = []
  const findings: PageFinding[] = []
  const known = new Set<string>()
  let state: PagesState = FRESH_STATE
  let dialogs = session.happened().dialogs.length
  await session.open(url)
  let ended: PagesWalk['ended'] = 'stopped'
  let pressed: PageNode | null = null
  for (let n = 0; ; n++) {
    let tree = await session.read()
    if (isBusy(tree, pressed)) {
      await session.wait()
      tree = await session.read()
    }
    if (state.stage !== 'checkout' && !isOwn(tree.url, own)) {
      ended = 'elsewhere'
      break
    }
    const first = decidePages(state, tree, contact)
    const isUnsure = 'end' in first ? first.end === 'stopped' : first.isUnsure === true
    if (isUnsure) {
      // A slow page may still fetch what is missing.
      await session.wait()
      tree = await session.read()
    }
    const decision = isUnsure ? decidePages(state, tree, contact) : first
    const happened = session.happened()
    const seen = decision.findings.slice()
    if (happened.dialogs.length > dialogs) {
      seen.push({
        id: 'dialog_box',
        detail: happened.dialogs.slice(dialogs).join(' '),
        element: { role: 'dialog', name: happened.dialogs[dialogs] ?? '', selector: '', ref: -1 },
      })
    }
    dialogs = happened.dialogs.length
    const isLast = 'end' in decision
    if (!isLast && n === MOST_STEPS) {
      const detail = `After ${MOST_STEPS} steps.`
      seen.push({ id: 'too_many_steps', detail, element: elementOf(pageNodeOf(tree)) })
    }
    const fresh = seen.filter(({ id, element }) => {
      const key = `${id} ${element.selector}`
      return !known.has(key) && known.add(key)
    })
    findings.push(...fresh)
    const step: PagesStep = {
      stage: state.stage,
      url: tree.url,
      title: tree.title.slice(0, 200),
      does: isLast ? null : decision.what,
      element: isLast ? null : (decision.node?.selector ?? null),
      sees: controlsOf(tree),
      findings: await Promise.all(
        fresh.map(async (finding) => ({
          ...finding,
          box: await session.boxOf(finding.element.ref),
        })),
      ),
      picture: await session.picture(),
    }
    steps.push(step)
    onStep(step)
    state = decision.state
    if (isLast) ended = decision.end
    if (isLast || n === MOST_STEPS) break
    pressed = decision.next.do === 'press' ? decision.node : null
    const outcome = await session.act(decision.next)
    state = afterAct(state, outcome)
  }
  const emptied = state.isFilled ? await emptyBasket(session, state) : 'nothing_in_it'
  return { url, ended, product: state.product, steps, findings, emptied }
}

/** Whether a button that was pressed is disabled since: it is at work, its page not yet done. */
const isBusy = ({ nodes }: PageTree, pressed: PageNode | null): boolean =>
  pressed !== null &&
  nodes.some(
    ({ role, selector, disabled }) =>
      disabled && role === pressed.role && selector === pressed.selector,
  )

/** Whether a page is at one of these domains, or below it; a page without a host is nobody's. */
export function isOwn(address: string, domains: readonly string[]): boolean {
  const host = URL.parse(address)?.hostname ?? ''
  return (
    host === '' ||
    domains.some((domain) => {
      const base = domain.replace(/^www\./, '')
      return host === base || host.endsWith(`.${base}`)
    })
  )
}

const controlsOf = (tree: PageTree): string[] =>
  tree.nodes
    .filter((node) => isControl(node) && node.role !== 'option')
    .slice(0, MOST_CONTROLS)
    .map(controlText)

/** The profile is thrown away in any case: a store may keep a basket longer than its visitor. */
async function emptyBasket(
  session: BrowserSession,
  state: PagesState,
): Promise<PagesWalk['emptied']> {
  const { basketUrl } = state
  if (basketUrl === null) return 'not_found'
  await session.open(basketUrl)
  // Each once: those of a basket that is folded away, or of something else, remove nothing.
  const pressed = new Set<string>()
  const keyOf = ({ name, selector }: PageNode) => `${name} ${selector}`
  for (let tries = 0; tries < MOST_REMOVED; tries++) {
    const tree = await session.read()
    const button = removersOf(tree).find((node) => !pressed.has(keyOf(node)))
    if (button === undefined) return isEmptied(state, tree) ? 'emptied' : 'not_found'
    pressed.add(keyOf(button))
    await session.act({ do: 'press', ref: button.ref })
  }
  return isEmptied(state, await session.read()) ? 'emptied' : 'not_found'
}
