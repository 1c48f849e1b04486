import { describeFetch } from '../../../../web/http/fetched.ts'
import type { AccessAnswer, AccessContent, AccessPage } from '../../../evidence.ts'

/** What an answer is, apart from what stands in it. */
type AnswerKind =
  | { is: 'page'; content: AccessContent }
  | { is: 'refused'; status: number }
  | { is: 'challenged'; by: string }
  | { is: 'unknown'; why: string }

/** Client errors that say nothing of the caller: a time-out, and a retry of TLS. */
const NO_REFUSAL = new Set([408, 425])

/**
 * A refusal is any 4xx, and the 503 with which firewalls answer robots; whether the agent alone
 * gets it, the browser's answers tell. Other 5xx and time-outs are unknown.
 */
export function outcomeOf({ fetched, content }: AccessAnswer): AnswerKind {
  if (fetched.kind !== 'answer' || content === null) {
    return { is: 'unknown', why: describeFetch(fetched) }
  }
  const { status } = fetched
  if (content.challenge !== null) return { is: 'challenged', by: content.challenge }
  if (status >= 200 && status < 300) return { is: 'page', content }
  const isClientError = status >= 400 && status < 500 && !NO_REFUSAL.has(status)
  return isClientError || status === 503
    ? { is: 'refused', status }
    : { is: 'unknown', why: describeFetch(fetched) }
}

/** Whether an answer is a page, and no refusal or challenge. */
export const isPage = (answer: AccessAnswer): boolean => outcomeOf(answer).is === 'page'

/** What an agent gets less of. */
export type Lack = 'product' | 'price' | 'text'

/**
 * A page of hardly any text, where the browser's has far more. A longer page may only lack a cookie
 * banner or a menu that robots do not get, and is complete where product and price are there.
 */
const MAX_THIN = 500
const MIN_SHARE = 0.3

/**
 * What of a page's answer is missing or other than in every answer to a browser. A page that shows
 * browsers two prices has none to compare; more than a browser gets is not a lack.
 */
export function lacksOf(
  content: AccessContent,
  browsers: readonly [AccessContent, ...AccessContent[]],
): Lack[] {
  const [first] = browsers
  const agree = (of: (each: AccessContent) => string) =>
    browsers.every((each) => of(each) === of(first))
  const hasProduct = first.product !== null && agree(({ product }) => String(product))
  const hasPrices = first.prices.length > 0 && agree(pricesIn)
  const text = Math.min(...browsers.map((each) => each.text))
  const lacks: Lack[] = []
  if (hasProduct && content.product === null) lacks.push('product')
  if (hasPrices && pricesIn(content) !== pricesIn(first)) lacks.push('price')
  const isThin = content.text < Math.min(MAX_THIN, text * MIN_SHARE)
  if (isThin && text >= MAX_THIN && !(hasProduct && lacks.length === 0)) lacks.push('text')
  return lacks
}

const pricesIn = ({ prices }: AccessContent): string => prices.join('; ')

/** Whether an answer is the page that a browser gets, as far as it matters to an agent. */
export function isAsBrowsersGet(answer: AccessAnswer, browser: AccessAnswer): boolean {
  const [own, other] = [outcomeOf(answer), outcomeOf(browser)]
  if (own.is === 'unknown') return true
  return (
    own.is === 'page' && other.is === 'page' && lacksOf(own.content, [other.content]).length === 0
  )
}

/** How one agent fares on one page. */
export type Access =
  | { is: 'same' }
  | { is: 'refused' | 'challenged' | 'less'; lacks: Lack[]; answer: AccessAnswer }
  | { is: 'unknown'; why: string }

/** The names that firewalls verify by address before all others, and that no shop refuses. */
const SEARCH_ENGINES = ['Googlebot', 'bingbot']

/**
 * How each agent fares on a page. Something else than a browser gets counts where it came each time
 * that the agent was asked, and the browser got one page before and after.
 *
 * Unspecified: a refusal or challenge is unknown, and no gap, where the robot that is on no list
 * gets it too, or a search engine's name: then the firewall may well know agents by their address,
 * from which we do not ask.
 */
