import { CHALLENGED, REFUSED_STATUSES } from '../../../shared/attribution/fetches/kept.ts'
import type { AgentSums, RefusedAgent, Wall } from '../../../shared/attribution/fetches/report.ts'
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

// Unspecified: a gap from five requests on, where it met most of what was asked for, and the newest
// answers still show it. A dead link, or a page that is closed for good reasons, is a line of the
// list alone. robots.txt on three days.
const LEAST_MET = 5
const LEAST_DAYS = 3
const isMost = (part: number, whole: number): boolean => part * 2 > whole

interface Met {
  agents: readonly AgentSums[]
  refused: readonly RefusedAgent[]
  /** The pages of products that verified agents asked for; missing 0 times: it is there. */
  products: readonly { path: string; missing: number }[]
  walls: readonly Wall[]
}

/** The gaps that verified agents met, with the numbers as evidence, worst first. */
export function gapsMet({ agents, refused, products, walls }: Met): MetGap[] {
  const gaps: MetGap[] = []
  const add = (id: GapId, detail: string) => {
    const { severity, label, fix } = gapWords(id)
    gaps.push({ id, severity, label, detail, fix })
  }
  const out = refused.filter(({ asked, refused: times, challenged }) => {
    const met = times + challenged
    return met >= LEAST_MET && isMost(met, asked)
  })
  const addWall = (kind: 'refused' | 'challenged', id: GapId, does: string) => {
    const own = out.filter((each) => each[kind] > 0)
    if (own.length === 0) return
    const where = walls.filter(
      ({ agent, status }) =>
        own.some((each) => each.agent === agent) &&
        REFUSED_STATUSES.some((each) => each === status) &&
        (status === CHALLENGED) === (kind === 'challenged'),
    )
    const counts = own.map((each) => `${each.agent} ${times(each[kind])} of ${each.asked}`)
    const paths = named([...new Set(where.map(({ path }) => path))])
    add(id, `The server ${does} ${named(counts)}, most often for ${paths}.`)
  }
  addWall('refused', 'agents_refused', 'refused')
  addWall('challenged', 'agents_challenged', 'sent a challenge to')
  const gone = products.filter(({ missing }) => missing > 0)
  const missing = gone.reduce((sum, each) => sum + each.missing, 0)
  if (missing >= LEAST_MET && isMost(gone.length, products.length)) {
    const counts = `${gone.length} of ${products.length} product pages`
    const paths = named(gone.map(({ path }) => path))
    add('product_pages_dead', `Verified agents met ${counts} as gone, ${times(missing)}: ${paths}.`)
  }
  const wanted = new Set(NAMED_AGENTS.flatMap((each) => (each.shops ? [each.token] : [])))
  const keptOut = agents.filter(
    ({ agent, verified, robots, fetches, days }) =>
      verified === 'verified' &&
      wanted.has(agent) &&
      days >= LEAST_DAYS &&
      robots > 0 &&
      robots === fetches,
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

const times = (count: number): string => (count === 1 ? 'once' : `${englishCount(count)} times`)

/** The first three of a list. */
function named(list: readonly string[]): string {
  const first = list.slice(0, 3).join(', ')
  return list.length > 3 ? `${first} and ${englishCount(list.length - 3)} more` : first
}
