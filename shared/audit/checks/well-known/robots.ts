import { canonicalOf } from '../../../markup/page-signs/address.ts'
import { UCP_PATHS } from '../../../protocols/spec/ucp.ts'
import type { Answer, Fetched } from '../../../web/http/fetched.ts'
import { challengeIn, presenceOf } from '../../../web/http/presence.ts'
import {
  type Disallowed,
  disallowedBy,
  MAX_ROBOTS_CHARACTERS,
  speaksFor,
  usageSignalsOf,
} from '../../../web/http/robots.ts'
import {
  nameOfSignal,
  readUsageSignal,
  refusingSignals,
  type UsageSignal,
} from '../../../web/http/usage-signals.ts'
import { capital } from '../../../web/text/capital.ts'
import type { Evidence, ProductPageSeen } from '../../evidence.ts'
import { gap, pass, skip, type Verdict } from '../../rule.ts'
import { AI_AGENTS } from './ai-agents.ts'

/**
 * Judges whether robots.txt lets AI agents read the home page, the manifest and product pages. A
 * pass names the agents that it does not let in and that may come all the same.
 */
export function judgeRobots({
  site,
  robots,
  productPages,
}: Pick<Evidence, 'site' | 'robots' | 'productPages'>): Verdict {
  const presence = presenceOf(robots)
  // RFC 9309 §2.3.1.3: without a file, or with a 4xx, everything is allowed.
  if (presence.is === 'absent' || presence.is === 'requires_auth') return pass()
  if (presence.is !== 'present') {
    const isDown = robots.kind === 'answer' && robots.status >= 500 && challengeIn(robots) === null
    return skip(isDown ? `${presence.why}; ${AWAY}` : presence.why)
  }
  const { body, truncated } = presence.answer
  if (truncated || body.length > MAX_ROBOTS_CHARACTERS)
    return skip('robots.txt is too long to be read completely')
  const urls = neededUrls(site.domain, presence.answer, productPages)
  const disallowed = disallowedBy(body, AI_AGENTS, urls)
  const ofAgents = (obeys: boolean) =>
    AI_AGENTS.flatMap(({ token, obeysRobots }) => {
      const found = disallowed.get(token)
      return found !== undefined && obeysRobots === obeys ? [{ token, ...found }] : []
    })
  const blocked = ofAgents(true)
  const notes = [sayMayCome(ofAgents(false)), sayGrounding(body, urls)].filter(
    (note) => note !== '',
  )
  if (blocked.length === 0) return notes.length === 0 ? pass() : pass(notes.join(' '))
  const disputed = new Set(blocked.flatMap(({ disputed: line }) => line ?? []))
  const [home = '', , ...pages] = urls
  const shut = (url: string) => areAllKeptFrom(body, url)
  return gap(
    [`robots.txt: ${sayBlocked(blocked)}.`, ...[...disputed].map(sayDisputed), ...notes].join(' '),
    shut(home) || (pages.length > 0 && pages.every(shut)) ? 'kept_out' : undefined,
  )
}

// Unspecified: a store is shut to agents where none of the assistants that people shop with may
// read it: that a crawler of another one still may brings no buyer.
/** Whether no such agent that keeps to robots.txt may read this page. */
function areAllKeptFrom(body: string, url: string): boolean {
  const agents = AI_AGENTS.filter(({ obeysRobots, shops }) => obeysRobots && shops)
  const disallowed = disallowedBy(body, agents, [url])
  return agents.every(({ token }) => disallowed.has(token))
}

const AWAY = 'crawlers have to stay away from the whole store while it lasts (RFC 9309, 2.3.1.4)'

/** What agents need to read of a store, where its robots.txt speaks for it: five URLs at most. */
export function neededUrls(
  domain: string,
  robots: Answer,
  productPages: readonly Pick<ProductPageSeen, 'fetched' | 'page'>[],
): string[] {
  // Robots keep to the canonical address; many shops close the parameters that lead there.
  const pages = productPages.flatMap(({ fetched, page }) =>
    fetched.kind === 'answer' && speaksFor(robots, fetched)
      ? [page === null ? fetched.final_url : canonicalOf(page)]
      : [],
  )
  const home = `https://${domain}/`
  return [home, `https://${domain}${UCP_PATHS.manifest}`, ...pages.slice(0, 3)]
}

type Found = Disallowed & { token: string }

const sayBlocked = (found: readonly Found[]): string =>
  found.map(({ token, url, line }) => `${token} may not read ${url} (line ${line})`).join('; ')

