import type { Fetched } from '../../../web/http/fetched.ts'
import { presenceOf } from '../../../web/http/presence.ts'
import { MAX_ROBOTS_CHARACTERS, speaksFor, usageSignalsOf } from '../../../web/http/robots.ts'
import {
  nameOfSignal,
  readUsageSignal,
  refusingSignals,
  type UsageSignal,
} from '../../../web/http/usage-signals.ts'
import { capital } from '../../../web/text/capital.ts'
import type { Evidence } from '../../evidence.ts'
import { gap, pass, skip, type Verdict } from '../../rule.ts'
import { AI_AGENTS } from './ai-agents.ts'

type Seen = Pick<Evidence, 'site' | 'robots' | 'homePage' | 'productPages'>

/** A few stand for all. */
const MAX_NAMED = 5

/**
 * Judges what robots.txt and the pages' own headers say about the use of their content, on the home
 * page and the first product page. A pass names every signal that is in force.
 */
export function judgeSignals({ site, robots, homePage, productPages }: Seen): Verdict {
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
