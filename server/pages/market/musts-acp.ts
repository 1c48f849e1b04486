import { ACP } from '../../../shared/protocols/acp/versions.ts'
import { type MustDocument, mustDocument } from './must.ts'

const REPOSITORY =
  'https://github.com/agentic-commerce-protocol/agentic-commerce-protocol/blob/main'

/** The two that are sold in. */
const [older = ACP.newest, newest = ACP.newest] = ACP.all.filter(
  (version) => ACP.of(version).isServed,
)

/** A document of ACP's repository; they name no version. */
const listOf = (part: string, file: string, lines: string): MustDocument => {
  const folder = file.startsWith('rfc.') ? 'rfcs' : 'docs'
  return mustDocument('ACP', part, lines, {
    older: { version: older, url: null },
    newest: { version: newest, url: `${REPOSITORY}/${folder}/${file}.md` },
  })
}

/** What the documents of official ACP demand of a seller. */
export const ACP_MUSTS: readonly MustDocument[] = [
  listOf(
    'Discovery',
    'rfc.discovery',
    `
+ Conformance Checklist | Serve acp.json at the root, by its schema. | acp_discovery_invalid
+ Conformance Checklist | Ask no authentication for it. | acp_discovery_invalid
+ Conformance Checklist | Name protocol, api_base_url, transports and capabilities. | acp_discovery_invalid
+ Conformance Checklist | Call the protocol acp. | acp_discovery_invalid
+ Conformance Checklist | Give the version as a date. | acp_discovery_invalid
+ Conformance Checklist | List the versions, oldest first. | acp_discovery_invalid
+ Conformance Checklist | Offer REST. | acp_discovery_invalid
+ Conformance Checklist | List the services that answer. | acp_discovery_invalid acp_services_missing
+ Non-Goals | Name no merchant where a platform serves many. | HOST
+ No Sensitive Data | Put nothing secret into it. | TEXT
`,
  ),
  listOf(
    'Checkout',
    'rfc.agentic_checkout',
    `
Initialization | Refuse an API-Version that you do not have. | acp_version_mismatch
Common Requirements | Answer JSON over https. | acp_wrong_content_type acp_create_unreachable
Security Considerations | Use TLS of the version that is asked for. | TLS
Common Requirements | Write amounts as whole numbers in the smallest unit. | session_is_whole totals_add_up
Common Requirements | Ask for a bearer token. | TOKEN
Common Requirements | Take bodies as application/json. | session_opens
Create Session | Answer a new session with 201. | TOLERANT
Session Lifecycle | Make an order when it is paid. | takes_payment order_can_be_read
Complete Session | Answer completed, with an id and an address of the order. | takes_payment session_is_whole
Validation Rules (non‑exhaustive) | Choose only a delivery that you list. | session_is_whole
Complete Session | Say authentication_required, with what is needed for it. | session_is_whole challenge_leads_on
Complete Session | Refuse a payment without the result that was asked for. | RARE
+ Markdown Content Specification | Write CommonMark without HTML. | TEXT
+ Specification | Refuse texts with HTML. | SOUND
+ schema.agentic_checkout.json | Take values of a status that you do not know. | SOUND
Webhooks (Separate Spec) | Send webhooks for new and changed orders. | WEBHOOKS
`,
  ),
  listOf(
    'Idempotency',
    'rfc.agentic_checkout',
    `
+ Common Requirements | Refuse a POST without a key. | KEYLESS
+ Idempotency-Key Requirement | Keep a key to its caller and address. | CALLERS
+ Request Equivalence | Treat bodies as the same that differ in order and space alone. | BYTES
+ Replay Behavior | Answer a repeated request as before, and do nothing. | repeats_are_one one_order
- Idempotency | Refuse a key with another body by 409. | BYTES
+ Server Error Caching | Try again after a 5xx. | RARE
+ Key Retention | Keep keys for a day. | DAY
`,
  ),
  listOf(
    'Capabilities',
    'rfc.capability_negotiation',
    `
capabilities | Answer with the capabilities of the session. | session_is_whole
payment_methods | Name the ways to pay. | ways_to_pay
interventions (object, OPTIONAL) | Answer the interventions that both sides have. | TOLERANT
Unknown Capabilities | Go on where a capability is unknown. | SOUND
Capability-Based Downgrade Attacks | Decide nothing about security by what an agent says. | INSIDE
Conformance Checklist | Check the way to pay in the store. | INSIDE
`,
  ),
  listOf(
    'Cart',
    'rfc.cart',
    `
+ Conformance Checklist | Answer POST /carts with 201 and a cart. | acp_carts_missing cart_works
+ Conformance Checklist | Answer GET of a cart as it is. | cart_works
+ Conformance Checklist | Replace the whole cart by an update. | cart_works
+ Conformance Checklist | Answer a cancelled cart as it was. | cart_works
+ Conformance Checklist | Answer 404 for a cart that is gone. | cart_works
+ Conformance Checklist | Have id, line_items, currency and totals in each cart. | cart_works
+ Create Cart | Say so where an item is left out. | goods_as_asked
`,
  ),
  listOf(
    'MCP',
    'mcp-binding',
    `
+ Overview | Show whole schemas of the tools. | tools_fit
+ Argument Structure | Ask for no empty payload. | VALID
+ Conformance | Have the five tools, and answer by ACP. | acp_tools_missing acp_cancel_tool_missing session_is_whole
`,
  ),
  listOf(
    'Extensions',
    'rfc.extensions',
    `
Schema URL Requirements | Write extensions by the rules for extensions. | OWN
Security Considerations | Check what extensions bring as you check the rest. | INSIDE
`,
  ),
  listOf(
    'Affiliate attribution',
    'rfc.affiliate_attribution',
    `
Conformance Checklist | Take an attribution at create and at complete, and keep both. | AFFILIATE
Field Definitions | Refuse one without a provider, or with lists in it. | AFFILIATE
Field Definitions | Take no personal data in it. | AFFILIATE
Multi-Touch Attribution | Stop no checkout for it. | AFFILIATE
Visibility (Write-Only) | Repeat it in no answer. | AFFILIATE
Token confidentiality | Write its tokens into no log. | INSIDE
Idempotency & Conflict Handling | Count it once. | INSIDE
Conformance Checklist | Refuse a key with another attribution. | AFFILIATE
`,
  ),
  listOf(
    'Intent traces',
    'rfc.intent_traces',
    `
Endpoint Update: Cancel Session | Cancel, regardless of the trace. | TRACE
Endpoint Update: Cancel Session | Answer a cancelled session. | can_be_cancelled
Conformance Checklist | Take flat metadata of a trace alone. | TRACE
Security & Idempotency | Count a trace once. | INSIDE
Conformance Checklist | Repeat it in no answer. | TRACE
`,
  ),
  listOf(
    'Marketing consent',
    'rfc.marketing_consent',
    `
+ Seller (MUST) | Send marketing only to buyers who agreed to it. | INSIDE
+ Contact Resolution | Pass over a consent that you did not offer, or without an address. | INSIDE
`,
  ),
  listOf(
    'Orders and webhooks',
    'rfc.orders',
    `
+ Webhook Events | Send the whole order at each change. | WEBHOOKS
Webhook Events | Sign each webhook. | WEBHOOKS
+ Refunds | Write refunds as adjustments. | WEBHOOKS
`,
  ),
  listOf(
    'Payment handlers',
    'rfc.payment_handlers',
    `
API Integration | Give the config of a handler merchant_id and psp. | CONFIG
+ Base Pattern | Let a handler of your own delegate, without card data. | OWN
+ User-Specific Handlers | Name to a buyer only handlers that are his. | LOGIN
+ PCI Compliance | Guard gift cards and their numbers. | LAW
`,
  ),
  listOf(
    'Delegated payment',
    'rfc.delegate_payment',
    `
RFC: Agentic Commerce — Delegate Payment API | Serve POST /agentic_commerce/delegate_payment. | PSP
Initialization (MUST happen before tokenization) | Refuse an API-Version that you do not have. | PSP
Tokenize Request | Check the request as the schema has it. | PSP
Token Creation & Response | Answer 201 with a token and what it belongs to. | PSP
Usage & Expiry | Let a token pay only what was allowed, until it expires. | PSP
Error Handling | Answer flat errors. | PSP
+ Idempotency-Key Requirement | Keep a key to its caller, refuse a call without one, and do nothing twice. | PSP
+ Security Considerations | Use TLS 1.3. | PSP
`,
  ),
  listOf(
    'Delegated authentication',
    'rfc.delegate_authentication',
    `
+ Initialization | Check the request as the schema has it, and answer a session. | PSP
+ Idempotency & Retries | Answer a repeated key as before, and 409 for another body. | PSP
+ Security Considerations | Check who signs, and from where it comes. | PSP
+ Security Considerations | Keep card numbers out of logs, by PCI DSS. | LAW
+ Security Considerations | Use TLS 1.2 or newer. | PSP
`,
  ),
  listOf(
    'Feeds',
    'rfc.product_feeds',
    `
+ Product and Variant Model | Let the checkout take the ids of the feed. | FEED
+ Security, Privacy, and Trust | Put nothing of buyers into a feed. | TEXT
+ Conformance Checklist | Give products and variants ids that stay, and titles. | FEED
`,
  ),
]