export function accessOn(page: AccessPage): { token: string; access: Access }[] {
  const browsers = page.browsers.map(outcomeOf)
  const failed = browsers.find((each) => each.is !== 'page')
  const [first, ...more] = browsers.flatMap((each) => (each.is === 'page' ? [each.content] : []))
  const all = page.agents.map(({ token, answers }) => {
    if (failed !== undefined || first === undefined) {
      return { token, access: unknown(`a browser is not let in either: ${sayOutcome(failed)}`) }
    }
    return { token, access: accessOf(answers, [first, ...more]), times: answers.length }
  })
  // Not every agent is asked again: those that were speak for the others.
  const again = all.filter(({ times = 1 }) => times > 1)
  const isChance = again.length === 0 || again.some(({ access }) => access.is === 'same')
  const doubt = first === undefined ? null : doubtOf(page, all, [first, ...more])
  const isDecoy = first !== undefined && servesDecoys(page, all, [first, ...more])
  return all.map(({ token, access, times = 1 }) => {
    if (access.is === 'same' || access.is === 'unknown') return { token, access }
    if (doubt !== null && access.is !== 'less') return { token, access: unknown(doubt) }
    if (isDecoy && access.is === 'less') return { token, access: unknown(DECOY) }
    // Firewalls refuse by name; what a page shows may differ for everyone.
    const isDoubted = isChance && (times === 1 || access.is === 'less')
    return { token, access: isDoubted ? unknown('its answers differ by chance') : access }
  })
}

const DECOY =
  "a search engine's name gets another page too, and an unknown robot does not: it seems to check where agents ask from, and we ask from another network"

/** Whether names that are not ours get another page, a search engine's included. */
function servesDecoys(
  page: AccessPage,
  all: readonly { token: string; access: Access }[],
  browsers: readonly [AccessContent, ...AccessContent[]],
): boolean {
  const isEngineLess = all.some(
    ({ token, access }) => SEARCH_ENGINES.includes(token) && access.is === 'less',
  )
  return isEngineLess && accessOf([page.robot], browsers).is === 'same'
}

/** Why what an agent's name gets from us does not show what the agent gets; null where it does. */
function doubtOf(
  page: AccessPage,
  all: readonly { token: string; access: Access }[],
  browsers: readonly [AccessContent, ...AccessContent[]],
): string | null {
  const robot = accessOf([page.robot], browsers)
  if (robot.is === 'refused' || robot.is === 'challenged' || robot.is === 'unknown') {
    return `robots that are on no list do not get ${page.url} either, so it may let agents in by their address, and we ask from another`
  }
  const engines = all.filter(({ token }) => SEARCH_ENGINES.includes(token))
  const shut = engines.find(({ access }) => access.is === 'refused' || access.is === 'challenged')
  if (shut !== undefined) {
    return `${page.url} does not let ${shut.token} in either, so it seems to check where agents ask from, and we ask from another network`
  }
  return engines.some(({ access }) => access.is === 'same' || access.is === 'less')
    ? null
    : `no search engine's name could be asked for ${page.url} to compare with`
}

function accessOf(
  answers: readonly AccessAnswer[],
  browsers: readonly [AccessContent, ...AccessContent[]],
): Access {
  const each = answers.map((answer): Access => {
    const outcome = outcomeOf(answer)
    if (outcome.is === 'unknown') return unknown(outcome.why)
    if (outcome.is !== 'page') return { is: outcome.is, lacks: [], answer }
    const lacks = lacksOf(outcome.content, browsers)
    return lacks.length === 0 ? { is: 'same' } : { is: 'less', lacks, answer }
  })
  const [last] = each.slice(-1)
  // It got the page once: the other time was chance.
  if (last === undefined || each.some(({ is }) => is === 'same')) return { is: 'same' }
  const doubtful = each.find(({ is }) => is === 'unknown')
  if (doubtful !== undefined) return doubtful
  return each.every(({ is }) => is === last.is)
    ? last
    : unknown('its answers differ from request to request')
}

const unknown = (why: string): Access => ({ is: 'unknown', why })

function sayOutcome(outcome: AnswerKind | undefined): string {
  if (outcome === undefined) return 'it was not asked'
  if (outcome.is === 'refused') return `status ${outcome.status}`
  if (outcome.is === 'challenged') return `a challenge of ${outcome.by}`
  return outcome.is === 'unknown' ? outcome.why : 'a page'
}
