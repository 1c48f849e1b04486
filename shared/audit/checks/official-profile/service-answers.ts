import { mcpBody, rpcErrorOf } from '../../../protocols/mcp-answer.ts'
import { describeFetch, type JsonSeen } from '../../../web/http/fetched.ts'
import { jsonOf } from '../../../web/http/presence.ts'
import { field, isRecord } from '../../../web/json/json.ts'
import type { UcpSeen } from '../../evidence.ts'
import { codesOf, isSuccess } from './service-life.ts'

/** Each answer of the services in which they may speak of our agent profile. */
export function saidBy({ rest, mcp }: UcpSeen): { seen: JsonSeen; body: unknown }[] {
  const overRest = rest === null ? [] : [rest.checkout, rest.unknown ?? []].flat()
  const overMcp = mcp === null ? [] : [mcp.tools, mcp.unknown ?? []].flat()
  return [
    ...overRest.map((seen) => ({ seen, body: jsonOf(seen) })),
    ...overMcp.map((seen) => ({ seen, body: bodyOverMcp(seen) })),
  ]
}

/** The payload, or what an error says of itself. */
function bodyOverMcp(seen: JsonSeen): unknown {
  const error = rpcErrorOf(seen)
  if (error !== null) return error.data
  const said = mcpBody(seen)
  return 'body' in said ? said.body : undefined
}

/**
 * Our profile could not be read at the address that we named (UCP overview, Error Codes).
 */
const UNREAD = ['invalid_profile_url', 'profile_unreachable', 'profile_malformed']
/** It could be read, and the store does not speak to such an agent. */
const UNFIT = ['version_unsupported', 'capabilities_incompatible']

/**
 * Why the services did not answer what was asked: they refused our own profile, which is not the
 * store's fault. Null where none did.
 */
export function refusalOfAgent(ucp: UcpSeen): string | null {
  for (const { seen, body } of saidBy(ucp)) {
    const codes = codesOf(body)
    const unread = codes.find((code) => UNREAD.includes(code))
    const asked = describeFetch(seen.fetched)
    if (unread !== undefined) {
      return `the store could not read our agent profile at ${ucp.agent} (${asked}, ${unread}): set BASE_URL to the public https address of this service`
    }
    const unfit = codes.find((code) => UNFIT.includes(code))
    if (unfit !== undefined) {
      return `the store does not answer the agent of ${ucp.agent} (${asked}, ${unfit})`
    }
  }
  return null
}

/** The version that an answer with a payload says it is in; null for refusals and other answers. */
export function versionOf({ seen, body }: { seen: JsonSeen; body: unknown }): string | null {
  const version = field(field(body, 'ucp'), 'version')
  const isAnswer = isSuccess(seen.fetched) && rpcErrorOf(seen) === null
  return isAnswer && typeof version === 'string' ? version : null
}

/** Whether an answer is an object in JSON, under any content type. */
export const isObject = (seen: JsonSeen): boolean => isRecord(jsonOf(seen))
