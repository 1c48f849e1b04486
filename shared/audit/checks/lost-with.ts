import type { GapId } from '../words.ts'

/**
 * Gaps that hide what rules of several checks judge. A rule is lost with one that is itself lost as
 * well, so that each list names only what stands directly before the rule.
 */

/** The home page is not read: what it states and links is not known. */
export const WITHOUT_HOME_PAGE = ['https_missing', 'store_behind_password'] as const

/** Nothing is read of the manifest. */
export const WITHOUT_MANIFEST = [
  'well_known_missing',
  'well_known_only_on_subdomain',
  'well_known_requires_auth',
] as const

/** Nothing, or nothing usable, is known of an endpoint. */
export const WITHOUT_ENDPOINT = [
  ...WITHOUT_MANIFEST,
  'well_known_not_json',
  'well_known_invalid',
] as const

/** A product page has no Product markup that can be read. */
export const WITHOUT_MARKUP = [
  'product_schema_missing',
  'product_schema_only_after_javascript',
  'jsonld_broken',
] as const

/** A product page states no price that another source could be compared with. */
export const WITHOUT_PAGE_PRICE = [
  ...WITHOUT_MARKUP,
  'product_schema_no_offer',
  'product_schema_aggregate_offer_only',
  'product_schema_price_invalid',
  'product_schema_currency_invalid',
] as const

/** An official profile leads to no catalog. */
export const WITHOUT_SERVICE = [
  'ucp_not_shoppable',
  'ucp_endpoint_unreachable',
  'ucp_catalog_undeclared',
  'ucp_catalog_tools_missing',
  // Its version has no catalog.
  'ucp_version_outdated',
] as const

/**
 * What stops every purchase as soon as a checkout is opened, in the order in which a walk looks at
 * it: each hides all that come after.
 */
export const OPENING = [
  'checkout_variant_unavailable',
  'checkout_dry_run_failed',
  'checkout_invalid_shape',
  'checkout_slow',
  'checkout_currency_mismatch',
  'checkout_price_mismatch',
  'checkout_lines_wrong',
  'checkout_totals_wrong',
  'checkout_expiry_invalid',
] as const

/** The gaps of an opening that are looked at before this one. */
export const openedBefore = (gap: (typeof OPENING)[number]): readonly GapId[] =>
  OPENING.slice(0, OPENING.indexOf(gap))
