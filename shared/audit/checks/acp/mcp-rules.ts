import { ACP_TOOLS } from '../../../protocols/acp/operations.ts'
import { toolNames } from '../../../protocols/mcp-answer.ts'
import { describeFetch } from '../../../web/http/fetched.ts'
import { jsonOf } from '../../../web/http/presence.ts'
import { field } from '../../../web/json/json.ts'
import type { AcpSeen, McpSeen } from '../../evidence.ts'
import { gap, notApplicable, pass, type Rule, skip, type Verdict } from '../../rule.ts'
import { lifeOfMcp } from '../official-profile/service-life.ts'
import { acpRule } from './acp-rule.ts'

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
