import type { Answer } from './fetched.ts'
import { isSameHost } from './same-site.ts'
import { readUsageSignal, type UsageSignal } from './usage-signals.ts'

/**
 * Of a file: as much as crawlers must read at least (RFC 9309, 2.5). A longer one is not judged,
 * because its end may allow what its beginning forbids.
 */
export const MAX_ROBOTS_CHARACTERS = 500 * 1024

/** Longer addresses are not asked about: the time of each line grows with them. */
const MAX_URL = 1_000

/** A URL that an agent may not read, and the line of robots.txt that says so. */
export interface Disallowed {
  url: string
  /** In the file, from 1. */
  line: number
}

/** One line that allows or forbids. */
interface Rule {
  pattern: string
  allow: boolean
  line: number
}

/** The lines between two lists of agents, with the verdicts on paths that were asked about. */
interface Group {
  rules: Rule[]
  signals: UsageSignal[]
  verdicts: Map<string, Rule | null>
}

/**
 * The first of the URLs that robots.txt keeps each agent from, by the groups of RFC 9309; agents
 * that may read all are not in the map. `urls` are absolute and of the file's own site, `tokens`
 * are product tokens. Linear in the text: each line meets each URL once, whoever it is about.
 */
export function disallowedBy(
  text: string,
  tokens: readonly string[],
  urls: readonly string[],
): Map<string, Disallowed> {
  const wanted = new Set(['*', ...tokens.map((token) => token.toLowerCase())])
  const groups = readGroups(text.slice(0, MAX_ROBOTS_CHARACTERS), wanted, RULES)
  const paths = pathsOf(urls)
  const found = new Map<string, Disallowed>()
  for (const token of tokens) {
    const own = groups.get(token.toLowerCase()) ?? groups.get('*') ?? []
    for (const { url, path } of paths) {
      const rule = own.reduce<Rule | null>(
        (best, group) => stronger(best, verdictOf(group, path)),
        null,
      )
      if (rule === null || rule.allow) continue
      found.set(token, { url, line: rule.line })
      break
    }
  }
  return found
}

/**
 * Whether a robots.txt speaks for a page: it is of one host, and of the one that it was redirected
 * from (RFC 9309, 2.3 and 2.3.1.2). `www.` makes no difference: shops have one file for both.
 */
export const speaksFor = (robots: Answer, page: Pick<Answer, 'final_url'>): boolean =>
  [robots.url, robots.final_url].some((url) => isSameHost(url, page.final_url))

/**
 * What the groups of each agent say about the use of a page's content; agents of which nothing is
 * said are not in the map. As linear as `disallowedBy`, with the signals of one group bounded.
 */
export function usageSignalsOf(
  text: string,
  tokens: readonly string[],
  url: string,
): Map<string, UsageSignal[]> {
  const wanted = new Set(['*', ...tokens.map((token) => token.toLowerCase())])
  const groups = readGroups(text.slice(0, MAX_ROBOTS_CHARACTERS), wanted, RULES_AND_SIGNALS)
  const [page] = pathsOf([url])
  const found = new Map<string, UsageSignal[]>()
  for (const token of tokens) {
    const own = groups.get(token.toLowerCase()) ?? groups.get('*') ?? []
    const signals = own
      .flatMap((group) => group.signals)
      .slice(0, MAX_SIGNALS)
      .filter(({ pattern }) => page !== undefined && matches(encoded(pattern), page.path))
    if (signals.length > 0) found.set(token, signals)
  }
  return found
}

/** Of one agent: a file states its few preferences once, or once for a few folders. */
const MAX_SIGNALS = 50

const pathsOf = (urls: readonly string[]): { url: string; path: string }[] =>
  urls.flatMap((url) => {
    const parsed = url.length > MAX_URL ? null : URL.parse(url)
    return parsed === null ? [] : [{ url, path: upperEscapes(parsed.pathname + parsed.search) }]
  })

