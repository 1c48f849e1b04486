import { AcpDiscovery, AnyAcpError } from '../../../protocols/acp.ts'
import { type Answer, describeFetch, type JsonSeen } from '../../../web/fetched.ts'
import { isRecord, shown } from '../../../web/json.ts'
import {
  contentType,
  excerpt,
  isJsonType,
  jsonOf,
  looksLikeHtml,
  presenceOf,
} from '../../../web/presence.ts'
import type { AcpSeen } from '../../evidence.ts'
import {
  gap,
  notApplicable,
  pass,
  type Rule,
  type RuleText,
  rule,
  skip,
  type Verdict,
} from '../../rule.ts'

const SPEC = 'Specification, Merchant-side ACP endpoints'
const ERRORS = 'Specification, ACP errors'

/** Spec, Merchant-side ACP endpoints: the three that every store has; the others are optional. */
const ENDPOINTS = ['create', 'update', 'complete'] as const
type Endpoint = (typeof ENDPOINTS)[number]

type Words = Pick<
  RuleText<'acp'>,
  'passed' | 'lostWith' | 'severity' | 'label' | 'fix' | 'authority'
> & {
  gap: string
}

/** All rules of this check read the ACP endpoints alone; no tool of ours fixes them. */
const acpRule = (words: Words, audit: (acp: AcpSeen) => Verdict): Rule =>
  rule({ ...words, check: 'acp', tool: null, reads: ['acp'], audit: ({ acp }) => audit(acp) })

/**
 * An endpoint works when it rejects our request in JSON: nothing that we send is valid. A bare 404
 * means that there is no endpoint; a 404 with a JSON body may be about the session.
 */
function stateOf(
  seen: JsonSeen,
  endpoint: Endpoint,
): Answer | { dead: string } | { unknown: string } {
  const { fetched } = seen
  const why = describeFetch(fetched)
  if (fetched.kind !== 'answer') {
    return presenceOf(fetched).is === 'unreachable' ? { dead: why } : { unknown: why }
  }
  const { status } = fetched
  if ([401, 403, 429].includes(status)) return { unknown: `${why}: it blocks our requests` }
  const speaksJson = !looksLikeHtml(fetched) && isRecord(jsonOf(seen))
  if (status === 404 && (endpoint === 'create' || !speaksJson)) return { dead: why }
  if (status === 405 || status === 410 || (status >= 300 && status < 400)) return { dead: why }
  if (status >= 500 && !speaksJson) return { unknown: `${why}, which may be temporary` }
  return fetched
}

/** An endpoint that is alive, whatever it answered. */
const isAnswer = (state: ReturnType<typeof stateOf>): state is Answer => 'status' in state

/** The endpoints that are alive, with what they answered. */
const alive = (acp: AcpSeen): { endpoint: Endpoint; answer: Answer }[] =>
  ENDPOINTS.flatMap((endpoint) => {
    const state = stateOf(acp[endpoint], endpoint)
    return isAnswer(state) ? [{ endpoint, answer: state }] : []
  })

/**
 * Spec, Merchant-side ACP endpoints. Update is less severe: an agent can complete with the shipping
 * option in the same request.
 */
const unreachable = (endpoint: Endpoint, method: string, severity: 'critical' | 'high'): Rule =>
  acpRule(
    {
      gap: `acp_${endpoint}_unreachable`,
      passed: `acp_${endpoint}_reachable`,
      lostWith: ['https_missing'],
      severity,
      label: `The ACP ${endpoint} endpoint does not answer`,
      fix: `Answer ${method} /acp/checkout/${endpoint === 'create' ? '' : ':id/'}${endpoint} with JSON.`,
      authority: SPEC,
    },
    (acp) => {
      const state = stateOf(acp[endpoint], endpoint)
      if (isAnswer(state)) return pass()
      return 'dead' in state ? gap(`${state.dead}.`) : skip(state.unknown)
    },
  )

/** In the order in which gaps of one severity are listed: discovery, endpoints, their answers. */
export const acpRules: readonly Rule[] = [
  acpRule(
    {
      // Low, because the file is optional: agents that cannot use it find the endpoints on the fixed
      // paths.
      gap: 'acp_discovery_invalid',
      passed: 'acp_discovery',
      lostWith: ['https_missing'],
      severity: 'low',
      label: 'The ACP discovery document is invalid',
      fix: 'Fix /.well-known/acp.json or remove it: the file is optional.',
      authority: 'ACP 2026-04-17, DiscoveryResponse',
    },
    ({ discovery }) => {
      const presence = presenceOf(discovery.fetched)
      if (presence.is === 'absent') return notApplicable(presence.why)
      if (presence.is !== 'present') return skip(presence.why)
      if (discovery.json?.ok === false) {
        return gap(`${presence.answer.url} is not valid JSON: ${discovery.json.problem}`)
      }
      const issues = AcpDiscovery.safeParse(jsonOf(discovery)).error?.issues ?? []
      const problems = issues.slice(0, 4).map(({ path, message }) => {
        return `${path.join('.') || 'the document'}: ${message}`
      })
      return problems.length === 0 ? pass() : gap(`${presence.answer.url}: ${problems.join('; ')}.`)
    },
  ),
  unreachable('create', 'POST', 'critical'),
  unreachable('update', 'PATCH', 'high'),
  unreachable('complete', 'POST', 'critical'),
  acpRule(
    {
      // Spec, ACP errors: "Every ACP error response includes `code` and a human-readable
      // `message`". A framework's default error page has neither.
      gap: 'acp_error_body_invalid',
      passed: 'acp_error_body',
      lostWith: ['acp_create_unreachable', 'acp_update_unreachable', 'acp_complete_unreachable'],
      severity: 'high',
      label: 'ACP errors have no code or no message',
      fix: 'Answer every error with "code" and a "message" that a person can read.',
      authority: ERRORS,
    },
    (acp) => {
      const judged = alive(acp)
      if (judged.length === 0) return skip('no ACP endpoint answered')
      const faults = judged.flatMap(({ endpoint, answer }) => {
        if (answer.status < 400) {
          return [`${describeFetch(answer)} to a request that must be rejected`]
        }
        return AnyAcpError.safeParse(jsonOf(acp[endpoint])).success
          ? []
          : [`${describeFetch(answer)}: ${excerpt(answer)}`]
      })
      return faults.length === 0 ? pass() : gap(`${faults.join('; ')}.`)
    },
  ),
  acpRule(
    {
      // Spec: "All ACP responses carry Content-Type: application/json", errors included. High,
      // because a client that goes by the header cannot read the answer and ends the purchase.
      gap: 'acp_wrong_content_type',
      passed: 'acp_content_type',
      lostWith: ['acp_create_unreachable', 'acp_update_unreachable', 'acp_complete_unreachable'],
      severity: 'high',
      label: 'ACP answers have the wrong content type',
      fix: 'Send Content-Type: application/json with every ACP answer, errors included.',
      authority: SPEC,
    },
    (acp) => {
      const judged = alive(acp)
      if (judged.length === 0) return skip('no ACP endpoint answered')
      const faults = judged.flatMap(({ answer }) =>
        isJsonType(contentType(answer))
          ? []
          : [`${answer.method} ${answer.url} is sent as ${shown(answer.headers['content-type'])}`],
      )
      return faults.length === 0 ? pass() : gap(`${faults.join('; ')}.`)
    },
  ),
]
