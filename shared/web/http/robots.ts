import { isSameHost } from '../address/same-site.ts'
import { MAX_ADDRESS } from '../address/uri.ts'
import type { Answer, Fetched } from './fetched.ts'
import { presenceOf } from './presence.ts'
import { readUsageSignal, type UsageSignal } from './usage-signals.ts'

/**
 * The maximum of a file: as much as crawlers must read at least (RFC 9309, 2.5). A longer one is
 * not judged, because its end may allow what its beginning forbids.
 */
export const MAX_ROBOTS_CHARACTERS = 500 * 1024

/** Longer addresses are not checked: the time for each line grows with them. */
const MAX_URL = 1_000

/** A URL that an agent may not read, and the line of robots.txt that forbids it. */
export interface Disallowed {
  url: string
  /** In the file, from 1. */
  line: number
  /**
   * The line below the agent's name at which some crawlers end its group; null if there is none.
   */
  disputed: number | null
}

/** An agent in the terms of robots.txt. */
export interface RobotsAgent {
  /** Its product token (RFC 9309, 2.2.1). */
  token: string
  /** The agent whose groups apply if none names this one, before those of `*`. */
  follows?: string
}

/** One line that allows or forbids. */
interface Rule {
  pattern: string
  allow: boolean
  line: number
}

/** A list of agents and what follows it, with the rules for the given paths. */
interface Group {
  rules: Rule[]
  /** The lines about the agents; names and sitemaps are not among them. */
  lines: number[]
  signals: UsageSignal[]
  /** The last line among the names that is not a name, such as a Crawl-delay. */
  amongNames: number | null
  matching: Map<string, readonly Rule[]>
}

/** A group of one agent, and its first line with the agent's name. */
interface Own {
  group: Group
  named: number
}

/**
 * By token, the first of the URLs that robots.txt forbids an agent, by the groups of RFC 9309;
 * agents that may read all are not in the map. `urls` are absolute and on the file's own site.
 * Linear in the text: each line meets each URL once.
 */
export function disallowedBy(
  text: string,
  agents: readonly RobotsAgent[],
  urls: readonly string[],
): Map<string, Disallowed> {
  const ownOf = readGroups(text, agents)
  const paths = pathsOf(urls)
  const found = new Map<string, Disallowed>()
  for (const agent of agents) {
    const own = ownOf(agent)
    for (const { url, path } of paths) {
      let best: { rule: Rule; of: Own } | null = null
      for (const of of own) {
        for (const rule of matchingIn(of.group, path)) {
          if (stronger(best?.rule ?? null, rule) === rule) best = { rule, of }
        }
      }
      if (best === null || best.rule.allow) continue
      found.set(agent.token, { url, line: best.rule.line, disputed: disputed(best.of) })
      break
    }
  }
  return found
}

/** The lines that apply to an agent, from 1. */
export interface OwnLines {
  /** All but names and sitemaps. */
  lines: number[]
  /** The lines without which it may read the URLs; none if it may. */
  against: ReadonlySet<number>
}

/** By token, the lines of the groups that apply to each agent. As linear as `disallowedBy`. */
export function ownLinesOf(
  text: string,
  agents: readonly RobotsAgent[],
  urls: readonly string[],
): Map<string, OwnLines> {
  const ownOf = readGroups(text, agents)
  const paths = pathsOf(urls)
  const found = new Map<string, OwnLines>()
  for (const agent of agents) {
    const own = ownOf(agent)
    const against = new Set<number>()
    for (const { path } of paths) {
      const about = own.flatMap(({ group }) => matchingIn(group, path))
      const allowing = about.filter(({ allow }) => allow).reduce<Rule | null>(stronger, null)
      for (const rule of about) {
        if (!rule.allow && stronger(allowing, rule) === rule) against.add(rule.line)
      }
    }
    // Rules are below all names of their group, so none is above its agent.
    const lines = own.flatMap(({ group, named }) => group.lines.filter((line) => line > named))
    found.set(agent.token, { lines, against })
  }
  return found
}

/**
 * Whether a robots.txt applies to a page: it applies to its host, and to the host that it was
 * redirected from (RFC 9309, 2.3 and 2.3.1.2). `www.` makes no difference: stores have one file for
 * both.
 */
export const speaksFor = (robots: Answer, page: Pick<Answer, 'final_url'>): boolean =>
  [robots.url, robots.final_url].some((url) => isSameHost(url, page.final_url))

/**
 * What the groups of each agent say about the use of a page's content; other agents are not in the
 * map. As linear as `disallowedBy`, with the signals of one group bounded.
 */
export function usageSignalsOf(
  text: string,
  agents: readonly RobotsAgent[],
  url: string,
): Map<string, UsageSignal[]> {
  const ownOf = readGroups(text, agents)
  const [page] = pathsOf([url])
  const found = new Map<string, UsageSignal[]>()
  for (const agent of agents) {
    const own = ownOf(agent)
    const signals = own
      .flatMap(({ group, named }) => group.signals.filter(({ line }) => (line ?? 0) > named))
      .slice(0, MAX_SIGNALS)
      .filter(({ pattern }) => page !== undefined && matches(encoded(pattern), page.path))
    if (signals.length > 0) found.set(agent.token, signals)
  }
  return found
}

/** The maximum per agent: a file states its few preferences once, or once for a few folders. */
const MAX_SIGNALS = 50

