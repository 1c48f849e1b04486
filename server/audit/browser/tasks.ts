import { callToolOfPage, readToolsOfPage } from '../../../shared/view/webmcp/page-script.ts'
import type { PagesStep, PagesWalk } from '../../../shared/walk/pages/pages-walk.ts'
import type { PageTree } from '../../../shared/walk/pages/tree.ts'
import { wallOf } from '../../../shared/walk/pages/walls.ts'
import { type CheckedTools, checkTools, hasTools } from '../../../shared/walk/webmcp/check-tools.ts'
import type { ListedGood } from '../../../shared/walk/webmcp/page-facts.ts'
import type { TestHosts } from '../probe/fetch/test-hosts.ts'
import { type BrowserSession, type Happened, openBrowser } from './session.ts'
import { isOwn, type PagesOrder, walkPages } from './walk-pages.ts'

/** A page as a browser shows it. */
export interface Visited {
  tree: PageTree
  /** JPEG. */
  picture: Uint8Array
  happened: Happened
}

/** A page whose tools are called. */
interface ToolsOrder {
  url: string
  /** Domains of the store: nothing is called elsewhere. */
  own: readonly string[]
  /** What the store's catalog lists. */
  listed?: readonly ListedGood[]
}

/** What a browser is asked to do, what it tells on the way, and what it answers. */
export interface BrowserTasks {
  /** Opens an address, and reads what it shows. */
  visit: { input: { url: string }; step: never; output: Visited }
  /** Lists the tools that a page offers to agents, and calls those that only read. */
  tools: { input: ToolsOrder; step: never; output: CheckedTools | null }
  /** Walks from a product's page to the last step before paying. */
  pages: { input: PagesOrder; step: PagesStep; output: PagesWalk }
}

export interface ToWorker<K extends keyof BrowserTasks = keyof BrowserTasks> {
  task: K
  input: BrowserTasks[K]['input']
  path: string
  profile: string
  userAgent: string
  testHosts: TestHosts
}

export type FromWorker<K extends keyof BrowserTasks = keyof BrowserTasks> =
  | { step: BrowserTasks[K]['step'] }
  | { done: BrowserTasks[K]['output'] }
  | { failed: string }

type Tasks = {
  [K in keyof BrowserTasks]: (
    session: BrowserSession,
    input: BrowserTasks[K]['input'],
    onStep: (step: BrowserTasks[K]['step']) => void,
  ) => Promise<BrowserTasks[K]['output']>
}

const TASKS: Tasks = {
  async visit(session, { url }) {
    await session.open(url)
    const tree = await readPastNotices(session)
    return { tree, picture: await session.picture(), happened: session.happened() }
  },
  async tools(session, { url, own, listed }) {
    await session.open(url)
    const { url: here } = await session.read()
    if (!isOwn(here, own)) throw new Error(`It leads to ${here}, where nothing was called.`)
    const page = await session.inPage(readToolsOfPage, undefined)
    if (!hasTools(page)) return null
    return checkTools(page, here, (order) => session.inPage(callToolOfPage, order), listed)
  },
  pages: walkPages,
}

/** A page may have a notice about cookies, and one about a newsletter. */
const MOST_NOTICES = 2

/** Reads a page as who has answered its notices: what lies over it is closed, as in a walk. */
async function readPastNotices(session: BrowserSession): Promise<PageTree> {
  let tree = await session.read()
  for (let closed = 0; closed < MOST_NOTICES; closed++) {
    const wall = wallOf(tree, true)
    if (wall?.is !== 'press') break
    await session.act({ do: 'press', ref: wall.button.ref })
    tree = await session.read()
  }
  return tree
}

/** Does one task in a browser of its own. */
export async function runBrowserTask<K extends keyof BrowserTasks>(
  { task, input, ...options }: ToWorker<K>,
  onStep: (step: BrowserTasks[K]['step']) => void,
): Promise<BrowserTasks[K]['output']> {
  const session = await openBrowser({ ...options, offersTools: task === 'tools' })
  try {
    return await TASKS[task](session, input, onStep)
  } finally {
    await session.close()
  }
}
