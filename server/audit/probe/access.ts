import pLimit from 'p-limit'
import { isAsBrowsersGet, isPage } from '../../../shared/audit/checks/well-known/access/compare.ts'
import {
  BROWSER_USER_AGENT,
  NAMED_AGENTS,
  UNLISTED_USER_AGENT,
} from '../../../shared/audit/checks/well-known/ai-agents.ts'
import { keptFrom } from '../../../shared/audit/checks/well-known/robots.ts'
import type {
  AccessAnswer,
  AccessPage,
  AccessSeen,
  ProductPageSeen,
} from '../../../shared/audit/evidence.ts'
import type { Fetched } from '../../../shared/web/http/fetched.ts'
import { BODY_CAPS } from './fetch/request.ts'
import { type AuditSession, requestRead } from './session.ts'

/** Two pages of each store: what a firewall does on one page it does on all of its kind. */
const MAX_PAGES = 2

/** How many agents are asked again of those that get something else. */
const MAX_ASKED_AGAIN = 4

/**
 * How often they are asked again while they differ: a page that differs by chance does so twice,
 * but hardly for all.
 */
const TIMES_AGAIN = 2

/** Two browsers, one before and one after, the robot that is on no list, and ourselves. */
const CONTROLS = 4

/** The most requests, in addition to those of an audit. */
export const ACCESS_REQUESTS =
  MAX_PAGES * (NAMED_AGENTS.length + CONTROLS + MAX_ASKED_AGAIN * TIMES_AGAIN)

/** In the names of agents at a time: no more than a browser with one tab. */
const PARALLEL = 2

/**
 * After this many answers 429 no more agents are tried: they would only prove that we ask too much.
 */
const MAX_LIMITED = 3

// Unspecified: pages are asked for in the names of AI agents only for the owner of a domain: it is
// some forty requests under names that are not ours.
export const NOT_ASKED: AccessSeen = {
  not_asked:
    'pages were not asked for in the names of AI agents: send agents: true with a key of this domain, or run aisle audit with --agents',
  pages: [],
}

/**
 * Asks for the home page and the first product page as a browser and as each agent that documents
 * its User-Agent. Agents that robots.txt keeps away and that obey it are not asked: they would not
 * come. Where an agent gets something else than the browser, it is asked up to twice more, and the
 * browser after it.
 */
export async function probeAccess(
  session: AuditSession,
  site: {
    domain: string
    robots: Fetched
    productPages: readonly Pick<ProductPageSeen, 'fetched'>[]
  },
): Promise<AccessSeen> {
  const home = `https://${site.domain}/`
  const product = site.productPages.flatMap(({ fetched }) =>
    fetched.kind === 'answer' && fetched.status === 200 && fetched.url !== home
      ? [fetched.url]
      : [],
  )[0]
  const wanted: Pick<AccessPage, 'url' | 'is'>[] = [
    { url: home, is: 'home page' },
    ...(product === undefined ? [] : [{ url: product, is: 'product page' as const }]),
  ]
  const limit = pLimit(PARALLEL)
  const pages = wanted.map((page) => probePageAccess(session, page, site.robots, limit))
  return { not_asked: null, pages: await Promise.all(pages) }
}

async function probePageAccess(
  session: AuditSession,
  page: Pick<AccessPage, 'url' | 'is'>,
  robots: Fetched,
  limit: <T>(work: () => Promise<T>) => Promise<T>,
): Promise<AccessPage> {
  const { url } = page
  let limited = 0
  const askAs = (userAgent: string) => limit(() => ask(session, url, userAgent))
  const first = await askAs(BROWSER_USER_AGENT)
  const robot = await askAs(UNLISTED_USER_AGENT)
  // Without an answer to compare with, the others say nothing.
  if (!isPage(first)) return { ...page, browsers: [first], robot, agents: [] }
  const agents = await Promise.all(
    comingTo(url, robots).map(({ token, userAgent }) =>
      limit(async () => {
        const answer = limited < MAX_LIMITED ? await ask(session, url, userAgent) : LIMITED
        if (answer.fetched.kind === 'answer' && answer.fetched.status === 429) limited += 1
        return { token, userAgent, answers: [answer] }
      }),
    ),
  )
  const others = agents.filter(
    ({ answers }) => !answers.every((each) => isAsBrowsersGet(each, first)),
  )
  await Promise.all(
    others.slice(0, MAX_ASKED_AGAIN).map(async ({ userAgent, answers }) => {
      for (let time = 0; time < TIMES_AGAIN; time += 1) {
        const answer = await askAs(userAgent)
        answers.push(answer)
        if (isAsBrowsersGet(answer, first)) break
      }
    }),
  )
  const last = await askAs(BROWSER_USER_AGENT)
  const signed = session.signedAs() === null ? null : await limit(() => ask(session, url))
  return {
    ...page,
    browsers: [first, last],
    robot,
    agents: agents.map(({ token, answers }) => ({ token, answers })),
    ...(signed && { signed }),
  }
}

/** The agents that robots.txt does not keep from a page; all of them where it cannot be read. */
function comingTo(url: string, robots: Fetched): typeof NAMED_AGENTS {
  const disallowed = keptFrom(url, robots)
  return NAMED_AGENTS.filter(({ token, obeysRobots }) => !(obeysRobots && disallowed.has(token)))
}

/** Without a `userAgent` it is asked in our own name. */
async function ask(session: AuditSession, url: string, userAgent?: string): Promise<AccessAnswer> {
  const headers = { accept: 'text/html,application/xhtml+xml' }
  const asked = { url, headers, ...(userAgent && { userAgent }), maxBytes: BODY_CAPS.page }
  const { fetched, read } = await requestRead(session, asked, 'access')
  // Of a body and headers only what was read of them goes on to the rules; our own show the edge.
  return {
    fetched:
      fetched.kind === 'answer' && userAgent !== undefined ? { ...fetched, headers: {} } : fetched,
    content: read,
  }
}

const LIMITED: AccessAnswer = {
  fetched: { kind: 'not_asked', reason: 'the store answered 429 several times' },
  content: null,
}
