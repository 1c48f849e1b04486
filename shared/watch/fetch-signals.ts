import { shiftDay } from '../web/moment.ts'
import { englishCount } from '../web/text/english-count.ts'
import type { Signal } from './signals.ts'

/** What a verified agent did on a day, in the store's time zone. */
export interface AgentDay {
  day: string
  agent: string
  fetches: number
  /** 401, 403, 429 and challenges. */
  refused: number
}

// Unspecified: an agent that came on 12 of 14 days has stopped after two whole days without it, if
// the log shows others on each of them. It meets a wall where a fifth of two days' requests, and
// ten, are refused, until less than a tenth is.
const QUIET_DAYS = 2
const USUAL_DAYS = 14
const DAILY = 12
const LEAST_REFUSED = 10
const REFUSED_FROM = 0.2
const REFUSED_UNTIL = 0.1

/** How many days before today are read. */
export const AGENT_DAYS = QUIET_DAYS + USUAL_DAYS

const STOPPED = 'agent_stopped:'
const WALLED = 'agent_walled:'

/** Judges whether agents that came each day still come, and get what they ask for. */
export function judgeAgents(
  days: readonly AgentDay[],
  { today, open }: { today: string; open: ReadonlySet<string> },
): Signal[] {
  const recent = Array.from({ length: QUIET_DAYS }, (_, n) => shiftDay(today, -n - 1))
  const before = shiftDay(today, -AGENT_DAYS)
  const logged = recent.every((day) => days.some((each) => each.day === day))
  const wasOpen = [...open].flatMap((subject) =>
    [STOPPED, WALLED].flatMap((kind) =>
      subject.startsWith(kind) ? subject.slice(kind.length) : [],
    ),
  )
  const agents = new Set([...days.map(({ agent }) => agent), ...wasOpen])
  return [...agents].toSorted().flatMap((agent): Signal[] => {
    const own = days.filter((each) => each.agent === agent)
    const now = own.filter(({ day }) => recent.includes(day))
    const usual = own.filter(({ day }) => day >= before && day < (recent.at(-1) ?? ''))
    const isOut = now.length === 0 && (usual.length >= DAILY || open.has(STOPPED + agent))
    const fetches = now.reduce((sum, each) => sum + each.fetches, 0)
    const refused = now.reduce((sum, each) => sum + each.refused, 0)
    const isRefused = open.has(WALLED + agent)
      ? refused > fetches * REFUSED_UNTIL
      : refused >= LEAST_REFUSED && refused >= fetches * REFUSED_FROM
    return [
      {
        subject: STOPPED + agent,
        seen: !logged ? 'unknown' : isOut ? 'wrong' : 'well',
        severity: 'high',
        label: `${agent} came daily and has stopped`,
        detail: `${englishCount(now.length)} of the last ${QUIET_DAYS} days and ${englishCount(usual.length)} of the ${USUAL_DAYS} days before have requests of ${agent}.`,
        fix: `Check robots.txt and your firewall for ${agent}: run an audit in the names of agents.`,
      },
      {
        subject: WALLED + agent,
        seen: fetches === 0 ? 'unknown' : isRefused ? 'wrong' : 'well',
        severity: 'high',
        label: `${agent} is refused`,
        detail: `${englishCount(refused)} of ${englishCount(fetches)} requests of ${agent} in the last ${QUIET_DAYS} days were answered with 401, 403, 429 or a challenge.`,
        fix: `Let ${agent} through in your firewall: its operator publishes how it is verified.`,
      },
    ]
  })
}
