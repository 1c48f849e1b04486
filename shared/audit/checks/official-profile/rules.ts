import { CATALOG_SINCE } from '../../../manifest/ucp/published.ts'
import { gap, notApplicable, pass, type Rule, skip } from '../../rule.ts'
import { OWN_GAPS } from '../well-known/manifest-verdicts.ts'
import { documentRules } from './document-rules.ts'
import { CATALOG, profileRule, serviceRule } from './official-rule.ts'
import { paymentRules } from './payment-rules.ts'

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
      // silently. High, because it may be a way to ship or to pay: then the purchase cannot be
      // ended.
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
      // Optional in UCP, so that it is no error of the profile; and all that a catalog can be is
      // lost.
      gap: 'ucp_catalog_undeclared',
      passed: 'ucp_catalog_declared',
      lostWith: ['ucp_not_shoppable'],
      check: 'catalog',
      severity: 'high',
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
]

/** About buying through the profile. */
export const ucpCheckoutRules: readonly Rule[] = [
  ...paymentRules,
  profileRule(
    {
      // A profile may be valid and offer nothing: agents then find the store and cannot buy.
      gap: 'ucp_not_shoppable',
      passed: 'ucp_shoppable',
      lostWith: ['well_known_invalid', 'well_known_redirected', 'ucp_private_key_published'],
      check: 'checkout',
      severity: 'critical',
      label: 'The profile is valid but offers no checkout',
      fix: 'Offer dev.ucp.shopping.checkout over a service with an https endpoint.',
    },
    ({ shoppable, shoppable_reason, errors }, { isRedirected }) => {
      if (isRedirected) return skip('agents follow no redirect to the profile')
      if (shoppable) return pass()
      return errors.length > 0 ? skip(shoppable_reason) : gap(shoppable_reason)
    },
  ),
]
