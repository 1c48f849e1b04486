import { type Agent, namedAgent } from '../agents.ts'
import type { FetchPurpose } from '../surfaces.ts'
import { CHALLENGED } from './kept.ts'

/**
 * One request as any server's log has it, before it is known who made it: what the readers of logs
 * give, what a collector sends, and a line of `POST /api/fetches`. All of it is untrusted.
 */
export interface LogLine {
  /** When the request came: milliseconds UTC, or a text of ISO 8601 with its offset. */
  at: number | string
  method: string
  /** In lower case, without a port. Left out where the log is of one site and does not say it. */
  host?: string
  /** As it was asked for, percent-encoded, without query and fragment. */
  path: string
  /** Of the query the known marks alone, such as `utm_source`. */
  marks?: Readonly<Record<string, string>>
  status: number
  /** The answer was a firewall's challenge, with any status. */
  challenged?: boolean
  /** Of the answer's body. */
  bytes?: number
  userAgent: string
  /** The client's. It serves to verify who called, and is not kept. */
  address?: string
  /** The headers of Web Bot Auth by their names in lower case, where they were logged. */
  signature?: Readonly<Record<string, string>>
  /** The CDN that took the request has verified whose agent it was. */
  vouched?: boolean
  /** What the log itself calls the request, such as a Ray ID. */
  id?: string
  /** Of lines that are alike in all else and have no `id`: how many came before. Default 0. */
  nth?: number
}

/**
 * - `verified`: its signature, an address that its operator publishes for that day, the name of its
 *   address (forward-confirmed), or the CDN proves the agent
 * - `claimed`: the User-Agent says so; its operator gives no way to tell, or we could not use it
 * - `forged`: its operator publishes other addresses alone
 */
export const FETCH_PROOFS = ['verified', 'claimed', 'forged'] as const
export type FetchProof = (typeof FETCH_PROOFS)[number]

/** What is kept of an agent's request. */
export interface AgentFetch {
  /** Milliseconds UTC. */
  at: number
  path: string
  /** `CHALLENGED` in its place for a challenge. */
  status: number
  /** The row of `SURFACES` that its operator's assistant has; `other_ai` without one. */
  surface: string
  operator: string
  purpose: FetchPurpose
  /** Its product token as its operator spells it, such as `ChatGPT-User`. */
  agent: string
  verified: FetchProof
}

/**
 * How far it is proved that a line is of the agent that it names. What needs the network, such as
 * names of addresses and keys, is looked up before, for a batch of lines: `createFetchVerifier`.
 */
export type VerifyFetch = (line: LogLine, agent: Agent) => FetchProof

/** What is kept of a line; null: a person, or no agent of the table, or a time that cannot be. */
export function classifyFetch(line: LogLine, verify: VerifyFetch): AgentFetch | null {
  const agent = namedAgent(line.userAgent)
  const at = typeof line.at === 'number' ? line.at : Date.parse(line.at)
  if (agent === null || !Number.isFinite(at)) return null
  const { surface, operator, purpose, token } = agent
  return {
    ...{ at, path: line.path, status: line.challenged ? CHALLENGED : line.status },
    ...{ surface, operator, purpose, agent: token },
    verified: verify(line, agent),
  }
}
