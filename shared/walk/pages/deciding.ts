import type { PageAct } from './act.ts'
import type { Contact } from './fields.ts'
import type { PageFinding, PageFindingId } from './findings.ts'
import type { OpenList } from './lists.ts'
import type { ReadPrice } from './product.ts'
import { isField, isPress, type PageNode, type PageTree } from './tree.ts'
import { CONTINUE } from './words.ts'

/** Which part of the way a page belongs to. */
export type PageStage = 'product' | 'basket' | 'checkout'

/** What a walk remembers from page to page. */
export interface PagesState {
  stage: PageStage
  product: { name: string; price: ReadPrice | null }
  /** What was done already, so that nothing is done twice in vain. */
  tried: readonly string[]
  /** The last thing could not be pressed, and what lay over it. */
  blocked: string | null
  /** Something was put into the basket. */
  isFilled: boolean
  /** Where the basket was. */
  basketUrl: string | null
  /** The list that was opened last, until something is chosen of it. */
  open: OpenList | null
  /** The buyer's, where the store does not ship to the first. */
  contact: Contact | null
}

/** What to do next, in a word for people; or how the walk ended. */
export type PagesDecision = {
  state: PagesState
  findings: PageFinding[]
} & (
  | {
      next: PageAct
      what: string
      node: PageNode | null
      /** It may be too early: the page may still fetch something. */
      isUnsure?: boolean
    }
  | { end: 'reached' | 'stopped' | 'sold_out'; pay: PageNode | null }
)

/** What each part of a walk decides with: one page, and what is known before it. */
export interface Deciding {
  found: PageFinding[]
  see: (id: PageFindingId, detail: string, node?: PageNode | null) => void
  contact: Contact
  press: (node: PageNode, what: string, change?: Partial<PagesState>) => PagesDecision
  end: (how: 'reached' | 'stopped' | 'sold_out', pay?: PageNode | null) => PagesDecision
  isTried: (node: PageNode) => boolean
  isTriedTwice: (node: PageNode) => boolean
}

/** Its name, as words are looked for in it. */
export const lower = (node: PageNode) => node.name.toLowerCase().trim()

/**
 * The place and name of a control, which stay the same when the page is read again. Steps that
 * follow one another in one page may have the same button: then what they ask for differs.
 */
export const keyOf = (tree: PageTree, node: PageNode): string =>
  [
    URL.parse(tree.url)?.pathname,
    node.role,
    node.name,
    node.selector,
    ...(isPress(node) && CONTINUE.test(lower(node)) ? askedOf(tree) : []),
  ].join(' ')

const askedOf = ({ nodes }: PageTree): string[] =>
  nodes.flatMap((node) =>
    isField(node) || node.role === 'radio' || node.role === 'checkbox' ? node.name : [],
  )

/** Fills in these fields next. */
export function fill(
  state: PagesState,
  tree: PageTree,
  { found }: Deciding,
  what: string,
  sent: { node: PageNode; text?: string; option?: string }[],
): PagesDecision {
  return {
    state: {
      ...state,
      blocked: null,
      tried: [...state.tried, ...sent.map(({ node }) => keyOf(tree, node))],
    },
    findings: found,
    next: {
      do: 'fill',
      fields: sent.map(({ node, text, option }) => ({
        ref: node.ref,
        ...(text !== undefined && { text }),
        ...(option !== undefined && { option }),
      })),
    },
    what,
    node: sent[0]?.node ?? null,
  }
}
