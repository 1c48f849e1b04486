import { AgentCard } from '../../../protocols/a2a.ts'
import { isRpc, rpcErrorOf, toolNames } from '../../../protocols/mcp-answer.ts'
import { UCP_TOOLS } from '../../../protocols/ucp/operations.ts'
import { isAskedUcp, UCP } from '../../../protocols/ucp/versions.ts'
import { describeFetch, type JsonSeen } from '../../../web/http/fetched.ts'
import { contentType, excerpt, isJsonType, jsonOf } from '../../../web/http/presence.ts'
import { field, shown } from '../../../web/json/json.ts'
import type { McpSeen, UcpSeen } from '../../evidence.ts'
import { gap, notApplicable, pass, type Rule, skip, type Verdict } from '../../rule.ts'
import { CATALOG, serviceRule } from './official-rule.ts'
import { isObject, refusalOfAgent, saidBy, versionOf } from './service-answers.ts'
import { isSuccess, isUcpBody, type Life, lifeOfA2a, lifeOfMcp, livesOf } from './service-life.ts'

const MCP_CONFORMANCE = 'UCP, Checkout, Cart, Catalog and Order: MCP Binding, Conformance'

/** Nothing answers, so that nothing more can be judged. */
const WITHOUT_SERVICE = ['ucp_endpoint_unreachable', 'ucp_transport_unreachable'] as const

const listed = (lives: readonly { transport: string; life: Life }[]): string =>
  lives.map(({ transport, life }) => `${transport}: ${life.why}`).join('. ')

/**
 * The tools of each capability, as a store must have them that offers it over MCP (UCP
 * source/services/shopping/mcp.openrpc.json, and Conformance of each MCP binding).
 */
const TOOLS = {
  buy: [UCP_TOOLS.create, UCP_TOOLS.read, UCP_TOOLS.update, UCP_TOOLS.complete],
  cart: ['create_cart', 'get_cart', 'update_cart', 'cancel_cart'],
  search: ['search_catalog'],
  lookup: ['lookup_catalog', 'get_product'],
}

const promised = (capabilities: readonly string[], tools: Record<string, readonly string[]>) =>
  Object.entries(tools).flatMap(([name, needed]) =>
    capabilities.includes(`dev.ucp.shopping.${name}`) ? needed : [],
  )

/** Compares what the profile promises over MCP with the list of tools. */
function judgeTools({ mcp }: UcpSeen, needed: readonly string[]): Verdict {
  if (mcp === null) return notApplicable('the profile offers no MCP service')
  if (needed.length === 0) return notApplicable('the profile promises none of these tools')
  const tools = toolsOf(mcp)
  if (typeof tools === 'string') return skip(tools)
  const missing = needed.filter((name) => !tools.includes(name))
  return missing.length === 0
    ? pass()
    : gap(
        `tools/list of ${mcp.endpoint} lacks ${missing.join(', ')}: it names ${tools.slice(0, 20).join(', ') || 'no tools'}.`,
      )
}

/** The names of the tools, or why they are not known, as a reason. */
function toolsOf({ how, tools, tried, more }: McpSeen): string[] | string {
  const names = toolNames({ tools, more })
  if (how === null || names === null) {
    const why = [...new Set(tried.map(({ seen }) => describeFetch(seen.fetched)))].join('; ')
    const isClosed = lifeOfMcp({ tried }).is === 'closed'
    return isClosed
      ? `the MCP service is closed to strangers: ${why}`
      : `its tools could not be read: ${why}`
  }
  if (field(field(jsonOf(more.at(-1) ?? tools), 'result'), 'nextCursor') !== undefined) {
    return 'the MCP service has more pages of tools than an audit reads'
  }
  return names
}

