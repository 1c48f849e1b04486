import type { ProfileInspection } from '../../../manifest/ucp/profile.ts'
import { reachabilityOf } from '../../../manifest/validation.ts'
import { describeFetch, type Fetched, type JsonSeen } from '../../../web/fetched.ts'
import { field } from '../../../web/json.ts'
import { jsonOf } from '../../../web/presence.ts'
import type { UcpSeen } from '../../evidence.ts'
import { gap, notApplicable, pass, type Rule, rule, skip, type Verdict } from '../../rule.ts'
import { OWN_GAPS } from '../well-known/manifest-verdicts.ts'
import { documentRules } from './document-rules.ts'
import { paymentRules } from './payment-rules.ts'
import { profileRule, type Words, whenOfficial } from './profile-rule.ts'

const TRANSPORTS = 'UCP, Transports'

const CATALOG = 'dev.ucp.shopping.catalog.'

/** Tools of the MCP binding (UCP source/services/shopping/mcp.openrpc.json). */
const CATALOG_TOOLS = ['search_catalog', 'lookup_catalog', 'get_product']
const CHECKOUT_TOOL = 'create_checkout'

/** The first version that has catalog capabilities. */
const CATALOG_SINCE = '2026-04-08'

/** Judges what the profile's services answered. */
const serviceRule = (
  words: Words,
  audit: (ucp: UcpSeen, profile: ProfileInspection) => Verdict,
): Rule =>
  rule({
    ...words,
    tool: null,
    authority: TRANSPORTS,
    reads: ['manifest', 'ucp'],
    audit: ({ manifest, ucp }) => whenOfficial(manifest, (profile) => audit(ucp, profile)),
  })

/** The names of the service's tools, or why they cannot be read anonymously. */
function toolsOf({ mcp }: UcpSeen): string[] | Verdict {
  if (mcp === null) return notApplicable('the profile offers no MCP service')
  const tools = field(field(jsonOf(mcp.tools), 'result'), 'tools')
  if (!Array.isArray(tools)) {
    return skip(`its tools cannot be read without an account: ${failedCall(mcp)}`)
  }
  return tools.flatMap((tool) => {
    const name = field(tool, 'name')
    return typeof name === 'string' ? [name] : []
  })
}

/** The request that failed: the second is not made when the first is refused. */
const failedCall = ({ initialize, tools }: { initialize: JsonSeen; tools: JsonSeen }): string =>
  describeFetch(tools.fetched.kind === 'not_asked' ? initialize.fetched : tools.fetched)

/** The first of them; a broken generator may give hundreds. */
const listed = (all: readonly string[], between: string): string =>
  all.length <= 12
    ? all.join(between)
    : `${all.slice(0, 12).join(between)}${between}and ${all.length - 12} more`

/** About the profile itself. */
export const ucpWellKnownRules: readonly Rule[] = [
  ...documentRules,
  profileRule(
    {
      // The whole key pair was exported where only its public half belongs (UCP
      // source/schemas/profile.json forbids the private members).
      gap: 'ucp_private_key_published',
      passed: 'ucp_keys_public',
      check: 'well_known',
      severity: 'high',
      label: 'The profile publishes a private key',
      fix: 'Remove the private members and replace the key: anyone who has read it can sign as you.',
    },
    ({ errors }) => {
      const exposed = errors.filter(OWN_GAPS.ucp_private_key_published)
      return exposed.length === 0
        ? pass()
        : gap(exposed.map(({ field: path, message }) => `${path}: ${message}`).join(' '))
    },
  ),
  profileRule(
    {
      // UCP overview, Authority Binding and Intersection Algorithm: agents drop such entries
      // silently. High, because it may be a way to ship or to pay: then the purchase cannot be ended.
      gap: 'ucp_parts_dropped',
      passed: 'ucp_parts_kept',
      check: 'well_known',
      severity: 'high',
      label: 'Agents drop parts of the profile',
      fix: 'Declare the parent of each extension, give each entry of UCP the version of the profile, use https, and host each schema on the domain that owns its name.',
    },
    ({ dropped, drop_warnings }) =>
      dropped.length === 0
        ? pass()
        : gap(`${listed(dropped, ', ')}: ${listed(drop_warnings, ' ')}`),
  ),
  serviceRule(
    {
      // Agents of an older version find no profile and leave.
      gap: 'ucp_supported_versions_broken',
      passed: 'ucp_supported_versions',
      lostWith: ['ucp_version_outdated'],
      check: 'well_known',
      severity: 'medium',
      label: 'Profiles of other versions cannot be read',
      fix: 'Serve a profile of the stated version at each URL in supported_versions, or remove the entry.',
    },
    ({ versions }) => {
      if (versions.length === 0) return notApplicable('the profile names no other versions')
      const broken = versions.flatMap(({ version, fault }) =>
        fault === null ? [] : [`${version}: ${fault}`],
      )
      return broken.length === 0 ? pass() : gap(broken.join(' '))
    },
  ),
]