/** The groups of the wanted agents; others are passed over. `keys` are the lines that make one. */
function readGroups(
  text: string,
  wanted: ReadonlySet<string>,
  keys: ReadonlySet<string>,
): Map<string, Group[]> {
  const groups = new Map<string, Group[]>()
  let current: { agents: Set<string>; group: Group } | null = null
  let isNaming = false
  for (const [index, line] of text.split(/\r\n|\r|\n/).entries()) {
    const [statement = ''] = line.split('#', 1)
    const colon = statement.indexOf(':')
    const key = statement.slice(0, Math.max(colon, 0)).trim().toLowerCase()
    if (key === '') continue
    const value = statement.slice(colon + 1).trim()
    if (key === 'user-agent') {
      // Lines that follow each other name the agents of one group.
      if (!isNaming || current === null) {
        current = {
          agents: new Set(),
          group: { rules: [], signals: [], verdicts: new Map() },
        }
      }
      const agent = value.split('/', 1)[0]?.trim().toLowerCase() ?? ''
      if (wanted.has(agent)) current.agents.add(agent)
    } else if (current !== null && keys.has(key)) {
      const { agents, group } = current
      // Agents that are named without a rule have no group of their own.
      for (const agent of agents) {
        const own = groups.get(agent) ?? []
        if (own.at(-1) !== group) own.push(group)
        groups.set(agent, own)
      }
      const signal = readUsageSignal(key, value, index + 1)
      if (signal !== null) {
        if (group.signals.length < MAX_SIGNALS) group.signals.push(signal)
      } else if (agents.size > 0 && value !== '' && key !== 'crawl-delay') {
        group.rules.push({ pattern: encoded(value), allow: key === 'allow', line: index + 1 })
      }
    }
    isNaming = key === 'user-agent'
  }
  return groups
}

/** An empty rule makes a group as well: `Disallow:` allows everything. */
const RULES = new Set(['allow', 'disallow', 'crawl-delay'])

// Unspecified: a group of nothing but Content-Signal or Content-Usage decides the use of content
// and not access: crawlers of RFC 9309 do not know these lines.
const RULES_AND_SIGNALS = new Set([...RULES, 'content-signal', 'content-usage'])

/** The strongest line of a group about a path; null when none is about it. */
function verdictOf({ rules, verdicts }: Group, path: string): Rule | null {
  const known = verdicts.get(path)
  if (known !== undefined) return known
  let best: Rule | null = null
  for (const rule of rules) {
    // A line that is weaker than the best need not be matched.
    if (stronger(best, rule) === rule && matches(rule.pattern, path)) best = rule
  }
  verdicts.set(path, best)
  return best
}

/** The longest pattern wins, and of two that are as long the one that allows (RFC 9309, 2.2.2). */
function stronger(best: Rule | null, other: Rule | null): Rule | null {
  if (best === null || other === null) return best ?? other
  const longer = other.pattern.length - best.pattern.length
  return longer > 0 || (longer === 0 && other.allow && !best.allow) ? other : best
}

/**
 * Whether a pattern matches the beginning of a path; `*` stands for any text and `$` for the end.
 * What stands between two stars is looked for from left to right and never again, so that no
 * pattern takes more than one pass.
 */
function matches(pattern: string, path: string): boolean {
  const isWhole = pattern.endsWith('$')
  const parts = (isWhole ? pattern.slice(0, -1) : pattern).split('*')
  const [first = ''] = parts
  const last = parts.length > 1 ? parts.pop() : undefined
  if (!path.startsWith(first)) return false
  let at = first.length
  for (const part of parts.slice(1)) {
    const start = path.indexOf(part, at)
    if (start === -1) return false
    at = start + part.length
  }
  if (last === undefined) return !isWhole || at === path.length
  return isWhole ? path.length - last.length >= at && path.endsWith(last) : path.includes(last, at)
}

/** Escapes what a URL escapes, so that a pattern may be written either way (RFC 9309, 2.2.2). */
function encoded(pattern: string): string {
  try {
    return upperEscapes(encodeURI(pattern).replaceAll('%25', '%'))
  } catch {
    return pattern
  }
}

/** `%e4` and `%E4` are one. */
const upperEscapes = (path: string): string =>
  path.replace(/%[0-9a-f]{2}/gi, (code) => code.toUpperCase())