/** About reaching the services at all. */
export const ucpServiceRules: readonly Rule[] = [
  serviceRule(
    {
      // MCP lets a server demand that clients also accept event streams; but agents are in use that
      // accept only JSON and leave (Shopify/ucp-cli). A server that can send them JSON should.
      id: 'ucp_accept_refused',
      lostWith: WITHOUT_SERVICE,
      check: 'well_known',
      authority: 'Shopify/ucp-cli, an agent in use; MCP, Streamable HTTP',
    },
    ({ mcp }) => {
      if (mcp === null) return notApplicable('the profile offers no MCP service')
      const [plain, wider] = mcp.tried
      if (plain === undefined) return skip('the MCP service was not asked')
      // It was asked once more, accepting event streams too, and then it was not about that.
      if (wider?.how === 'event_stream') {
        const goesOn = isRpc(wider.seen) && !isAbout(wider.seen, 406, 415)
        const asked = `With Accept: application/json, ${describeFetch(plain.seen.fetched)}`
        return goesOn
          ? gap(`${asked}; with text/event-stream as well, it answered ${statusOf(wider.seen)}.`)
          : skip(describeFetch(wider.seen.fetched))
      }
      return lifeOfMcp(mcp).is === 'alive' ? pass() : skip(describeFetch(plain.seen.fetched))
    },
  ),
]

/** The card of an A2A agent. */
export const ucpAgentCardRules: readonly Rule[] = [
  serviceRule(
    {
      id: 'ucp_agent_card_invalid',
      lostWith: WITHOUT_SERVICE,
      check: 'well_known',
      authority: 'A2A, AgentCard; UCP, Checkout: A2A Binding',
    },
    ({ a2a }) => {
      if (a2a === null) return notApplicable('the profile offers no A2A agent')
      const { is, why } = lifeOfA2a(a2a)
      if (is !== 'alive') return skip(why)
      const { fetched, json } = a2a.card
      const asked = describeFetch(fetched)
      if (fetched.kind === 'answer' && fetched.truncated)
        return skip(`${asked} with too large a card`)
      if (json === null || !json.ok) {
        return gap(`${asked} with a card that cannot be read: ${json?.problem ?? 'it is empty'}`)
      }
      const issues = AgentCard.safeParse(json.value).error?.issues ?? []
      const problems = issues.slice(0, 4).map((issue) => {
        return `${issue.path.join('.') || 'the card'}: ${issue.message}`
      })
      return problems.length === 0
        ? pass('the card is valid; nothing more of A2A is asked')
        : gap(`${asked} with a card that A2A clients reject: ${problems.join('; ')}.`)
    },
  ),
]

const statusOf = ({ fetched }: JsonSeen): number => (fetched.kind === 'answer' ? fetched.status : 0)
const isAbout = (seen: JsonSeen, ...statuses: number[]) => statuses.includes(statusOf(seen))

/** About finding products over MCP. */
export const ucpServiceCatalogRules: readonly Rule[] = [
  serviceRule(
    {
      // A profile that promises more than its server has: agents call tools that are not there.
      id: 'ucp_catalog_tools_missing',
      lostWith: ['ucp_catalog_undeclared', ...WITHOUT_SERVICE],
      check: 'catalog',
      authority: MCP_CONFORMANCE,
    },
    (ucp, { capabilities }) =>
      capabilities.some((name) => name.startsWith(CATALOG))
        ? judgeTools(
            ucp,
            promised(capabilities, {
              'catalog.search': TOOLS.search,
              'catalog.lookup': TOOLS.lookup,
            }),
          )
        : notApplicable('the profile offers no catalog'),
  ),
]

/** The form of an answer to an invalid request; `other`: JSON of which UCP does not speak. */
type ErrorForm = { is: 'right' | 'other' | 'unseen' } | { is: 'wrong'; detail: string }

/** Statuses by which a service says that the request is wrong, and not the caller or the path. */
const INVALID = [400, 409, 422]

/**
 * UCP, Checkout REST Binding, Error Responses; a body may be left out (overview, Protocol Errors).
 */
function errorFormOfRest({ checkout }: NonNullable<UcpSeen['rest']>): ErrorForm {
  const { fetched, json } = checkout
  if (fetched.kind !== 'answer') return { is: 'unseen' }
  const body = jsonOf(checkout)
  if (isSuccess(fetched)) return { is: isUcpBody(body) ? 'right' : 'unseen' }
  if (!INVALID.includes(fetched.status) || fetched.truncated) return { is: 'unseen' }
  if (fetched.body.trim() === '' || isUcpBody(body)) return { is: 'right' }
  return json?.ok === false
    ? {
        is: 'wrong',
        detail: `${describeFetch(fetched)} to an invalid checkout with a text that is not JSON: ${shown(excerpt(fetched))}.`,
      }
    : { is: 'other' }
}

