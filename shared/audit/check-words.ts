/** What a rule looks for, in a merchant's words: what is the case where it passes. */
interface CheckWords {
  /** Its id among what passed. */
  passed: string
  /** The gap that it reports, which has a page; null for a rule that reports none. */
  gap: string | null
  words: string
}

/**
 * Each rule by its pass, its gap, and what is the case where it passes. A table of its own: the
 * rules themselves bring all that judges, which pages and the extension's panel need not load.
 * Those who list what was judged name it by these words, whether it passed or could not be seen.
 */
const RULES: readonly (readonly [passed: string, gap: string | null, words: string])[] = [
  // well_known
  ['https_enabled', 'https_missing', 'The store answers over HTTPS'],
  ['well_known_present', 'well_known_missing', 'A UCP manifest that agents can find'],
  [
    'well_known_on_root_domain',
    'well_known_only_on_subdomain',
    'The manifest is on your main domain',
  ],
  ['well_known_public', 'well_known_requires_auth', 'The manifest can be read without a password'],
  [
    'well_known_not_redirected',
    'well_known_redirected',
    'The manifest is served without a redirect',
  ],
  ['well_known_content_type', 'well_known_wrong_content_type', 'The manifest is served as JSON'],
  ['well_known_json', 'well_known_not_json', 'The manifest is valid JSON'],
  ['catalog_declared', 'catalog_undeclared', 'The manifest names your product catalog'],
  ['checkout_declared', 'checkout_undeclared', 'The manifest names your checkout'],
  ['well_known_domain', 'well_known_domain_mismatch', 'The manifest names your domain'],
  ['well_known_valid', 'well_known_invalid', 'Every field of the manifest is right'],
  ['well_known_stable', 'well_known_generated_at', 'The manifest changes only when the store does'],
  ['well_known_cacheable', 'well_known_not_cacheable', 'The manifest can be cached'],
  ['robots_allows_ai_agents', 'robots_blocks_ai_agents', 'robots.txt lets AI shopping agents in'],
  [
    'content_signals',
    'content_signal_refuses_agents',
    'Content signals let AI agents use the store',
  ],
  [
    'product_pages_indexable',
    'product_pages_not_indexed',
    'Product pages may be listed by search engines',
  ],
  [
    'agents_admitted_as_robots_says',
    'agents_refused_despite_robots',
    'The server lets in the agents that robots.txt lets in',
  ],
  ['agents_admitted', 'agents_refused', 'The server lets AI agents in'],
  ['agents_not_challenged', 'agents_challenged', 'AI agents see the page, not a bot challenge'],
  ['agents_get_the_same', 'agents_get_less', 'AI agents see the same page as shoppers'],
  ['ai_search_admitted', 'ai_search_kept_out', 'Crawlers of AI search get your pages'],
  ['ucp_form', 'ucp_form_departs', 'The profile follows its schema'],
  [
    'ucp_version_current',
    'ucp_version_outdated',
    'The profile is of a UCP version that agents speak',
  ],
  ['ucp_names_known', 'ucp_names_unknown', 'The profile uses names that UCP knows'],
  [
    'ucp_spec_addresses',
    'ucp_spec_addresses_wrong',
    'Addresses of documentation are where UCP wants them',
  ],
  ['ucp_keys_usable', 'ucp_keys_unusable', 'Keys that agents can verify signatures with'],
  ['ucp_webhook_keys', 'ucp_webhook_keys_missing', 'Keys that prove order webhooks are yours'],
  ['ucp_keys_public', 'ucp_private_key_published', 'Only public keys are published'],
  ['ucp_parts_kept', 'ucp_parts_dropped', 'Agents keep every part of the profile'],
  [
    'ucp_supported_versions',
    'ucp_supported_versions_broken',
    'Profiles of other versions can be read',
  ],
  ['ucp_accept_json', 'ucp_accept_refused', 'The MCP service answers agents that accept only JSON'],
  ['ucp_agent_card', 'ucp_agent_card_invalid', 'An agent card that agents can use'],
  // catalog
  ['catalog_reachable', 'catalog_unreachable', 'A catalog that agents can read'],
  ['catalog_content_type', 'catalog_wrong_content_type', 'The catalog is served as JSON'],
  ['catalog_json', 'catalog_not_json', 'The catalog has a list of products'],
  ['catalog_has_products', 'catalog_empty', 'The catalog has products'],
  ['catalog_product_fields', 'catalog_product_fields_invalid', 'Products have all required fields'],
  ['catalog_price_integer', 'catalog_price_not_integer', 'Prices are whole numbers'],
  [
    'catalog_price_minor_units',
    'catalog_price_major_units',
    'Prices are in the smallest unit, such as cents',
  ],
  ['catalog_currency', 'catalog_currency_invalid', 'Currencies that agents know'],
  ['catalog_availability', 'catalog_availability_invalid', 'Availability that agents understand'],
  [
    'catalog_description_length',
    'catalog_description_short',
    'Descriptions of at least 50 characters',
  ],
  [
    'catalog_description_full',
    'catalog_description_brief',
    'Descriptions of at least 150 characters',
  ],
  ['catalog_images', 'catalog_images_invalid', 'Product images that agents can load'],
  ['catalog_ids_unique', 'catalog_ids_duplicate', 'Each product has an id of its own'],
  ['catalog_ids_stable', 'catalog_ids_unstable', 'Product ids stay the same'],
  ['catalog_variants', 'catalog_variants_invalid', 'Variants have all required fields'],
  ['catalog_variants_distinct', 'catalog_variants_clash', 'Variants can be told apart'],
  ['catalog_pagination', 'catalog_pagination_missing', 'A large catalog comes in pages'],
  ['catalog_next_works', 'catalog_next_broken', 'The next page of the catalog answers'],
  ['catalog_next_ends', 'catalog_next_loops', 'The pages of the catalog come to an end'],
  ['catalog_next_on_host', 'catalog_next_leaves_host', 'All pages of the catalog are on one host'],
  ['catalog_search', 'catalog_search_ineffective', 'Search finds what was asked for'],
  ['catalog_filters', 'catalog_filters_ineffective', 'Filters have an effect'],
  ['catalog_fresh', 'catalog_cached_too_long', 'Catalog prices are fresh'],
  [
    'catalog_page_price',
    'catalog_page_price_mismatch',
    'Catalog and product pages have the same prices',
  ],
  [
    'catalog_page_availability',
    'catalog_page_availability_mismatch',
    'Catalog and product pages agree on what is in stock',
  ],
  [
    'catalog_page_currency',
    'catalog_page_currency_mismatch',
    'Catalog and product pages have the same currency',
  ],
  [
    'catalog_page_identifiers',
    'catalog_page_identifiers_mismatch',
    'Catalog and product pages name the same product numbers',
  ],
  ['ucp_catalog_declared', 'ucp_catalog_undeclared', 'The profile offers your catalog'],
  ['ucp_catalog_tools', 'ucp_catalog_tools_missing', 'The MCP service has all catalog tools'],
  ['ucp_descriptions', 'ucp_description_invalid', 'Descriptions that agents can read'],
  ['ucp_lookup', 'ucp_lookup_broken', 'Products can be looked up by their ids'],
  ['ucp_product_resolves', 'ucp_product_unresolved', 'Choosing options leads to the right variant'],
  ['ucp_transports_agree', 'ucp_transports_differ', 'All services say the same of a product'],
  // checkout
  ['checkout_https', 'checkout_not_https', 'The checkout is served over HTTPS'],
  ['checkout_reachable', 'checkout_unreachable', 'A checkout that agents can reach'],
  ['checkout_not_redirected', 'checkout_redirected', 'The checkout is reached without a redirect'],
  ['checkout_dry_run', 'checkout_dry_run_failed', 'A valid cart is accepted'],
  ['checkout_shape', 'checkout_invalid_shape', 'Carts say all that agents need'],
  ['checkout_fast', 'checkout_slow', 'Carts are answered within 3 seconds'],
  ['checkout_price', 'checkout_price_mismatch', 'Checkout prices are those of the catalog'],
  [
    'checkout_checks_address',
    'checkout_accepts_invalid_address',
    'Addresses that do not exist are rejected',
  ],
  [
    'checkout_checks_variant',
    'checkout_accepts_unknown_variant',
    'Variants that do not exist are rejected',
  ],
  [
    'checkout_error_body',
    'checkout_error_body_invalid',
    'Errors that agents can explain to shoppers',
  ],
  ['checkout_expiry', 'checkout_expiry_invalid', 'Carts say when they expire'],
  ['checkout_expires_in_time', 'checkout_expires_late', 'Carts expire in good time'],
  ['ucp_payment_handlers', 'ucp_payment_handlers_missing', 'Buyers can pay inside of the agent'],
  [
    'ucp_payment_handlers_usable',
    'ucp_payment_handler_unusable',
    'Every payment handler can be used',
  ],
  ['ucp_shoppable', 'ucp_not_shoppable', 'The profile offers a checkout'],
  ['ucp_endpoint_reachable', 'ucp_endpoint_unreachable', 'A service of the profile answers'],
  ['ucp_transports_reachable', 'ucp_transport_unreachable', 'Every service of the profile answers'],
  ['ucp_post_direct', 'ucp_post_redirected', 'Services answer without a redirect'],
  ['ucp_checkout_tools', 'ucp_checkout_tools_missing', 'The MCP service has all checkout tools'],
  [
    'ucp_tools',
    'ucp_tools_missing',
    'The MCP service has the tools for carts, orders and cancelling',
  ],
  ['ucp_version_negotiated', 'ucp_version_mismatch', 'The store answers in the agreed version'],
  ['ucp_content_type', 'ucp_wrong_content_type', 'The services send JSON as JSON'],
  ['ucp_error_body', 'ucp_error_body_invalid', 'Agents can read why the store refuses'],
  ['ucp_agent_answered', null, 'The store answers the agent of this audit'],
  [
    'checkout_variants_resolve',
    'checkout_variant_unavailable',
    'What is listed as in stock can be bought',
  ],
  [
    'checkout_currency',
    'checkout_currency_mismatch',
    'The checkout is in the currency of the catalog',
  ],
  ['checkout_lines', 'checkout_lines_wrong', 'The checkout holds what was asked for'],
  ['checkout_totals', 'checkout_totals_wrong', 'The amounts in the checkout add up'],
  [
    'checkout_shipping_options',
    'checkout_shipping_options_missing',
    'The checkout offers shipping',
  ],
  ['checkout_becomes_ready', 'checkout_never_ready', 'The checkout becomes ready to be paid'],
  ['checkout_refuses_sold_out', 'checkout_accepts_sold_out', 'What is sold out cannot be bought'],
  [
    'checkout_abroad',
    'checkout_abroad_fails',
    'Addresses that you do not ship to are answered in words',
  ],
  [
    'checkout_foreign_currency',
    'checkout_foreign_currency_fails',
    'Another currency is answered, not an error',
  ],
  ['checkout_idempotency', 'checkout_idempotency_ignored', 'A repeated call does not buy twice'],
  ['checkout_cancel', 'checkout_cancel_fails', 'A checkout can be cancelled'],
  [
    'checkout_continue_url',
    'checkout_continue_url_missing',
    'The checkout says where the buyer goes on',
  ],
  ['checkout_complete', 'checkout_complete_fails', 'A checkout that is ready can be paid'],
  ['checkout_declines', 'checkout_decline_fails', 'A declined card is said to be declined'],
  ['checkout_order', 'checkout_order_unreadable', 'Agents can read the orders that they place'],
  // acp
  ['acp_discovery', 'acp_discovery_invalid', 'A valid ACP discovery document'],
  [
    'acp_discovery_cacheable',
    'acp_discovery_not_cacheable',
    'The ACP discovery document can be cached',
  ],
  ['acp_create_reachable', 'acp_create_unreachable', 'ACP: a checkout can be created'],
  ['acp_update_reachable', 'acp_update_unreachable', 'ACP: a checkout can be updated'],
  ['acp_complete_reachable', 'acp_complete_unreachable', 'ACP: a checkout can be completed'],
  ['acp_error_body', 'acp_error_body_invalid', 'ACP: errors that agents can explain'],
  ['acp_content_type', 'acp_wrong_content_type', 'ACP: answers are sent as JSON'],
  ['acp_services', 'acp_services_missing', 'ACP: services answer where acp.json says'],
  ['acp_versions', 'acp_version_mismatch', 'ACP: every version that acp.json names is accepted'],
  ['acp_carts', 'acp_carts_missing', 'ACP: carts that acp.json names are served'],
  ['acp_error_type', 'acp_error_type_invalid', 'ACP: errors say their type'],
  ['acp_tools', 'acp_tools_missing', 'ACP over MCP: all checkout tools'],
  ['acp_cancel_tool', 'acp_cancel_tool_missing', 'ACP over MCP: the tool to cancel'],
  ['acp_currency', 'acp_currency_invalid', 'ACP: valid currencies'],
  ['acp_payment_handlers', 'acp_payment_handlers_missing', 'ACP: a way to pay is named'],
  // schema
  ['product_schema_present', 'product_schema_missing', 'Product pages have product markup'],
  [
    'product_schema_in_html',
    'product_schema_only_after_javascript',
    'Product markup that needs no JavaScript',
  ],
  ['jsonld_valid', 'jsonld_broken', 'Markup that can be read'],
  [
    'product_schema_complete',
    'product_schema_incomplete',
    'Product markup with a name and an image',
  ],
  ['product_schema_has_offer', 'product_schema_no_offer', 'Product markup with an offer'],
  [
    'product_schema_single_offer',
    'product_schema_aggregate_offer_only',
    'Product markup with the price of each variant',
  ],
  [
    'product_schema_price_valid',
    'product_schema_price_invalid',
    'Prices in the markup can be used',
  ],
  [
    'product_schema_currency_valid',
    'product_schema_currency_invalid',
    'Currencies in the markup are known',
  ],
  [
    'product_schema_currency_upper_case',
    'product_schema_currency_lower_case',
    'Currencies in the markup are in capital letters',
  ],
  [
    'product_schema_price_agrees',
    'product_schema_price_contradicted',
    'Each page states one price',
  ],
  [
    'product_schema_currency_agrees',
    'product_schema_currency_contradicted',
    'Each page states one currency',
  ],
  [
    'product_schema_availability_agrees',
    'product_schema_availability_contradicted',
    'Each page says one thing about stock',
  ],
  [
    'product_schema_identifier_agrees',
    'product_schema_identifier_contradicted',
    'Each page gives its product one number and one name',
  ],
  [
    'product_schema_price_valid_until_valid',
    'product_schema_price_valid_until_invalid',
    'Prices in the markup have not expired',
  ],
  [
    'product_schema_availability_valid',
    'product_schema_availability_invalid',
    'The markup says what is in stock',
  ],
  [
    'product_schema_gtin_valid',
    'product_schema_gtin_invalid',
    'Barcode numbers in the markup are valid',
  ],
  [
    'product_schema_identifier_present',
    'product_schema_identifier_missing',
    'Product markup with a product number',
  ],
  [
    'product_schema_sku_whole',
    'product_schema_sku_spaces',
    'Each sku in the markup is without spaces',
  ],
  ['product_vocabulary_current', 'product_vocabulary_retired', 'Markup in a current vocabulary'],
  ['product_schema_brand_present', 'product_schema_brand_missing', 'Product markup with a brand'],
  [
    'product_schema_description_present',
    'product_schema_description_missing',
    'Product markup with a description',
  ],
  [
    'product_schema_return_policy_complete',
    'product_schema_return_policy_incomplete',
    'Return policies in the markup are complete',
  ],
  [
    'product_schema_return_policy_present',
    'product_schema_return_policy_missing',
    'A return policy in the markup',
  ],
  [
    'product_schema_shipping_complete',
    'product_schema_shipping_incomplete',
    'Shipping details in the markup are complete',
  ],
  [
    'product_schema_shipping_present',
    'product_schema_shipping_missing',
    'Shipping details in the markup',
  ],
  // feed
  ['feed_exists', 'feed_missing', 'A product feed that can be found'],
  ['feed_readable', 'feed_unreadable', 'The product feed can be read to its end'],
  [
    'feed_items_complete',
    'feed_items_incomplete',
    'Items of the feed have all required attributes',
  ],
  ['feed_gtin_valid', 'feed_gtin_invalid', 'Barcode numbers in the feed are valid'],
  ['feed_ids_unique', 'feed_duplicate_ids', 'Each item of the feed has an id of its own'],
  ['feed_sale_prices', 'feed_sale_price_invalid', 'Sale prices are below the price'],
  ['feed_variants', 'feed_variants_unclear', 'Variants in the feed can be told apart'],
  ['feed_google_values', 'feed_google_values_invalid', 'Google can read the values in the feed'],
  [
    'feed_google_lengths',
    'feed_google_values_too_long',
    'Values in the feed are short enough for Google',
  ],
  [
    'feed_google_identifiers',
    'feed_google_identifiers_missing',
    'Items of the feed have product identifiers',
  ],
  ['feed_google_dates', 'feed_google_dates_invalid', 'Google can read the dates in the feed'],
  ['feed_openai_values', 'feed_openai_values_invalid', 'OpenAI can read the values in the feed'],
  [
    'feed_openai_lengths',
    'feed_openai_values_too_long',
    'Values in the feed are short enough for OpenAI',
  ],
  [
    'feed_openai_eligibility',
    'feed_openai_eligibility_contradictory',
    'Items offered for checkout have what checkout needs',
  ],
  ['feed_price_matches', 'feed_price_mismatch', 'Feed and store have the same prices'],
  [
    'feed_availability_matches',
    'feed_availability_mismatch',
    'Feed and store agree on what is in stock',
  ],
  ['feed_currency_matches', 'feed_currency_mismatch', 'Feed and store have the same currencies'],
  [
    'feed_identifiers_match',
    'feed_identifiers_mismatch',
    'Feed and store name the same product numbers',
  ],
  ['merchant_center_connected', null, 'A Merchant Center account is in use'],
  // attribution
  ['snippet_present', 'dark_traffic_untracked', 'Visits from AI surfaces are tracked'],
  ['snippet_has_id', 'snippet_without_id', 'The snippet knows your property'],
  ['snippet_once', 'snippet_duplicated', 'The snippet is loaded once'],
  ['snippet_in_head', 'snippet_not_in_head', 'The snippet is in the head of the page'],
  ['snippet_allowed_by_csp', 'snippet_blocked_by_csp', 'Your security policy lets the snippet run'],
  // entity
  ['brand_name_consistent', 'brand_name_inconsistent', 'One name for the shop on the home page'],
  ['organization_present', 'organization_missing', 'The home page says who runs the shop'],
  ['organization_name_present', 'organization_name_missing', 'The organization has a name'],
  ['organization_url_matches', 'organization_url_mismatch', 'The organization links to this shop'],
  ['organization_logo_valid', 'organization_logo_invalid', 'The organization has a logo'],
  [
    'organization_same_as_valid',
    'organization_same_as_invalid',
    'Organization links that can be followed',
  ],
  ['organization_names_agree', 'organization_names_conflict', 'One organization, with one name'],
]

/** By both ids, because what was not judged is listed by the gap that might be there. */
const BY_ID: ReadonlyMap<string, CheckWords> = new Map(
  RULES.flatMap(([passed, gap, words]) => {
    const row = { passed, gap, words }
    return [passed, ...(gap === null ? [] : [gap])].map((id) => [id, row] as const)
  }),
)

/**
 * The words of a rule, by the id of its pass or of its gap; null for one that is not known here.
 */
export const findCheckWords = (id: string): CheckWords | null => BY_ID.get(id) ?? null

/** The gaps that an audit can report, in the order of the checks. */
export const GAP_IDS: readonly string[] = RULES.flatMap(([, gap]) => (gap === null ? [] : [gap]))
