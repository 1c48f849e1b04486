import { hash } from 'node:crypto'
import { namedAgent } from '../../../shared/attribution/agents.ts'
import {
  classifyFetch,
  type LogLine,
  type VerifyFetch,
} from '../../../shared/attribution/fetches/fetch.ts'
import { ASSETS, CHALLENGED, LATE_DAYS } from '../../../shared/attribution/fetches/kept.ts'
import { keptPath } from '../../../shared/attribution/kept-path.ts'
import { withOrWithoutWww } from '../../../shared/web/address/domain.ts'
import { DAY_MS, dayIn } from '../../../shared/web/moment.ts'
import { rememberSetting } from '../../db/attribution/domain-settings.ts'
import type { Db } from '../../db/connect.ts'
import { firstKept } from '../../db/events/partitions.ts'
import { addFetches, type NewFetch } from '../../db/fetches/fetches.ts'
import { takeTurns } from './turns.ts'
import type { VerifierFor } from './verify-fetch.ts'

/** What became of the lines of a log. They add up to `lines`. */
export interface TakenLines {
  lines: number
  /** Requests of agents that are counted now. */
  stored: number
  /** They were counted before. */
  repeated: number
  /** Of people, or of programs that no AI product runs: nothing of them is kept. */
  not_agents: number
  /** They came for another host. */
  other_host: number
  /** They are older than lines may be. */
  too_old: number
  /** They say that they come from the future. */
  in_future: number
  /** Their hour has as many as it may have. */
  over: number
}

/** Takes lines of logs: the only way by which they come in. */
export interface Intake {
  /**
   * Counts the lines of a domain, each once however often it comes. Resolves after the COMMIT.
   * Of those that come by parts, the lines of agents alone are held.
   * `verify`: what has been looked up for these lines already.
   */
  take(
    domain: string,
    lines: readonly LogLine[] | AsyncIterable<readonly LogLine[]>,
    verify?: VerifyFetch,
  ): Promise<TakenLines>
}

interface IntakeDeps {
  db: Db
  now: () => Date
  /** How many whole months of events are kept in addition to the current one. */
  retentionMonths: number
  /** Looks up what verifying these lines needs. */
  verifierFor: VerifierFor
}

/** Clocks differ; a line of tomorrow has a wrong one. */
const AHEAD_MS = DAY_MS

export function createIntake({ db, now, retentionMonths, verifierFor }: IntakeDeps): Intake {
  const zonesOf = rememberSetting(db.$client, 'time_zone')
  return {
    async take(domain, lines, given) {
      const at = now()
      const first = Math.max(
        at.getTime() - LATE_DAYS * DAY_MS,
        Date.parse(`${firstKept(at, retentionMonths)}-01`),
      )
      const hosts = new Set(withOrWithoutWww(domain))
      const taken = { lines: 0, not_agents: 0, other_host: 0, too_old: 0, in_future: 0 }
      const ofAgents: LogLine[] = []
      const turns = takeTurns()
      for await (const part of Symbol.asyncIterator in lines ? lines : [lines]) {
        taken.lines += part.length
        for (const line of part) {
          if (turns.isOver()) await turns.rest()
          if (line.host !== undefined && !hosts.has(line.host)) taken.other_host += 1
          else if (namedAgent(line.userAgent) === null) taken.not_agents += 1
          else ofAgents.push(line)
        }
      }
      const [zones, verify] = await Promise.all([zonesOf([domain]), given ?? verifierFor(ofAgents)])
      const zone = zones.get(domain)
      const nth = new Map<string, number>()
      const fetches: NewFetch[] = []
      for (const line of ofAgents) {
        if (turns.isOver()) await turns.rest()
        const read = classifyFetch(line, verify)
        if (read === null) taken.not_agents += 1
        else if (read.at < first) taken.too_old += 1
        else if (read.at > at.getTime() + AHEAD_MS) taken.in_future += 1
        else {
          const text = identityOf(line, read.at)
          const before = nth.get(text) ?? 0
          nth.set(text, before + 1)
          fetches.push({
            ...read,
            day: dayIn(read.at, zone),
            path: pathOf(read.path),
            status: statusOf(read.status),
            hash: hashOf(`${text} ${line.id === undefined ? (line.nth ?? before) : 0}`),
          })
        }
      }
      const added = await addFetches(db.$client, domain, fetches)
      return { ...added, ...taken }
    },
  }
}

/**
 * What tells a request from others: what the log calls it, or all that it says of it. Of the
 * address 16 bits of a hash count: they tell two callers of one second apart, and name neither.
 */
function identityOf(line: LogLine, at: number): string {
  if (line.id !== undefined) return `id ${line.id}`
  const { method, host, path, marks, status, bytes, userAgent, address } = line
  const caller = address === undefined ? '' : hash('md5', address).slice(0, 4)
  return JSON.stringify([at, method, host, path, marks, status, bytes, userAgent, caller])
}

const hashOf = (text: string): bigint => hash('md5', text, 'buffer').readBigUInt64LE()

const ASSET = /\.(?:avif|bmp|css|eot|gif|ico|jpe?g|m?js|map|mp4|otf|png|svg|ttf|webm|webp|woff2?)$/i

/** The path as it is kept, in the form that a browser gives it. */
function pathOf(path: string): string {
  const url = path.startsWith('/') ? URL.parse(`http://host${path.replace(/^\/+/, '/')}`) : null
  return url === null || ASSET.test(url.pathname) ? ASSETS : keptPath(url.pathname)
}

/** 0: it was never answered, or the log has no status that can be. */
const statusOf = (status: number): number =>
  status === CHALLENGED || (Number.isInteger(status) && status >= 100 && status <= 599) ? status : 0