/** JSON-RPC 2.0, 5: a response has a result, or an error with a number and a message. */
function errorFormOfMcp({ unknown }: McpSeen): ErrorForm {
  if (unknown === null || !isSuccess(unknown.fetched) || !isObject(unknown)) return { is: 'unseen' }
  const said = `${describeFetch(unknown.fetched)} to get_checkout of an unknown id`
  const error = rpcErrorOf(unknown)
  const value = jsonOf(unknown)
  if (error !== null) {
    return error.code !== null && error.message !== ''
      ? { is: 'right' }
      : { is: 'wrong', detail: `${said} with error ${shown(field(value, 'error'))}.` }
  }
  return field(value, 'result') === undefined
    ? {
        is: 'wrong',
        detail: `${said} with ${shown(value)}, which has neither a result nor an error.`,
      }
    : { is: 'right' }
}

/** Answers that carry a document of the protocol, under any content type. */
function documentsOf({
  rest,
  mcp,
}: UcpSeen): { seen: JsonSeen; isTyped: (type: string) => boolean }[] {
  const overRest = rest === null ? [] : [rest.checkout, rest.unknown ?? []].flat()
  const overMcp = mcp === null ? [] : [mcp.tools, mcp.unknown ?? []].flat()
  return [
    ...overRest
      .filter((seen) => isUcpBody(jsonOf(seen)))
      .map((seen) => ({ seen, isTyped: isJsonType })),
    ...overMcp.filter(isRpc).map((seen) => ({
      seen,
      isTyped: (type: string) => isJsonType(type) || type === 'text/event-stream',
    })),
  ]
}

