import { ACP } from '../../../protocols/acp/versions.ts'
import { AnyAcpError } from '../../../protocols/spec/acp.ts'
import { type Answer, describeFetch, type JsonSeen } from '../../../web/http/fetched.ts'
import { contentType, excerpt, isJsonType, jsonOf } from '../../../web/http/presence.ts'
import { shown } from '../../../web/json/json.ts'
import type { AcpDialectSeen, AcpSeen } from '../../evidence.ts'
import { gap, pass, type Rule, skip, type Verdict } from '../../rule.ts'
import { acpRule } from './acp-rule.ts'
import { acpDiscoveryRules } from './discovery-rules.ts'
import { acpMcpRules, officialAcpRules } from './official-rules.ts'
import {
  ACP_STEPS,
  type AcpStep,
  hasTool,
  isGate,
  showsSession,
  stepState,
  whyMissing,
} from './steps.ts'

const ENDPOINTS_TEXT = `Specification, Merchant-side ACP endpoints; ACP ${ACP.newest}, Agentic Checkout`
const ERRORS_TEXT = `Specification, ACP errors; ACP ${ACP.newest}, Error`

const WITHOUT_SERVICES = ['https_missing', 'acp_services_missing'] as const
const WITHOUT_OPERATIONS = [
  'acp_services_missing',
  'acp_create_unreachable',
  'acp_update_unreachable',
  'acp_complete_unreachable',
] as const

/** An answer that says how the store speaks, with what was read of it. */
interface Judged {
  seen: JsonSeen
  answer: Answer
}

/**
 * Refusals that the store itself wrote for what we sent. What fails in a server, or is refused by a
 * gate before it, says nothing of them.
 */
function refusalsOf(acp: AcpSeen): Judged[] {
  const operations = spokenOf(acp).flatMap((spoken) =>
    ACP_STEPS.flatMap((operation) => {
      const state = stepState(spoken, operation)
      if (state.is !== 'alive' || state.answer.status >= 500) return []
      // Official ACP may show a session with messages instead of an error.
      const isSession = state.answer.status < 400 && showsSession(spoken[operation], 'official')
      if (spoken.dialect === 'official' && isSession) return []
      return [{ seen: spoken[operation], answer: state.answer }]
    }),
  )
  const { versions = [], carts = null } = acp.official ?? {}
  const others = [...versions.map(({ seen }) => seen), carts].flatMap((seen) =>
    seen?.fetched.kind === 'answer' && [400, 409, 422].includes(seen.fetched.status)
      ? [{ seen, answer: seen.fetched }]
      : [],
  )
  return [...operations, ...others]
}

/** The dialects that something answers in. */
const spokenOf = (acp: AcpSeen): AcpDialectSeen[] => {
  const isGone = whyMissing(acp) !== null
  return acp.spoken.filter(({ dialect }) => !isGone || dialect !== 'official')
}

/** Whether an operation is there in each dialect that the store speaks. */
function reach(acp: AcpSeen, operation: AcpStep): Verdict {
  const reasons: string[] = []
  const notes: string[] = []
  let isOpen = false
  for (const spoken of spokenOf(acp)) {
    const state = stepState(spoken, operation)
    if (state.is === 'dead') {
      return acp.doubt === null ? gap(`${state.why}.`) : skip(`${state.why}, and ${acp.doubt}`)
    }
    if (state.is === 'unknown') reasons.push(state.why)
    else if (isGate(acp, spoken[operation])) {
      reasons.push(
        `${describeFetch(state.answer)}, as every address of the host does without a key`,
      )
    } else if (state.isClosed) notes.push(`${describeFetch(state.answer)}: it asks for a key`)
    else isOpen = true
  }
  // Where acp.json names MCP alone, its tools are the operations.
  const overMcp = acp.official?.mcp?.found ?? null
  if (!isOpen && notes.length === 0 && overMcp !== null && hasTool(overMcp, operation)) {
    return pass(`as a tool at ${overMcp.endpoint}`)
  }
  if (isOpen || notes.length > 0) return pass(isOpen ? undefined : notes[0])
  return skip(reasons[0] ?? 'nothing is at the address of the ACP services')
}

const unreachable = (operation: AcpStep): Rule =>
  acpRule(
    {
      id: `acp_${operation}_unreachable`,
      lostWith: WITHOUT_SERVICES,
      authority: ENDPOINTS_TEXT,
    },
    (acp) => reach(acp, operation),
  )

/** In the order in which gaps of one severity are listed: discovery, endpoints, their answers. */
export const acpRules: readonly Rule[] = [
  ...acpDiscoveryRules,
  unreachable('create'),
  unreachable('update'),
  unreachable('complete'),
  acpRule(
    {
      // Spec, ACP errors: "Every ACP error response includes `code` and a human-readable
      // `message`". A framework's default error page has neither.
      id: 'acp_error_body_invalid',
      lostWith: WITHOUT_OPERATIONS,
      authority: ERRORS_TEXT,
    },
    (acp) => {
      const judged = refusalsOf(acp)
      if (judged.length === 0) return skip('no ACP endpoint answered our requests itself')
      const faults = judged.flatMap(({ seen, answer }) => {
        if (answer.status < 400) {
          return [`${describeFetch(answer)} to a request that must be rejected`]
        }
        return AnyAcpError.safeParse(jsonOf(seen)).success
          ? []
          : [`${describeFetch(answer)}: ${excerpt(answer)}`]
      })
      return faults.length === 0 ? pass() : gap(`${faults.join('; ')}.`)
    },
  ),
  acpRule(
    {
      id: 'acp_wrong_content_type',
      lostWith: WITHOUT_OPERATIONS,
      authority: ENDPOINTS_TEXT,
    },
    (acp) => {
      const judged = refusalsOf(acp)
      if (judged.length === 0) return skip('no ACP endpoint answered our requests itself')
      const faults = judged.flatMap(({ answer }) =>
        isJsonType(contentType(answer))
          ? []
          : [`${answer.method} ${answer.url} is sent as ${shown(answer.headers['content-type'])}`],
      )
      return faults.length === 0 ? pass() : gap(`${faults.join('; ')}.`)
    },
  ),
  ...officialAcpRules,
  ...acpMcpRules,
]
