import type { GapId } from '../../../shared/audit/words.ts'
import { ACP } from '../../../shared/protocols/acp/versions.ts'
import { UCP } from '../../../shared/protocols/ucp/versions.ts'
import type { ExpectationId } from '../../../shared/walk/expectations.ts'

/** `ucp`: both versions that are sold in; `newest_ucp`: the newest alone. */
type TextOf = 'ucp' | 'newest_ucp' | 'acp'

/** One thing that a specification demands of a store, in our words, and what covers it. */
export interface Must {
  id: string
  of: TextOf
  /** The document of the specification. */
  part: string
  must: string
  /** The rules of an audit and the expectations of a walk; none: `reason` says why. */
  rules: readonly GapId[]
  steps: readonly ExpectationId[]
  reason: string | null
}

type Cover = { rules?: readonly GapId[]; steps?: readonly ExpectationId[] } | { reason: string }

/** Why some cannot be seen from outside. */
const INSIDE = 'It happens inside the store: no answer shows it.'
const WEBHOOKS =
  'Webhooks go to the platform that bought. The reference store proves it; an audit receives none.'
const RARE = 'It needs a case that a walk cannot bring about in a store it does not know.'
const NOT_YET = 'Not judged yet.'
const TEXT = 'It is about the meaning of a text, which a program cannot judge.'

const listOf = (
  of: TextOf,
  part: string,
  rows: readonly (readonly [id: string, must: string, cover: Cover])[],
): Must[] =>
  rows.map(([id, must, cover]) => ({
    id: `${of}.${part.toLowerCase().replaceAll(' ', '_')}.${id}`,
    of,
    part,
    must,
    rules: 'reason' in cover ? [] : (cover.rules ?? []),
    steps: 'reason' in cover ? [] : (cover.steps ?? []),
    reason: 'reason' in cover ? cover.reason : null,
  }))

