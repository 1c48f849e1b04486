// Gaps that have one cause in the software of a shop, and so one remedy on each platform.

/** The product pages lack markup, or it lacks what the product has. */
export const PRODUCT_MARKUP = [
  'product_schema_missing',
  'product_schema_only_after_javascript',
  'jsonld_broken',
  'product_schema_incomplete',
  'product_schema_no_offer',
  'product_schema_price_invalid',
  'product_schema_currency_invalid',
  'product_schema_currency_lower_case',
  'product_schema_availability_invalid',
] as const

/** Two programs mark up the same page. */
export const CONTRADICTIONS = [
  'product_schema_price_contradicted',
  'product_schema_currency_contradicted',
  'product_schema_availability_contradicted',
  'product_schema_identifier_contradicted',
] as const

/** The product has no number, or a wrong one. */
export const PRODUCT_NUMBERS = [
  'product_schema_gtin_invalid',
  'product_schema_identifier_missing',
  'feed_gtin_invalid',
  'feed_google_identifiers_missing',
] as const

export const DESCRIPTIONS = [
  'product_schema_description_missing',
  'catalog_description_short',
  'catalog_description_brief',
] as const

export const ROBOTS = ['robots_blocks_ai_agents', 'content_signal_refuses_agents'] as const

/** A firewall keeps agents out. */
export const REFUSALS = [
  'agents_refused',
  'agents_refused_despite_robots',
  'agents_challenged',
  'ai_search_kept_out',
] as const

/** The tag is not in the head of each page once, with its id. */
export const SNIPPET = [
  'dark_traffic_untracked',
  'snippet_without_id',
  'snippet_duplicated',
  'snippet_not_in_head',
] as const

/** The file at /.well-known/ucp is not served as it has to be. */
export const MANIFEST_FILE = [
  'well_known_missing',
  'well_known_redirected',
  'well_known_wrong_content_type',
  'well_known_not_cacheable',
] as const

export const ORGANIZATION = [
  'organization_missing',
  'organization_name_missing',
  'organization_url_mismatch',
  'organization_logo_invalid',
] as const

/** What holds for all products, which the Organization may state once. */
export const SHOP_POLICIES = [
  'product_schema_return_policy_missing',
  'product_schema_shipping_missing',
] as const
