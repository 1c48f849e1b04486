import { handsOver } from '../../../manifest/ucp/profile.ts'
import { UCP } from '../../../protocols/ucp/versions.ts'
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
      id: 'ucp_private_key_published',
      check: 'well_known',
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
      id: 'ucp_parts_dropped',
      check: 'well_known',
    },
    ({ dropped, drop_warnings }) =>
      dropped.length === 0
        ? pass()
        : gap(`${listed(dropped, ', ')}: ${listed(drop_warnings, ' ')}`),
  ),
  serviceRule(
    {
      // Agents of an older version find no profile and leave.
      id: 'ucp_supported_versions_broken',
      lostWith: ['ucp_version_outdated'],
      check: 'well_known',
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
      // Optional in UCP, so that the profile is valid; but no rule on the catalog can be judged.
      id: 'ucp_catalog_undeclared',
      lostWith: ['ucp_not_shoppable'],
      check: 'catalog',
    },
    ({ dialect, capabilities, shoppable, shoppable_reason }) => {
      if (!shoppable) return skip(shoppable_reason)
      if (capabilities.some((name) => name.startsWith(CATALOG))) return pass()
      return UCP.isKnown(dialect) && !UCP.of(dialect).hasCatalog
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
      id: 'ucp_not_shoppable',
      lostWith: ['well_known_invalid', 'well_known_redirected', 'ucp_private_key_published'],
      check: 'checkout',
    },
    ({ shoppable, shoppable_reason, errors, capabilities }, { isRedirected }) => {
      if (isRedirected) return skip('agents follow no redirect to the profile')
      // What a checkout inside of the agent needs besides is said in `readiness`.
      if (shoppable) return handsOver(capabilities) ? pass(shoppable_reason) : pass()
      return errors.length > 0 ? skip(shoppable_reason) : gap(shoppable_reason)
    },
  ),
]
