import * as z from 'zod'
import { OfficialAcpError } from '../../../protocols/acp/error.ts'
import { ACP_TOOLS } from '../../../protocols/acp/operations.ts'
import { ACP, spokenAcpVersion } from '../../../protocols/acp/versions.ts'
import { toolNames } from '../../../protocols/mcp-answer.ts'
import { AnyAcpError } from '../../../protocols/spec/acp.ts'
import { describeFetch, type JsonSeen } from '../../../web/http/fetched.ts'
import { excerpt, jsonOf, presenceOf } from '../../../web/http/presence.ts'
import { field } from '../../../web/json/json.ts'
import type { AcpSeen, McpSeen } from '../../evidence.ts'
import { gap, notApplicable, pass, type Rule, skip, type Verdict } from '../../rule.ts'
import { lifeOfMcp } from '../official-profile/service-life.ts'
import { acpRule } from './acp-rule.ts'
import {
  ACP_STEPS,
  isClosed,
  isForeignCart,
  isForeignToAcp,
  officialAnswers,
  officialOf,
  speaksJson,
  stepState,
  whyMissing,
} from './steps.ts'

const NO_OFFICIAL = 'no acp.json names the address of official ACP'

/** Judges what acp.json promises; nothing, where it names no address or nothing is there. */
const whenThere =
  (judge: (acp: AcpSeen) => Verdict) =>
  (acp: AcpSeen): Verdict => {
    if (acp.official === null) return notApplicable(NO_OFFICIAL)
    const missing = whyMissing(acp)
    return missing === null ? judge(acp) : skip(missing)
  }

/** The versions that a document names, and those that an error does; a date each. */
const datesOf = (value: unknown): string[] =>
  Array.isArray(value)
    ? value.filter((each) => typeof each === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(each))
    : []

/** How a version was refused that acp.json names; null where it was not. */
function refusalOf(version: string, seen: JsonSeen): string | null {
  if (seen.fetched.kind !== 'answer' || seen.fetched.status < 400) return null
  const body = jsonOf(seen)
  const listed = field(body, 'supported_versions')
  const isRefused = Array.isArray(listed)
    ? datesOf(listed).length > 0 && !listed.includes(version)
    : field(body, 'code') === 'unsupported_api_version'
  return isRefused ? `acp.json names ${version}, but ${describeFetch(seen.fetched)}` : null
}

/** What acp.json says, against what the services say of versions without a session. */
function judgeVersions(acp: AcpSeen): Verdict {
  const { official, discovery } = acp
  const operations = officialOf(acp)
  const protocol = field(jsonOf(discovery), 'protocol')
  const named = datesOf(field(protocol, 'supported_versions'))
  const [version] = datesOf([field(protocol, 'version')])
  if (official === null || operations === undefined || version === undefined) {
    return discovery.json === null ? notApplicable(NO_OFFICIAL) : skip('acp.json names no version')
  }
  const spoken = spokenAcpVersion(jsonOf(discovery))
  const faults: (string | null)[] = ACP_STEPS.map((operation) =>
    refusalOf(spoken, operations[operation]),
  )
  let isSeen = false
  for (const { asked, seen } of official.versions) {
    const listed = datesOf(field(jsonOf(seen), 'supported_versions'))
    if (named.includes(asked)) faults.push(refusalOf(asked, seen))
    else if (listed.length > 0) {
      isSeen = true
      faults.push(...[...new Set([version, ...named])].map((each) => refusalOf(each, seen)))
    }
  }
  const fault = faults.find((each) => each !== null)
  if (fault !== undefined && fault !== null) return gap(`${fault} to that version.`)
  const state = stepState(operations, 'create')
  const isTaken = state.is === 'alive' && !state.isClosed && state.answer.status < 500
  return isSeen || isTaken
    ? pass()
    : skip('the ACP services say nothing of their versions without a key')
}