/** About finding products through the profile. UCP has catalog capabilities since 2026-04-08. */
export const ucpCatalogRules: readonly Rule[] = [
  profileRule(
    {
      // Optional in UCP, so that it is no error of the profile.
      gap: 'ucp_catalog_undeclared',
      passed: 'ucp_catalog_declared',
      lostWith: ['ucp_not_shoppable'],
      check: 'catalog',
      severity: 'medium',
      label: 'The profile offers no catalog',
      fix: `Offer ${CATALOG}search and ${CATALOG}lookup, so that agents find products without a feed.`,
    },
    ({ dialect, capabilities, shoppable, shoppable_reason }) => {
      if (!shoppable) return skip(shoppable_reason)
      if (capabilities.some((name) => name.startsWith(CATALOG))) return pass()
      return dialect < CATALOG_SINCE
        ? notApplicable(`version ${dialect} has no catalog`)
        : gap(`The profile offers ${capabilities.slice(0, 8).join(', ')}.`)
    },
  ),
  serviceRule(
    {
      // A profile that promises more than its server has: agents call tools that are not there.
      gap: 'ucp_catalog_tools_missing',
      passed: 'ucp_catalog_tools',
      lostWith: ['ucp_catalog_undeclared', 'ucp_endpoint_unreachable'],
      check: 'catalog',
      severity: 'medium',
      label: 'The MCP service has no catalog tools',
      fix: `Register ${CATALOG_TOOLS.join(', ')} at the MCP endpoint, as the profile promises.`,
    },
    (ucp, { capabilities }) => {
      if (!capabilities.some((name) => name.startsWith(CATALOG))) {
        return notApplicable('the profile offers no catalog')
      }
      const tools = toolsOf(ucp)
      if (!Array.isArray(tools)) return tools
      return CATALOG_TOOLS.some((name) => tools.includes(name))
        ? pass()
        : gap(`tools/list names ${tools.slice(0, 20).join(', ') || 'no tools'}.`)
    },
  ),
]

/** About buying through the profile. */
export const ucpCheckoutRules: readonly Rule[] = [
  ...paymentRules,
  profileRule(
    {
      // A profile may be valid and offer nothing: agents then find the store and cannot buy.
      gap: 'ucp_not_shoppable',
      passed: 'ucp_shoppable',
      lostWith: ['well_known_invalid', 'ucp_private_key_published'],
      check: 'checkout',
      severity: 'critical',
      label: 'The profile is valid but offers no checkout',
      fix: 'Offer dev.ucp.shopping.checkout over a service with an https endpoint.',
    },
    ({ shoppable, shoppable_reason, errors }) => {
      if (shoppable) return pass()
      return errors.length > 0 ? skip(shoppable_reason) : gap(shoppable_reason)
    },
  ),
  serviceRule(
    {
      // One transport that answers is enough: agents choose.
      gap: 'ucp_endpoint_unreachable',
      passed: 'ucp_endpoint_reachable',
      lostWith: ['ucp_not_shoppable'],
      check: 'checkout',
      severity: 'critical',
      label: 'No service of the profile answers',
      fix: 'Make sure that the endpoints named in the profile answer.',
    },
    ({ rest, mcp }) => {
      const asked = [
        ...(rest === null ? [] : [{ fetched: rest, mayLackResource: true }]),
        ...(mcp === null ? [] : [{ fetched: mcp.initialize.fetched, mayLackResource: false }]),
      ]
      if (asked.length === 0) return skip('the profile offers neither REST nor MCP')
      const answers = asked.map(({ fetched }) => describeFetch(fetched)).join('; ')
      const lives = asked.some(
        ({ fetched, mayLackResource }) => reachabilityOf(fetched, mayLackResource) === 'reachable',
      )
      if (lives) return pass()
      const allDead = asked.every(({ fetched, mayLackResource }) =>
        isDead(fetched, mayLackResource),
      )
      return allDead ? gap(`${answers}.`) : skip(answers)
    },
  ),
  serviceRule(
    {
      // Where tools need an account, they cannot be read, and nothing is claimed about them.
      gap: 'ucp_checkout_tools_missing',
      passed: 'ucp_checkout_tools',
      lostWith: ['ucp_endpoint_unreachable'],
      check: 'checkout',
      severity: 'high',
      label: 'The MCP service has no checkout tool',
      fix: `Register ${CHECKOUT_TOOL} at the MCP endpoint, as the profile promises.`,
    },
    (ucp, { capabilities }) => {
      if (!capabilities.includes('dev.ucp.shopping.checkout')) {
        return skip('the profile offers no checkout')
      }
      const tools = toolsOf(ucp)
      if (!Array.isArray(tools)) return tools
      return tools.includes(CHECKOUT_TOOL)
        ? pass()
        : gap(`tools/list names ${tools.slice(0, 20).join(', ') || 'no tools'}.`)
    },
  ),
]

/** Certainly unreachable: a timeout and a 5xx may be temporary, and a 403 may block only us. */
const isDead = (fetched: Fetched, mayLackResource: boolean): boolean => {
  if (reachabilityOf(fetched, mayLackResource) !== 'unreachable') return false
  return fetched.kind === 'answer'
    ? fetched.status < 500
    : fetched.kind === 'no_answer' && fetched.why !== 'timeout'
}
