import * as z from 'zod'
import { Domain } from '../../web/domain.ts'
import { visibleText } from '../../web/invisible.ts'
import { presenceOf } from '../../web/presence.ts'
import {
  agentIn,
  disallowedBy,
  MAX_ROBOTS_CHARACTERS,
  readStatement,
  robotsLines,
} from '../../web/robots.ts'
import { AI_AGENTS } from '../checks/well-known/ai-agents.ts'
import { neededUrls } from '../checks/well-known/robots.ts'
import type { Evidence } from '../evidence.ts'
import type { Proposed } from './proposal.ts'

export const RobotsProposalRequest = z.strictObject({ domain: Domain })
export type RobotsProposalRequest = z.infer<typeof RobotsProposalRequest>

/** What is read of the store for it. */
export const ROBOTS_READS = ['robots', 'productPages'] as const

type Seen = Partial<Pick<Evidence, (typeof ROBOTS_READS)[number]>>

/**
 * The robots.txt of a store with the AI agents that it keeps out let in. Lines stay as they are,
 * but for the names of these agents: they get a group of their own, and the rules of others stay.
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
  const kept = disallowedBy(body, AI_AGENTS, urls)
  if (kept.size === 0) return nothing('robots.txt lets all AI agents in: nothing to change.')
  const named = new Set([...kept.keys()].map((token) => token.toLowerCase()))
  const group = [
    '# AI agents that search for shoppers, or read a page while one asks',
    ...[...kept.keys()].map((token) => `User-agent: ${token}`),
    'Allow: /',
  ]
  const content = `${[...group, '', ...withoutAgents(body, named)].join('\n').trimEnd()}\n`
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
      `It lets ${[...kept.keys()].join(', ')} in. Crawlers that collect for training stay as they were.`,
      'What they are to stay out of, such as /account, needs a Disallow line in their group.',
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

/**
 * The lines without the names of these agents; a group that named nobody else goes with its rules,
 * which would else belong to the agents above it (RFC 9309, 2.2.1).
 */
function withoutAgents(text: string, agents: ReadonlySet<string>): string[] {
  const lines: string[] = []
  let isNaming = false
  // What comes before any agent belongs to nobody (RFC 9309, 2.1), and would join the group put in
  // front.
  let isGone = true
  // An agent reads the same lines: what nobody sees in them is not written again.
  for (const line of robotsLines(text).map(visibleText)) {
    const { key, value } = readStatement(line)
    if (key === 'user-agent') {
      if (!isNaming) isGone = true
      isNaming = true
      if (agents.has(agentIn(value))) continue
      isGone = false
    } else if (key === 'allow' || key === 'disallow') {
      isNaming = false
    }
    // A sitemap belongs to no group.
    if (!isGone || key === '' || key === 'sitemap') lines.push(line)
  }
  return lines
}
