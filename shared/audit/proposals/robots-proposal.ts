import * as z from 'zod'
import { Domain } from '../../web/address/domain.ts'
import { presenceOf } from '../../web/http/presence.ts'
import {
  agentIn,
  disallowedBy,
  MAX_ROBOTS_CHARACTERS,
  type OwnLines,
  ownLinesOf,
  readStatement,
  robotsLines,
} from '../../web/http/robots.ts'
import { visibleText } from '../../web/text/invisible.ts'
import { AI_AGENTS } from '../checks/well-known/ai-agents.ts'
import { neededUrls, sayDisputed } from '../checks/well-known/robots.ts'
import type { Evidence } from '../evidence.ts'
import type { Proposed } from './proposal.ts'

export const RobotsProposalRequest = z.strictObject({ domain: Domain })
export type RobotsProposalRequest = z.infer<typeof RobotsProposalRequest>

/** What is read of the store for it. */
export const ROBOTS_READS = ['robots', 'productPages'] as const

type Seen = Partial<Pick<Evidence, (typeof ROBOTS_READS)[number]>>

/**
 * The robots.txt of a store with the AI agents that it keeps out let in. Each gets a group of what
 * it went by until now, by its own name or as one of all, without the rules that disallow what it
 * needs. Lines stay as they are for others.
 *
 * Unspecified: it lets in also those agents that may ignore robots.txt and are not a gap: the tool
 * was asked to open the store.
 */
export function proposeRobots(
  { domain }: RobotsProposalRequest,
  { robots, productPages = [] }: Seen,
): Proposed {
  const presence = robots === undefined ? null : presenceOf(robots)
  if (presence === null || presence.is === 'absent' || presence.is === 'requires_auth') {
    return nothing('There is no robots.txt that could keep anybody out: nothing to change.')
  }
  if (presence.is !== 'present') {
    return nothing('robots.txt could not be read. Try again when the store serves it.')
  }
  const { body, truncated } = presence.answer
  if (truncated || body.length > MAX_ROBOTS_CHARACTERS) {
    return nothing('robots.txt is too long to be read completely: shorten it first.')
  }
  const home = `https://${domain}/`
  const urls = neededUrls(domain, presence.answer, productPages)
  // Invisible characters, which agents do not read either, are not written again.
  const lines = robotsLines(body).map(visibleText)
  const text = lines.join('\n')
  const kept = disallowedBy(text, AI_AGENTS, urls)
  if (kept.size === 0) return nothing('robots.txt lets all AI agents in: nothing to change.')
  const tokens = [...kept.keys()]
  const own = ownLinesOf(text, AI_AGENTS, urls)
  const groups = letIn(lines, tokens, own)
  const named = new Set(tokens.map((token) => token.toLowerCase()))
  const comment = '# AI agents that search for shoppers, or read a page while one asks'
  const content = `${[comment, ...groups, ...withoutAgents(lines, named)].join('\n').trimEnd()}\n`
  if (content.length > MAX_ROBOTS_CHARACTERS) {
    return nothing('robots.txt would become too long to be read completely: shorten it first.')
  }
  const against = new Set(tokens.flatMap((token) => [...(own.get(token)?.against ?? [])]))
  const left = [...against].slice(0, MAX_NAMED).map((line) => `line ${line}`)
  const disputed = new Set([...kept.values()].flatMap(({ disputed: line }) => line ?? []))
  return {
    files: [
      {
        path: 'robots.txt',
        content,
        placement: 'file',
        url: `${home}robots.txt`,
        content_type: 'text/plain; charset=utf-8',
        replaces: 'The robots.txt that is there',
      },
    ],
    missing: [],
    notes: [
      `It lets ${tokens.join(', ')} in: they no longer go by ${left.join(', ')}${against.size > left.length ? ' and others' : ''} of the present file. Their other lines stay, and crawlers that collect for training are as they were.`,
      'What they are to stay out of, such as /account, needs a Disallow line in their group.',
      ...[...disputed].map(
        (line) =>
          `${sayDisputed(line)} If you do not want that, add this rule first and ask again.`,
      ),
      'If your platform writes robots.txt, change it there: this file would be overwritten.',
    ],
    check_after: [`audit ${domain} again, with the check well_known`],
  }
}

const nothing = (note: string): Proposed => ({
  files: [],
  missing: [],
  notes: [note],
  check_after: [],
})

/** A few stand for all. */
const MAX_NAMED = 5

const lineAt = (lines: readonly string[], line: number): string => lines[line - 1]?.trim() ?? ''

/** Groups of what the agents went by, without the rules that kept them out. */
function letIn(
  lines: readonly string[],
  tokens: readonly string[],
  own: ReadonlyMap<string, OwnLines>,
): string[] {
  const named = new Map<string, string[]>()
  for (const token of tokens) {
    const { lines: all, against } = own.get(token) ?? { lines: [], against: new Set() }
    const rest = all.filter((line) => !against.has(line)).map((line) => lineAt(lines, line))
    // Without a rule, the names of the next group would join this one.
    if (!rest.some((line) => isRule(readStatement(line).key))) rest.push('Allow: /')
    const rules = rest.join('\n')
    named.set(rules, [...(named.get(rules) ?? []), `User-agent: ${token}`])
  }
  return [...named].flatMap(([rules, names]) => [...names, rules, ''])
}

const isRule = (key: string): boolean => key === 'allow' || key === 'disallow'

/**
 * The lines without the names of these agents. A group that named no other agent goes with its
 * rules, which would else belong to the agents above it (RFC 9309, 2.2.1).
 */
function withoutAgents(all: readonly string[], agents: ReadonlySet<string>): string[] {
  const lines: string[] = []
  let isNaming = false
  // Rules before the first agent apply to none (RFC 9309, 2.1), and would join the group put in
  // front.
  let isGone = true
  for (const line of all) {
    const { key, value } = readStatement(line)
    if (key === 'user-agent') {
      if (!isNaming) isGone = true
      isNaming = true
      if (agents.has(agentIn(value))) continue
      isGone = false
    } else if (isRule(key)) {
      isNaming = false
    }
    // A sitemap belongs to no group.
    if (!isGone || key === '' || key === 'sitemap') lines.push(line)
  }
  return lines
}
