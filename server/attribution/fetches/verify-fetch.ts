import ipaddr from 'ipaddr.js'
import { type Agent, namedAgent } from '../../../shared/attribution/agents.ts'
import type { LogLine, VerifyFetch } from '../../../shared/attribution/fetches/fetch.ts'
import { dayOf } from '../../../shared/web/moment.ts'
import type { ConfirmedNames } from '../agents/confirmed-names.ts'
import type { AddressVerdict, AddressVerifier } from '../agents/verify-address.ts'
import type { ProvedCaller, SeenCall } from '../agents/verify-caller.ts'
import { takeTurns } from './turns.ts'

interface FetchVerifierDeps {
  /** Judges by the ranges that operators publish. */
  addresses: () => Promise<AddressVerifier>
  /** Null: names of addresses are not looked up. */
  names: ConfirmedNames | null
  /** Verifies signatures; null: they are not. */
  callers: { verify: (call: SeenCall) => Promise<ProvedCaller> } | null
}

/** Looks up what verifying these lines needs. */
export type VerifierFor = (lines: readonly LogLine[]) => Promise<VerifyFetch>

/** Verifies the agents of a batch of lines: what needs the network is looked up for all of it. */
export function createFetchVerifier({ addresses, names, callers }: FetchVerifierDeps): VerifierFor {
  return async (lines) => {
    const byAddress = await addresses()
    // By the agent that counts: a User-Agent may name a second one, at whose addresses it is.
    const judged = (line: LogLine, { token }: Agent): AddressVerdict =>
      byAddress({
        userAgent: token,
        address: line.address ?? '',
        day: dayOf(timeOf(line)),
      })
    const signed = new Set<LogLine>()
    const unproved = new Set<string>()
    const turns = takeTurns()
    for (const line of lines) {
      if (turns.isOver()) await turns.rest()
      const agent = namedAgent(line.userAgent)
      if (agent === null || line.vouched) continue
      if (callers !== null && (await isSigned(line, agent, callers))) signed.add(line)
      else if (names?.tell(agent.operator) && isPublic(line) && !isVerified(judged(line, agent))) {
        unproved.add(line.address)
      }
    }
    await names?.lookUp([...unproved])
    return (line, agent) => {
      if (line.vouched || signed.has(line)) return 'verified'
      // Behind a proxy that is not named in the log's settings, all come from its address.
      if (!isPublic(line)) return 'claimed'
      const verdict = judged(line, agent)
      if (isVerified(verdict) || names?.isOf(line.address, agent.operator)) return 'verified'
      return verdict.outcome === 'outside' ? 'forged' : 'claimed'
    }
  }
}

const isVerified = ({ outcome }: AddressVerdict): boolean => outcome === 'verified'

const timeOf = ({ at }: LogLine): number => {
  const time = typeof at === 'number' ? at : Date.parse(at)
  // A line without a time is not kept, whatever it proves.
  return Number.isFinite(time) && Math.abs(time) < 8.64e15 ? time : 0
}

/** Where proxies stand. */
const INTERNAL = new Set<string>([
  ...['private', 'loopback', 'linkLocal', 'uniqueLocal', 'carrierGradeNat', 'unspecified'],
])

function isPublic(line: LogLine): line is LogLine & { address: string } {
  const { address } = line
  if (address === undefined || !ipaddr.isValid(address)) return false
  return !INTERNAL.has(ipaddr.process(address).range())
}

/** Whether the agent signed the request: as its operator's, at the time of the line. */
async function isSigned(
  line: LogLine,
  agent: Agent,
  callers: NonNullable<FetchVerifierDeps['callers']>,
): Promise<boolean> {
  const { signature, host, path, method, userAgent, id, address } = line
  const url = URL.canParse(path, `https://${host}`) ? new URL(path, `https://${host}`) : null
  if (signature === undefined || host === undefined || url === null) return false
  const at = new Date(timeOf(line))
  const headers = headersOf({ ...signature, 'user-agent': userAgent })
  if (headers === null) return false
  const { verified } = await callers.verify({
    request: { method, url: url.href, headers, body: null },
    // An address is judged apart, for crawlers as well.
    address: null,
    at,
    usedFor: `fetch ${host} ${id ?? `${at.getTime()} ${path}`}`,
    asker: address ?? null,
  })
  return verified?.by === 'signature' && verified.surface === agent.surface
}

/** Null: some could not have been sent. */
function headersOf(given: Record<string, string>): Headers | null {
  try {
    return new Headers(given)
  } catch {
    return null
  }
}
