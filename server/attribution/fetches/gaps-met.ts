import type { AgentSums, Wall } from '../../../shared/attribution/fetches/report.ts'
import { NAMED_AGENTS } from '../../../shared/audit/checks/well-known/ai-agents.ts'
import type { Severity } from '../../../shared/audit/vocabulary.ts'
import { type GapId, gapWords } from '../../../shared/audit/words.ts'
import { englishCount } from '../../../shared/web/text/english-count.ts'

/** A gap, with what agents met as its evidence. */
export interface MetGap {
  id: GapId
  severity: Severity
  label: string
  detail: string
  fix: string
}

// Unspecified: a gap from five requests on, and half of all that these agents asked for: a dead
// link, or a page that is closed for good reasons, is a line of the list alone. robots.txt on three
// days.
const LEAST_MET = 5
const LEAST_SHARE = 0.5
const LEAST_DAYS = 3

/** The gaps that verified agents met, with the numbers as evidence, worst first. */
export function gapsMet(agents: readonly AgentSums[], walls: readonly Wall[]): MetGap[] {
  const verified = agents.filter((each) => each.verified === 'verified')
  const gaps: MetGap[] = []
  const add = (id: GapId, detail: string) => {
    const { severity, label, fix } = gapWords(id)
    gaps.push({ id, severity, label, detail, fix })
  }
  /** Where these agents met it most, if that was most of what they asked for. */
  const mostOf = (who: readonly AgentSums[], of: 'refused' | 'missing', is: typeof isRefusal) => {
    const met = who.reduce((sum, each) => sum + each[of], 0)
    const asked = who.reduce((sum, { fetches, robots }) => sum + fetches - robots, 0)
    if (met < LEAST_MET || met < asked * LEAST_SHARE) return null
    const names = who.filter((each) => each[of] > 0).map(({ agent }) => agent)
    const found = walls.filter(({ agent, status }) => names.includes(agent) && is(status))
    const where = [...new Set(found.map(({ path }) => path))]
    const count = `${times(met)} of ${englishCount(asked)}`
    return `${count}: ${named([...new Set(names)])}, most often for ${named(where)}`
  }
  const isMostlyRefused = (each: AgentSums) => mostOf([each], 'refused', isRefusal) !== null
  const refused = mostOf(verified.filter(isMostlyRefused), 'refused', isRefusal)
  if (refused) add('agents_refused', `The server refused verified agents ${refused}.`)
  const missing = mostOf(verified, 'missing', isMissing)
  if (missing) add('product_pages_dead', `Verified agents met a missing page ${missing}.`)
  const wanted = new Set(NAMED_AGENTS.flatMap((each) => (each.shops ? [each.token] : [])))
  const keptOut = verified.filter(
    ({ agent, robots, fetches, days }) =>
      wanted.has(agent) && days >= LEAST_DAYS && robots > 0 && robots === fetches,
  )
  if (keptOut.length > 0) {
    const said = keptOut.map(
      ({ agent, robots, days }) => `${agent} read robots.txt ${times(robots)} on ${days} days`,
    )
    add('robots_blocks_ai_agents', `${said.join(', ')}, and no page after it.`)
  }
  return gaps.toSorted((a, b) => WORST.indexOf(a.severity) - WORST.indexOf(b.severity))
}

const WORST: readonly Severity[] = ['critical', 'high', 'medium', 'low']

const isRefusal = (status: number): boolean => [401, 403, 429].includes(status)
const isMissing = (status: number): boolean => [404, 410].includes(status)

const times = (count: number): string => (count === 1 ? 'once' : `${englishCount(count)} times`)

/** The first three of a list. */
function named(list: readonly string[]): string {
  const first = list.slice(0, 3).join(', ')
  return list.length > 3 ? `${first} and ${englishCount(list.length - 3)} more` : first
}
