import { canonicalOf } from '../../../markup/canonical.ts'
import { UCP_PATHS } from '../../../protocols/ucp.ts'
import { presenceOf } from '../../../web/presence.ts'
import { disallowedBy, MAX_ROBOTS_CHARACTERS, speaksFor } from '../../../web/robots.ts'
import type { Evidence } from '../../evidence.ts'
import { gap, pass, skip, type Verdict } from '../../rule.ts'
import { AI_AGENTS } from './ai-agents.ts'

type Seen = Pick<Evidence, 'site' | 'robots' | 'productPages'>

/** Judges whether robots.txt lets AI agents read the home page, the manifest and product pages. */
export function judgeRobots({ site, robots, productPages }: Seen): Verdict {
  const presence = presenceOf(robots)
  // RFC 9309 §2.3.1.3: without a file, or with a 4xx, everything is allowed.
  if (presence.is === 'absent' || presence.is === 'requires_auth') return pass()
  if (presence.is !== 'present') return skip(presence.why)
  const { body, truncated } = presence.answer
  if (truncated || body.length > MAX_ROBOTS_CHARACTERS)
    return skip('robots.txt is too long to be read completely')
  const home = `https://${site.domain}/`
  // Robots keep to the canonical address; many shops close the parameters that lead there.
  const pages = productPages.flatMap(({ fetched, page }) =>
    fetched.kind === 'answer' && speaksFor(presence.answer, fetched)
      ? [page === null ? fetched.final_url : canonicalOf(page)]
      : [],
  )
  const disallowed = disallowedBy(body, AI_AGENTS, [
    home,
    `https://${site.domain}${UCP_PATHS.manifest}`,
    ...pages.slice(0, 3),
  ])
  if (disallowed.size === 0) return pass()
  const blocked = [...disallowed].map(
    ([token, { url, line }]) => `${token} may not read ${url} (line ${line})`,
  )
  const disputed = new Set([...disallowed.values()].flatMap(({ disputed: line }) => line ?? []))
  return gap([`robots.txt: ${blocked.join('; ')}.`, ...[...disputed].map(sayDisputed)].join(' '))
}

// Unspecified: what some crawlers read otherwise is a gap as well, with the reason: Google reads it
// so, and the RFC asks it of all.
const sayDisputed = (line: number): string =>
  `Line ${line} ends no group (RFC 9309, 2.2.4), so the agents named above it have the rules below it too. Some crawlers do end the group there: a rule such as "Allow: /" below that line parts the groups for all.`
