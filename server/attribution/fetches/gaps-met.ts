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

// Unspecified: what verified agents met is a gap from five requests on, and robots.txt alone on
// three days.
const LEAST_MET = 5
const LEAST_DAYS = 3

/** The gaps that verified agents met, with the numbers as evidence, worst first. */
export function gapsMet(agents: readonly AgentSums[], walls: readonly Wall[]): MetGap[] {
  const verified = agents.filter((each) => each.verified === 'verified')
  const gaps: MetGap[] = []
  const add = (id: GapId, detail: string) => {
    const { severity, label, fix } = gapWords(id)
    gaps.push({ id, severity, label, detail, fix })
  }
  const met = (is: (wall: Wall) => boolean) => {
    const found = walls.filter(is)
    const fetches = found.reduce((sum, wall) => sum + wall.fetches, 0)
    const names = [...new Set(found.map(({ agent }) => agent))]
    const where = [...new Set(found.map(({ path }) => path))]
    return { fetches, said: `${named(names)}, most often for ${named(where)}` }
  }
  const refused = met(({ status }) => isRefusal(status))
  if (refused.fetches >= LEAST_MET) {
    const count = times(refused.fetches)
    add('agents_refused', `The server refused verified agents ${count}: ${refused.said}.`)
  }
  const missing = met(({ status }) => isMissing(status))
  if (missing.fetches >= LEAST_MET) {
    const count = times(missing.fetches)
    add('product_pages_dead', `Verified agents met a missing page ${count}: ${missing.said}.`)
  }
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