const pathsOf = (urls: readonly string[]): { url: string; path: string }[] =>
  urls.flatMap((url) => {
    const parsed = url.length > MAX_URL ? null : URL.parse(url)
    return parsed === null ? [] : [{ url, path: upperEscapes(parsed.pathname + parsed.search) }]
  })

/**
 * The groups that each of these agents goes by; others are passed over. One begins with the first
 * name after a rule, or of the file: other lines end none (RFC 9309, 2.2.4), and an agent that is
 * named without rules may read all, as Google's parser has it (github.com/google/robotstxt).
 *
 * Unspecified: crawlers that know such a line may differ: Crawl-delay ends the list of names for
 * many that obey it, and Content-Usage is a rule in the drafts of AIPREF. Rules are read as the RFC
 * says, with the line in dispute; signals count for the agents that are named above them.
 */
function readGroups(
  text: string,
  agents: readonly RobotsAgent[],
): (agent: RobotsAgent) => readonly Own[] {
  const namesOf = ({ token, follows }: RobotsAgent) =>
    [token, ...(follows === undefined ? [] : [follows]), '*'].map((name) => name.toLowerCase())
  const wanted = new Set(agents.flatMap(namesOf))
  const groups = new Map<string, Own[]>()
  let group: Group | null = null
  let isNaming = false
  let isWanted = false
  let other: number | null = null
  for (const [index, source] of robotsLines(text.slice(0, MAX_ROBOTS_CHARACTERS)).entries()) {
    const { key, value } = readStatement(source)
    const line = index + 1
    if (key === 'user-agent') {
      if (!isNaming || group === null) {
        group = { rules: [], lines: [], signals: [], amongNames: null, matching: new Map() }
        isNaming = true
        isWanted = false
        other = null
      }
      group.amongNames = other
      const agent = agentIn(value)
      if (!wanted.has(agent)) continue
      isWanted = true
      const own = groups.get(agent) ?? []
      if (own.at(-1)?.group !== group) own.push({ group, named: line })
      groups.set(agent, own)
    } else if (key === 'allow' || key === 'disallow') {
      isNaming = false
      if (isWanted) group?.lines.push(line)
      // An empty rule is one as well: `Disallow:` allows everything.
      if (!isWanted || value === '') continue
      group?.rules.push({ pattern: encoded(value), allow: key === 'allow', line })
    } else if (key !== '') {
      other = line
      if (isWanted && key !== 'sitemap') group?.lines.push(line)
      const signal = isWanted ? readUsageSignal(key, value, line) : null
      if (signal !== null && group !== null && group.signals.length < MAX_SIGNALS) {
        group.signals.push(signal)
      }
    }
  }
  return (agent) => {
    const name = namesOf(agent).find((each) => groups.has(each))
    return (name !== undefined && groups.get(name)) || []
  }
}

/** Line ends of RFC 9309 (2.2, EOL). */
export const robotsLines = (text: string): string[] => text.split(/\r\n|\r|\n/)

/** `Disallow: /cart # the cart` without its comment; the key is empty if the line has none. */
export function readStatement(line: string): { key: string; value: string } {
  const [statement = ''] = line.split('#', 1)
  const colon = statement.indexOf(':')
  const key = statement.slice(0, Math.max(colon, 0)).trim().toLowerCase()
  return { key, value: statement.slice(colon + 1).trim() }
}

/**
 * The addresses in the `Sitemap` lines of a robots.txt, as written, each once: they belong to no
 * group (https://www.sitemaps.org/protocol.html). None without an answer.
 */
export function sitemapsIn(robots: Fetched): string[] {
  const presence = presenceOf(robots)
  if (presence.is !== 'present') return []
  const urls = robotsLines(presence.answer.body).flatMap((line) => {
    const { key, value } = readStatement(line)
    const [url = ''] = value.split(/\s/, 1)
    return key === 'sitemap' && url !== '' && url.length < MAX_ADDRESS ? url : []
  })
  return [...new Set(urls)]
}

/**
 * The agent that a line names, in lower case: its product token ends at the first character that
 * tokens cannot have, so that `Name/1.0` and `Name 1.0` are `name` (RFC 9309, 2.2.1). `*` is all
 * agents.
 */
export const agentIn = (value: string): string =>
  /^\*(?=\s|$)|^[a-z_-]*/i.exec(value)?.[0].toLowerCase() ?? ''

/** Whether the agent is named above a line at which some crawlers end the list of names. */
const disputed = ({ group: { amongNames }, named }: Own): number | null =>
  amongNames !== null && named < amongNames ? amongNames : null

/** The lines of a group that match a path. */
function matchingIn(group: Group, path: string): readonly Rule[] {
  const known = group.matching.get(path)
  if (known !== undefined) return known
  const found = group.rules.filter(({ pattern }) => matches(pattern, path))
  group.matching.set(path, found)
  return found
}

/** The longest pattern wins; of two equally long ones, the one that allows (RFC 9309, 2.2.2). */
function stronger(best: Rule | null, other: Rule | null): Rule | null {
  if (best === null || other === null) return best ?? other
  const longer = other.pattern.length - best.pattern.length
  return longer > 0 || (longer === 0 && other.allow && !best.allow) ? other : best
}

/**
 * Whether a pattern matches the beginning of a path; `*` stands for any text and `$` for the end.
 * Texts between stars are searched from left to right without backtracking, so that a pattern takes
 * one pass.
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

/** `%e4` and `%E4` are the same. */
const upperEscapes = (path: string): string =>
  path.replace(/%[0-9a-f]{2}/gi, (code) => code.toUpperCase())