/** What is particular to official ACP: what acp.json names, against what answers. */
export const officialAcpRules: readonly Rule[] = [
  acpRule(
    {
      id: 'acp_services_missing',
      lostWith: ['https_missing'],
      authority: `ACP ${ACP.newest}, DiscoveryResponse`,
    },
    (acp) => {
      const operations = officialOf(acp)
      if (acp.official === null || operations === undefined) return notApplicable(NO_OFFICIAL)
      const missing = whyMissing(acp)
      if (missing !== null) return gap(`acp.json names ${acp.official.base}, but ${missing}.`)
      const state = stepState(operations, 'create')
      const isThere = officialAnswers(acp).some(
        (seen) =>
          speaksJson(seen) &&
          seen.fetched.kind === 'answer' &&
          seen.fetched.status < 500 &&
          !isForeignToAcp(seen),
      )
      const overMcp = acp.official.mcp?.found ?? null
      if (!isThere && overMcp !== null) return pass(`its tools are at ${overMcp.endpoint}`)
      return state.is === 'unknown' && !isThere ? skip(state.why) : pass()
    },
  ),
  acpRule(
    {
      id: 'acp_version_mismatch',
      lostWith: ['acp_discovery_invalid', 'acp_services_missing', 'acp_error_body_invalid'],
      authority: `ACP ${ACP.newest}, DiscoveryProtocol`,
    },
    whenThere(judgeVersions),
  ),
  acpRule(
    {
      id: 'acp_carts_missing',
      lostWith: ['acp_services_missing', 'acp_error_body_invalid'],
      authority: `ACP ${ACP.newest}, DiscoveryCapabilities`,
    },
    whenThere(({ official }) => {
      const carts = official?.carts ?? null
      if (carts === null) return notApplicable('acp.json names no carts')
      const { fetched } = carts
      const why = describeFetch(fetched)
      if (isClosed(carts)) return pass(`${why}: it asks for a key`)
      const presence = presenceOf(fetched)
      if (presence.is === 'unknown' || fetched.kind !== 'answer') return skip(why)
      if (presence.is === 'requires_auth') return skip(`${why}: it asks for a key`)
      if (isForeignCart(carts)) return gap(`${why}, but not with a cart.`)
      if (![404, 405].includes(fetched.status)) return pass()
      // An error of ACP may be about what was put into the cart.
      return fetched.status === 404 && AnyAcpError.safeParse(jsonOf(carts)).success
        ? skip(`${why}: it may be about the product`)
        : gap(`${why}.`)
    }),
  ),
  acpRule(
    {
      id: 'acp_error_type_invalid',
      lostWith: ['acp_services_missing', 'acp_error_body_invalid'],
      authority: `ACP ${ACP.newest}, Error`,
    },
    whenThere((acp) => {
      // A later version may have more types, also where it answers to one that it does not speak.
      const isNewer = ACP.isNewer(field(field(jsonOf(acp.discovery), 'protocol'), 'version'))
      const ErrorForm = isNewer
        ? OfficialAcpError.extend({ type: z.string().min(1) })
        : OfficialAcpError
      const errors = officialAnswers(acp).flatMap((seen) => {
        const { fetched } = seen
        if (fetched.kind !== 'answer' || fetched.status < 400 || fetched.status >= 500) return []
        if (!AnyAcpError.safeParse(jsonOf(seen)).success) return []
        const isRight = ErrorForm.safeParse(jsonOf(seen)).success
        // A gate before the store refuses strangers in words of its own.
        const isGate = [401, 403, 429].includes(fetched.status)
        return isRight || !isGate ? [{ isRight, answer: fetched }] : []
      })
      if (errors.length === 0) return skip('no error of official ACP was seen')
      const wrong = errors.find(({ isRight }) => !isRight)
      return wrong ? gap(`${describeFetch(wrong.answer)}: ${excerpt(wrong.answer)}.`) : pass()
    }),
  ),
]

const AUTHORITY = 'ACP, MCP binding, Conformance'

const WITHOUT_SERVICES = [
  'https_missing',
  'acp_services_missing',
  'acp_error_body_invalid',
] as const

/** What the tools answer is not asked: there is a purchase behind each. */
const ALL_THAT_IS_ASKED = 'their names alone are asked for: what they answer, only a purchase shows'

/** What one address said of its tools, as a part of a sentence. */
function saidBy({ tried, endpoint, tools, more }: McpSeen): string {
  const { is, why } = lifeOfMcp({ tried })
  const names = toolNames({ tools, more })
  if (names !== null) return `${endpoint} has no tool of ACP`
  return is === 'alive' ? `${endpoint} speaks MCP and lists no tools (${why})` : why
}

/** Compares the tools of the service with those that it has to have. */
const judgeTools =
  (...needed: (keyof typeof ACP_TOOLS)[]) =>
  ({ official }: AcpSeen): Verdict => {
    const mcp = official?.mcp
    if (mcp === undefined) return notApplicable('acp.json does not name MCP')
    const { asked, found } = mcp
    if (found === null) {
      // No document names the address, so that it may be another.
      return skip(
        `acp.json names MCP without an address, and at the usual ones ${asked.map(saidBy).join(', and ')}`,
      )
    }
    const last = found.more.at(-1) ?? found.tools
    if (field(field(jsonOf(last), 'result'), 'nextCursor') !== undefined) {
      return skip(`${describeFetch(last.fetched)} with more pages of tools than an audit reads`)
    }
    const names = toolNames(found) ?? []
    const missing = needed.map((name) => ACP_TOOLS[name]).filter((name) => !names.includes(name))
    return missing.length === 0
      ? pass(ALL_THAT_IS_ASKED)
      : gap(
          `tools/list of ${found.endpoint} lacks ${missing.join(', ')}: it names ${names.slice(0, 20).join(', ')}.`,
        )
  }

/** Official ACP over MCP: whether it is there, and has what ACP wants of it. */
export const acpMcpRules: readonly Rule[] = [
  acpRule(
    {
      // An agent that uses MCP, as acp.json says, begins a purchase and cannot complete it.
      id: 'acp_tools_missing',
      lostWith: WITHOUT_SERVICES,
      authority: AUTHORITY,
    },
    judgeTools('create', 'read', 'update', 'complete'),
  ),
  acpRule(
    {
      // Agents buy without it, and leave open what they do not buy.
      id: 'acp_cancel_tool_missing',
      lostWith: WITHOUT_SERVICES,
      authority: AUTHORITY,
    },
    judgeTools('cancel'),
  ),
]