/** What the documents that are named on the page demand of a store. */
export const MUSTS: readonly Must[] = [
  ...listOf('ucp', 'Profile', [
    ['served', 'Publish the profile at /.well-known/ucp.', { rules: ['well_known_missing'] }],
    ['public', 'Ask no authentication for it.', { rules: ['well_known_requires_auth'] }],
    [
      'json',
      'Answer it as JSON, as its media type says.',
      { rules: ['well_known_not_json', 'well_known_wrong_content_type'] },
    ],
    [
      'schema',
      'Keep to the schema of its version.',
      { rules: ['well_known_invalid', 'ucp_form_departs'] },
    ],
    ['no_redirect', 'Answer it without a redirect.', { rules: ['well_known_redirected'] }],
    ['cache', 'Let it be cached for a minute at least.', { rules: ['well_known_not_cacheable'] }],
    [
      'names',
      'Name capabilities and services in reverse-domain form, under a domain of their owner.',
      { rules: ['ucp_names_unknown', 'ucp_spec_addresses_wrong'] },
    ],
    [
      'versions',
      'Lead from supported_versions to profiles of those versions.',
      { rules: ['ucp_supported_versions_broken'] },
    ],
    [
      'parents',
      'Offer an extension only together with what it extends.',
      { rules: ['ucp_parts_dropped'] },
    ],
    [
      'keys',
      'Publish keys as JWK, without their private part.',
      { rules: ['ucp_keys_unusable', 'ucp_private_key_published'] },
    ],
    [
      'endpoint',
      'Answer at each endpoint that it names.',
      { rules: ['ucp_endpoint_unreachable', 'ucp_transport_unreachable'] },
    ],
    [
      'negotiated',
      'Answer in the version that was negotiated.',
      { rules: ['ucp_version_mismatch'] },
    ],
  ]),
  ...listOf('ucp', 'Catalog', [
    [
      'search_input',
      'Refuse a search that has neither words nor filters.',
      { reason: 'An audit sends only searches that a store has to answer.' },
    ],
    [
      'lookup_many',
      'Look up several ids in one request, by product and by variant.',
      { rules: ['ucp_lookup_broken'] },
    ],
    [
      'lookup_once',
      'Answer a product once for ids that lead to the same.',
      { rules: ['ucp_lookup_broken'] },
    ],
    [
      'lookup_inputs',
      'Say of each variant which id it was found by.',
      { rules: ['ucp_lookup_broken'] },
    ],
    ['lookup_limit', 'Refuse more ids than the store takes.', { reason: RARE }],
    [
      'product_variant',
      'Put the variant that was asked for first.',
      { rules: ['ucp_product_unresolved'] },
    ],
    ['product_selected', 'Say which options are selected.', { rules: ['ucp_product_unresolved'] }],
    ['option_once', 'Select each option at most once.', { rules: ['ucp_product_unresolved'] }],
    [
      'rest',
      'Serve each catalog capability of the profile over REST.',
      { rules: ['ucp_endpoint_unreachable', 'catalog_unreachable'] },
    ],
    [
      'mcp',
      'Serve it over MCP with the tools of the specification.',
      { rules: ['ucp_catalog_tools_missing'] },
    ],
    [
      'enforce',
      'Enforce who may buy at checkout, not by what the catalog showed.',
      { reason: INSIDE },
    ],
  ]),
  ...listOf('ucp', 'Cart', [
    [
      'contents',
      'Use what is in the cart where a checkout is opened from it.',
      { steps: ['goods_as_asked'] },
    ],
    [
      'one_checkout',
      'Answer the same checkout for the same cart while it is open.',
      { reason: NOT_YET },
    ],
    ['replace', 'Replace the whole cart by an update.', { steps: ['cart_works'] }],
    ['cancel', 'Answer a cancelled cart as it was.', { steps: ['cart_works'] }],
    ['link', 'Lead by continue_url to a page with these lines.', { steps: ['link_leads_on'] }],
    ['discounts', 'Carry discounts of the cart into the checkout.', { reason: RARE }],
  ]),
  ...listOf('ucp', 'Checkout', [
    [
      'deterministic',
      'Answer the same state for the same requests.',
      { steps: ['is_read_as_answered', 'changes_count'] },
    ],
    [
      'escalate_link',
      'Give continue_url with requires_escalation.',
      { steps: ['leads_the_buyer_on'] },
    ],
    [
      'link_https',
      'Make continue_url an absolute https address.',
      { steps: ['leads_the_buyer_on', 'link_leads_on'] },
    ],
    [
      'escalate_message',
      'Say with requires_escalation what the buyer has to do.',
      { reason: NOT_YET },
    ],
    ['subtotal', 'Have exactly one subtotal.', { steps: ['session_is_whole'] }],
    ['total', 'Have exactly one total.', { steps: ['session_is_whole'] }],
    [
      'signs',
      'Write discounts as negative amounts, and what is added as amounts that are not.',
      { steps: ['session_is_whole'] },
    ],
    ['lines', 'Let the parts of a total add up to it.', { reason: NOT_YET }],
    ['unknown_total', 'Name a total of an unknown type in words.', { reason: NOT_YET }],
    ['claims_resolved', 'Complete nothing while a claim of eligibility is open.', { reason: RARE }],
    ['claims_ignored', 'Go on where a claim is unknown.', { reason: RARE }],
    [
      'claims_message',
      'Answer a claim that fails as an error message, and change nothing else.',
      { reason: RARE },
    ],
    ['disclosure', 'Mark a warning that must be seen as a disclosure.', { reason: TEXT }],
    [
      'mail',
      'Send a mail to the buyer after the order.',
      { reason: 'The mail goes to the buyer.' },
    ],
    [
      'idempotent',
      'Make one order of a request that is repeated with its key.',
      { steps: ['repeats_are_one', 'one_order'] },
    ],
    [
      'json',
      'Answer with valid JSON, errors too.',
      { rules: ['ucp_wrong_content_type', 'ucp_error_body_invalid'] },
    ],
    [
      'https',
      'Serve https with TLS 1.3.',
      { reason: 'Requests go over https, and take TLS 1.2 as well.' },
    ],
    [
      'cancel',
      'Cancel a checkout, and keep it so.',
      { steps: ['can_be_cancelled', 'stays_ended'] },
    ],
    [
      'mcp',
      'Serve it over MCP with the tools of the specification.',
      { rules: ['ucp_checkout_tools_missing', 'ucp_tools_missing'], steps: ['tools_fit'] },
    ],
  ]),
  ...listOf('ucp', 'Delivery', [
    [
      'title',
      'Tell the options of a delivery apart by their titles.',
      { steps: ['shipping_is_offered'] },
    ],
    [
      'title_enough',
      'Make a title enough to choose by where there is no description.',
      { reason: TEXT },
    ],
    ['description', 'Repeat neither title nor price in a description.', { reason: TEXT }],
    [
      'one_group',
      'Put all items of a method into one group where the platform takes one alone.',
      { steps: ['shipping_can_be_chosen'] },
    ],
  ]),
  ...listOf('ucp', 'Discounts', [
    [
      'provisional',
      'Show what a claim changes in the price as a provisional discount.',
      { reason: RARE },
    ],
    ['code', 'Say whether a code was taken.', { steps: ['coupon_is_answered'] }],
  ]),
  ...listOf('ucp', 'Orders', [
    ['whole', 'Answer the whole order with all its lines.', { steps: ['order_can_be_read'] }],
    [
      'authenticated',
      'Show an order to the platform that bought alone.',
      { reason: 'A walk reads its own orders; asking for those of others would be an attack.' },
    ],
    [
      'signed',
      'Sign each webhook with a key of the profile.',
      { rules: ['ucp_webhook_keys_missing'] },
    ],
    ['created', 'Send the whole order when it is made.', { reason: WEBHOOKS }],
    ['updated', 'Send the whole order at each change.', { reason: WEBHOOKS }],
    ['retried', 'Send again what was not taken.', { reason: WEBHOOKS }],
    ['sender', 'Name the profile in the UCP-Agent of a webhook.', { reason: WEBHOOKS }],
  ]),
  ...listOf('newest_ucp', 'Checkout', [
    [
      'revision',
      'Answer a quantity that was changed with a message.',
      { steps: ['quantity_is_answered'] },
    ],
    ['unit', 'Name the unit of what is sold by measure.', { reason: RARE }],
    ['unit_price', 'Give the price of a unit with each such line.', { reason: RARE }],
    ['in_progress', 'Name no order while the payment is under way.', { reason: NOT_YET }],
    [
      'actions',
      'Ask for what a buyer has to do by the actions of the checkout.',
      { steps: ['challenge_leads_on'] },
    ],
  ]),
  ...listOf('acp', 'Discovery', [
    ['served', 'Serve /.well-known/acp.json by its schema.', { rules: ['acp_discovery_invalid'] }],
    ['public', 'Ask no authentication for it.', { rules: ['acp_discovery_invalid'] }],
    [
      'parts',
      'Name protocol, api_base_url, transports and capabilities.',
      { rules: ['acp_discovery_invalid'] },
    ],
    ['name', 'Call the protocol acp.', { rules: ['acp_discovery_invalid'] }],
    ['version', 'Give the version as a date.', { rules: ['acp_discovery_invalid'] }],
    ['supported', 'List the versions, oldest first.', { rules: ['acp_discovery_invalid'] }],
    ['rest', 'Offer REST.', { rules: ['acp_discovery_invalid'] }],
    ['services', 'List the services that answer.', { rules: ['acp_services_missing'] }],
    [
      'merchant',
      'Name no merchant where a platform serves it for many.',
      { reason: 'An audit cannot tell whose host it is.' },
    ],
  ]),
  ...listOf('acp', 'Checkout', [
    [
      'version',
      'Check API-Version, and refuse what is not supported.',
      { rules: ['acp_version_mismatch'] },
    ],
    [
      'json',
      'Answer with JSON over https.',
      { rules: ['acp_wrong_content_type', 'acp_create_unreachable'] },
    ],
    [
      'errors',
      'Answer errors by the schema, with a type that it knows.',
      { rules: ['acp_error_body_invalid', 'acp_error_type_invalid'] },
    ],
    [
      'integers',
      'Write amounts as whole numbers in the smallest unit.',
      { steps: ['session_is_whole', 'totals_add_up'] },
    ],
    [
      'order',
      'Make an order at complete, with its id, session and address.',
      { steps: ['takes_payment', 'order_can_be_read'] },
    ],
    ['key', 'Refuse a POST without Idempotency-Key.', { reason: NOT_YET }],
    [
      'replay',
      'Answer a repeated request as the first time.',
      { steps: ['repeats_are_one', 'one_order'] },
    ],
    [
      'scope',
      'Keep a key to the caller and the address.',
      { reason: 'It needs two callers of one store.' },
    ],
    [
      'same_body',
      'Treat bodies that differ in order and space alone as the same.',
      { reason: 'A walk repeats byte for byte; the reference store proves it.' },
    ],
    ['no_5xx', 'Try again after a 5xx, with the same key.', { reason: RARE }],
    ['day', 'Keep keys for 24 hours.', { reason: 'A walk does not wait for a day.' }],
    ['option', 'Select only a delivery that is offered.', { reason: NOT_YET }],
    [
      'authentication',
      'Say authentication_required, with what is needed for it.',
      { steps: ['challenge_leads_on'] },
    ],
    ['requires_3ds', 'Refuse a completion without the result of it.', { reason: RARE }],
    ['markdown', 'Write texts as CommonMark without HTML.', { reason: TEXT }],
    ['webhooks', 'Send the whole order when it is made and at each change.', { reason: WEBHOOKS }],
  ]),
  ...listOf('acp', 'Capabilities', [
    ['answered', 'Answer with the capabilities of the session.', { steps: ['session_is_whole'] }],
    ['payment', 'Name the ways to pay.', { steps: ['ways_to_pay'] }],
    ['interventions', 'Answer the interventions that both sides can do.', { reason: NOT_YET }],
    ['unknown', 'Go on where a capability is unknown.', { reason: NOT_YET }],
    ['trust', 'Decide nothing about security by what an agent says of itself.', { reason: INSIDE }],
    ['server_side', 'Check the way to pay in the store.', { reason: INSIDE }],
  ]),
  ...listOf('acp', 'Cart', [
    [
      'create',
      'Answer POST /carts with 201 and a cart.',
      { rules: ['acp_carts_missing'], steps: ['cart_works'] },
    ],
    ['read', 'Answer GET of a cart as it is.', { steps: ['cart_works'] }],
    ['replace', 'Replace the whole cart by an update.', { steps: ['cart_works'] }],
    ['cancel', 'Answer a cancelled cart as it was.', { steps: ['cart_works'] }],
    ['gone', 'Answer 404 for a cart that is gone.', { steps: ['cart_works'] }],
    ['parts', 'Have id, line_items, currency and totals in each cart.', { steps: ['cart_works'] }],
  ]),
]

/** The versions whose text has it, newest first. */
export const versionsOfMust = ({ of }: Pick<Must, 'of'>): string =>
  of === 'acp'
    ? `ACP ${ACP.newest}`
    : of === 'newest_ucp'
      ? `UCP ${UCP.newest}`
      : `UCP ${UCP.all.filter((version) => UCP.of(version).isServed).join(' and ')}`

/** The documents that are not in the table yet, as a reader looks for them. */
export const NOT_LISTED: readonly string[] = [
  'embedded checkout and cart',
  'identity linking',
  'AP2 mandates',
  'tokenization and payment handlers',
  'permalinks',
  'payment terms, split payments and authentication (the newest UCP)',
  'delegated payment and authentication (ACP)',
]