/** About buying over the services. */
export const ucpServiceCheckoutRules: readonly Rule[] = [
  serviceRule(
    {
      // One transport that answers is enough: agents choose.
      id: 'ucp_endpoint_unreachable',
      lostWith: ['ucp_not_shoppable'],
      check: 'checkout',
    },
    (ucp) => {
      const lives = livesOf(ucp)
      if (lives.length === 0) return skip('the profile offers no service that can be asked')
      if (lives.some(({ life }) => life.is === 'alive')) return pass()
      return lives.every(({ life }) => life.is === 'dead')
        ? gap(`${listed(lives)}.`)
        : skip(listed(lives))
    },
  ),
  serviceRule(
    {
      // Many agents speak one transport alone, and for them the store is closed.
      id: 'ucp_transport_unreachable',
      lostWith: ['ucp_endpoint_unreachable'],
      check: 'checkout',
    },
    (ucp) => {
      const lives = livesOf(ucp)
      if (lives.length < 2) return notApplicable('the profile offers a single transport')
      const dead = lives.filter(({ life }) => life.is === 'dead')
      if (dead.length === lives.length) return skip(listed(lives))
      if (dead.length > 0) return gap(`${listed(dead)}.`)
      const unsure = lives.filter(({ life }) => life.is !== 'alive')
      return unsure.length === 0 ? pass() : skip(listed(unsure))
    },
  ),
  serviceRule(
    {
      // Frameworks redirect a path with a slash at its end, or the reverse.
      id: 'ucp_post_redirected',
      lostWith: ['ucp_endpoint_unreachable'],
      check: 'checkout',
      authority: 'RFC 9110, 15.4',
    },
    ({ rest, mcp }) => {
      const posts = [rest?.checkout ?? [], mcp?.tried[0]?.seen ?? []].flat()
      if (posts.length === 0) return skip('the profile offers neither REST nor MCP')
      const moved = posts.filter(leadsElsewhere)
      if (moved.length === 0) {
        return posts.some(({ fetched }) => fetched.kind === 'answer')
          ? pass()
          : skip(posts.map(({ fetched }) => describeFetch(fetched)).join('; '))
      }
      return gap(`${moved.map(({ fetched }) => describeFetch(fetched)).join('; ')}.`)
    },
  ),
  serviceRule(
    {
      // Where tools need an account, they cannot be read, and nothing is claimed about them.
      id: 'ucp_checkout_tools_missing',
      lostWith: WITHOUT_SERVICE,
      check: 'checkout',
      authority: MCP_CONFORMANCE,
    },
    (ucp, { capabilities }) => judgeTools(ucp, promised(capabilities, { checkout: TOOLS.buy })),
  ),
  serviceRule(
    {
      // Agents buy without these, but cannot cancel, keep a cart or follow an order.
      id: 'ucp_tools_missing',
      lostWith: WITHOUT_SERVICE,
      check: 'checkout',
      authority: MCP_CONFORMANCE,
    },
    (ucp, { dialect, capabilities }) =>
      judgeTools(
        ucp,
        promised(capabilities, {
          checkout: [UCP_TOOLS.cancel],
          // Before, orders were webhooks alone, and there were no carts.
          ...(UCP.isKnown(dialect) &&
            UCP.of(dialect).hasCatalog && { cart: TOOLS.cart, order: [UCP_TOOLS.order] }),
        }),
      ),
  ),
  serviceRule(
    {
      // The versions differ in the form of what they hold, and agents read by the version.
      id: 'ucp_version_mismatch',
      lostWith: [...WITHOUT_SERVICE, 'ucp_version_outdated'],
      check: 'checkout',
      authority: 'UCP, Overview, Request-Time Validation 4',
    },
    (ucp, { dialect }) => {
      if (!isAskedUcp(dialect)) return notApplicable(`no agent asks in version ${dialect}`)
      const refused = refusalOfAgent(ucp)
      if (refused !== null) return skip(refused)
      const versions = saidBy(ucp).flatMap((said) => {
        const version = versionOf(said)
        return version === null ? [] : [{ version, asked: describeFetch(said.seen.fetched) }]
      })
      const [wrong] = versions.filter(({ version }) => version !== dialect)
      if (wrong !== undefined) {
        return gap(
          `${wrong.asked} in version ${shown(wrong.version)} to an agent whose profile, like that of the store, is of ${dialect}.`,
        )
      }
      return versions.length > 0 ? pass() : skip('no answer of the services names its version')
    },
  ),
  serviceRule(
    {
      id: 'ucp_wrong_content_type',
      lostWith: WITHOUT_SERVICE,
      check: 'checkout',
      authority: 'UCP, Overview, REST Transport; MCP, Streamable HTTP',
    },
    (ucp) => {
      const documents = documentsOf(ucp)
      if (documents.length === 0) return skip('no answer of the services could be read')
      const wrong = documents.flatMap(({ seen: { fetched }, isTyped }) =>
        fetched.kind === 'answer' && !isTyped(contentType(fetched))
          ? [`${describeFetch(fetched)} as ${shown(fetched.headers['content-type'])}`]
          : [],
      )
      return wrong.length === 0 ? pass() : gap(`${wrong.join('; ')}, not "application/json".`)
    },
  ),
  serviceRule(
    {
      id: 'ucp_error_body_invalid',
      lostWith: [...WITHOUT_SERVICE, 'ucp_post_redirected'],
      check: 'checkout',
      authority: 'UCP, Overview, Error Handling; JSON-RPC 2.0, 5',
    },
    (ucp) => {
      const { rest, mcp } = ucp
      const forms = [
        ...(rest === null ? [] : [errorFormOfRest(rest)]),
        ...(mcp === null ? [] : [errorFormOfMcp(mcp)]),
      ]
      const wrong = forms.flatMap((form) => (form.is === 'wrong' ? [form.detail] : []))
      if (wrong.length > 0) return gap(wrong.join(' '))
      if (forms.some(({ is }) => is === 'right')) return pass()
      return forms.some(({ is }) => is === 'other')
        ? skip('the answer to an invalid checkout is JSON of a form that UCP does not define')
        : skip('no refusal of the services was seen')
    },
  ),
  serviceRule(
    {
      // Never a gap: from here we cannot see whose fault it is.
      id: 'ucp_agent_answered',
      lostWith: WITHOUT_SERVICE,
      check: 'checkout',
      authority: 'UCP, Overview, Error Codes',
    },
    (ucp) => {
      const refused = refusalOfAgent(ucp)
      if (refused !== null) return skip(refused)
      const isAnswered = saidBy(ucp).some((said) => versionOf(said) !== null)
      return isAnswered ? pass() : notApplicable('no answer of the services speaks of the agent')
    },
  ),
]

const leadsElsewhere = ({ fetched }: JsonSeen): boolean =>
  fetched.kind === 'answer' &&
  [301, 302, 303, 307, 308].includes(fetched.status) &&
  fetched.headers.location !== undefined