// Unspecified: agents that may ignore the file are named and are not a gap: a rule against them may
// not keep them out.
const sayMayCome = (found: readonly Found[]): string =>
  found.length === 0
    ? ''
    : `By robots.txt, ${sayBlocked(found)}, but the operators of these agents say that they may come all the same.`

/**
 * Not an agent but a name for what Google may do with pages that Googlebot has read. Cloudflare's
 * managed robots.txt disallows it (https://developers.google.com/crawling/docs/google-extended).
 */
const GOOGLE_EXTENDED = { token: 'Google-Extended' }

// Unspecified: it governs training as well, which is a policy of the store, so it is not a gap.
function sayGrounding(body: string, urls: readonly string[]): string {
  const found = disallowedBy(body, [GOOGLE_EXTENDED], urls).get(GOOGLE_EXTENDED.token)
  return found === undefined
    ? ''
    : `Google-Extended may not read ${found.url} (line ${found.line}): Gemini may then not ground its answers on these pages.`
}

// Unspecified: what some crawlers read otherwise is a gap as well, with the reason: Google reads it
// so, and the RFC asks it of all.
export const sayDisputed = (line: number): string =>
  `Line ${line} ends no group (RFC 9309, 2.2.4), so the agents named above it have the rules below it too. Some crawlers do end the group there: a rule such as "Allow: /" below that line parts the groups for all.`

/** The tokens of the agents that robots.txt asks to stay away from a page. */
export function keptFrom(url: string, robots: Fetched): ReadonlySet<string> {
  const presence = presenceOf(robots)
  if (presence.is !== 'present') return new Set()
  return new Set(disallowedBy(presence.answer.body, AI_AGENTS, [url]).keys())
}

/** A few stand for all. */
const MAX_NAMED = 5

/**
 * Judges what robots.txt and the pages' own headers say about the use of their content, on the home
 * page and the first product page. A pass names every signal that is in force.
 */
export function judgeSignals({
  site,
  robots,
  homePage,
  productPages,
}: Pick<Evidence, 'site' | 'robots' | 'homePage' | 'productPages'>): Verdict {
  const presence = presenceOf(robots)
  const file = presence.is === 'present' ? presence.answer : null
  const isCut = file !== null && (file.truncated || file.body.length > MAX_ROBOTS_CHARACTERS)
  const text = file === null || isCut ? '' : file.body
  const home = `https://${site.domain}/`
  const product = productPages.find(({ fetched }) => fetched.kind === 'answer')?.fetched
  const pages = [
    { url: home, own: headerSignals(homePage.fetched) },
    ...(product?.kind === 'answer' && (file === null || speaksFor(file, product))
      ? [{ url: product.final_url, own: headerSignals(product) }]
      : []),
  ]
  const stated = new Set<string>()
  const refused = new Map<string, { url: string; use: string; tokens: string[] }>()
  for (const { url, own } of pages) {
    const inFile = usageSignalsOf(text, AI_AGENTS, url)
    for (const { token } of AI_AGENTS) {
      // A header and a line are two statements, of which the stricter counts.
      const statements = [inFile.get(token) ?? [], own]
      for (const signal of statements.flat()) stated.add(nameOfSignal(signal))
      for (const { use, signal } of statements.flatMap(refusingSignals)) {
        const name = nameOfSignal(signal)
        const known = refused.get(name) ?? { url, use, tokens: [] }
        if (!known.tokens.includes(token)) known.tokens.push(token)
        refused.set(name, known)
      }
    }
  }
  if (refused.size > 0) {
    const found = [...refused]
      .slice(0, MAX_NAMED)
      .map(
        ([name, { url, use, tokens }]) =>
          `${capital(name)} refuses ${use} of ${url} to ${tokens.length === AI_AGENTS.length ? 'every AI agent' : tokens.join(', ')}.`,
      )
    return gap(found.join(' '))
  }
  if (presence.is === 'unknown' || presence.is === 'unreachable') return skip(presence.why)
  if (isCut) return skip('robots.txt is too long to be read completely')
  const named = [...stated].slice(0, MAX_NAMED).map(capital)
  return named.length === 0 ? pass() : pass(`${named.join('; ')}.`)
}

const headerSignals = (fetched: Fetched): UsageSignal[] =>
  fetched.kind !== 'answer'
    ? []
    : ['content-signal', 'content-usage']
        .flatMap((name) => readUsageSignal(name, fetched.headers[name] ?? '', null) ?? [])
        .filter(({ uses }) => uses.size > 0)
