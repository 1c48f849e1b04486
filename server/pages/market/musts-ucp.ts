import { UCP } from '../../../shared/protocols/ucp/versions.ts'
import { type MustDocument, mustDocument } from './must.ts'

/** The two that are sold in. */
const [older = UCP.newest, newest = UCP.newest] = UCP.all.filter(
  (version) => UCP.of(version).isServed,
)

/** A document by its pages below the specification of each version; null: the older has none. */
const listOf = (
  part: string,
  olderPage: string | null,
  newestPage: string,
  lines: string,
): MustDocument => {
  const at = (version: string, page: string | null) => ({
    version,
    url: page && `https://ucp.dev/${version}/specification/${page}`,
  })
  return mustDocument('UCP', part, lines, {
    older: at(older, olderPage),
    newest: at(newest, newestPage),
  })
}

/** What the documents of official UCP demand of a store. */
export const UCP_MUSTS: readonly MustDocument[] = [
  listOf(
    'Profile',
    'overview/',
    'overview/',
    `
Hosting | Serve the profile and all of UCP over https. | https_missing ucp_parts_dropped
Hosting | Answer the profile without a redirect. | well_known_redirected
Hosting | Let the profile be cached publicly for at least a minute. | well_known_not_cacheable
Naming Convention | Name services and capabilities in reverse-domain form. | well_known_invalid ucp_names_unknown
Governance Model | Name what is your own below your own domain. | ucp_names_unknown ucp_parts_dropped
Spec URL Binding | Give each capability the addresses that its version asks for. | well_known_invalid ucp_form_departs
Spec URL Binding | Host each schema at the owner of the name, over https. | ucp_parts_dropped
+ Authority Binding | Give documentation an https address. | ucp_spec_addresses_wrong
Endpoint Resolution | Give each endpoint an https address. | ucp_parts_dropped
Protocol Version | Lead from supported_versions to profiles that name no further ones. | ucp_supported_versions_broken
Pre-release Versions | Name versions by dates. | well_known_invalid
Pre-release Versions | Do not publish a version before its release. | well_known_invalid
+ Profile Structure | Have services and payment_handlers, even if empty. | well_known_invalid
+ Profile Structure | Publish signing keys in the field of the version. | ucp_keys_unusable
+ Component Versioning | Give UCP’s own entries the version of the profile. | ucp_parts_dropped
+ The ucp Protocol Namespace | Add nothing of your own inside ucp. | FORM
+ The ucp Protocol Namespace | Put no ucp directly into ucp. | FORM
+ map_order | List in map_order the keys of a map that is there, each once. | FORM
Breaking Changes | Do not break a version that is out. | TIME
Requirements | Write schemas of your own extensions by the rules for extensions. | OWN
`,
  ),
  listOf(
    'Requests',
    'overview/',
    'overview/',
    `
Business Requirements | Fetch and check the profile of the agent that asks. | PROFILES
Fetching | Fetch it over https alone, and follow no redirect. | PROFILES
Fetching | Fetch it again at most once for an unknown key. | PROFILES
+ Fetching | Fetch nothing from addresses that are not public. | ATTACK
Business Requirements | Use the capabilities that both sides have, without orphans. | EXTENSION
Version Requirements | Check what an extension requires before using it. | EXTENSION
Business Requirements | Name the version in each answer. | ucp_version_mismatch
Capability Selection | Name in an answer only capabilities that are negotiated and relevant. | FORM
Protocol Version | Refuse an agent’s version that you do not have. | PROFILES
Request-Time Validation | Say so where no capability is shared. | PROFILES
Identity Binding | Check that the caller is the one whose profile it names. | CALLERS
Transport Bindings | Answer errors over MCP with the HTTP status as well. | TOLERANT
REST Transport | Take and answer application/json. | ucp_wrong_content_type
REST Transport | Use the verbs and statuses of HTTP. | ucp_endpoint_unreachable ucp_error_body_invalid
Response Format | Answer a tool in structuredContent. | session_opens
Data Privacy | Keep personal data and payment data by law. | LAW
Attribution | Answer the same with and without attribution. | INSIDE
+ The ucp Protocol Namespace | Pass over members and entries that you do not know. | SOUND
+ The ucp Protocol Namespace | Take a ucp inside ucp, or as a key of a map, for ordinary data. | SOUND
+ map_order | Read nothing into the order of a map. | INSIDE
+ Integer range and ingestion | Calculate exactly, or say that you cannot. | totals_add_up
context.json | Take claims and signals by names in reverse-domain form. | SOUND
context.json | Pass over claims and hints that you do not know. | RARE
context.json | Decide who may buy at checkout, by binding data. | INSIDE
error_response.json | Mark an error without a resource as an error. | errors_explain
+ Business-Populated Response Values | Return what you hold of a buyer to that buyer alone. | LOGIN
`,
  ),
  listOf(
    'Constraints and actions',
    'overview/',
    'overview/',
    `
+ Path | Give a constraint a path that finds what it means. | RARE
+ Path | Send only constraints that are valid, can be met and are kept. | RARE
+ Actions | Write the path of a message as JSONPath from the root. | TOLERANT
+ Actions | List every action that is outstanding, and none otherwise. | EXTENSION
+ Actions | Say by a recoverable message which action stands in the way. | RARE
+ Actions | Give each action an id of its own that stays, and is not used again. | RARE
+ Actions | Ask only for actions of an extension that both sides have. | RARE
+ Precedence | Publish no two policies for the same thing. | TEXT
+ Presenting policies | Describe each policy in words. | TEXT
+ Presenting policies | Show a policy that must be seen as a disclosure that agrees with it. | TEXT
`,
  ),
  listOf(
    'Units',
    'overview/',
    'overview/',
    `
+ Quantities and units | Count pieces as C62, with scale 0, and name every other unit. | MEASURE
+ Unit vocabulary | Name one unit in one way. | MEASURE
+ Unit vocabulary | Sell a package as a variant of its own, counted in pieces. | MEASURE
+ Display text | Give a unit its text, and compare by the unit alone. | MEASURE
+ Ordering increment | Leave the step out of that comparison. | MEASURE
+ Distinction from unit price | Give the price of a unit in one unit and the currency of the price. | MEASURE
Distinction from unit price | Calculate the price of a unit as described, and round it once. | MEASURE
+ Distinction from unit price | Repeat it on lines that are priced by another unit. | MEASURE
+ Quantity and sale basis | Compare the unit that an agent names with yours. | MEASURE
+ Quantity and sale basis | Refuse a line in a unit that you do not convert. | MEASURE
+ Quantity and sale basis | Say by a message that a quantity was changed, and never reinterpret it. | quantity_is_answered
+ Quantity and sale basis | Name the unit of each line that is not counted in pieces. | MEASURE
+ Quantity and sale basis | Round the total of a line once. | MEASURE
+ Order example | Settle a price by measure with the measure. | MEASURE
`,
  ),
  listOf(
    'Signatures',
    'signatures/',
    'signatures/',
    `
Key Format (JWK) | Publish keys as JWK. | ucp_keys_unusable
+ profile.json | Publish no private part of a key. | ucp_private_key_published
+ profile.json | Name a key for Web Bot Auth by its thumbprint. | OTHERWISE
+ profile.json | Give a key the algorithm of its curve. | ucp_keys_unusable
Signature Algorithms | Verify ES256. | INSIDE
+ Signature Algorithms | Take key sets with keys that you do not know. | PROFILES
Headers | Digest bodies by SHA-256. | WEBHOOKS
REST Request Signing | Write signatures in the raw form of RFC 9421. | WEBHOOKS
Headers | Let nothing in between rewrite a body. | WEBHOOKS
REST Request Verification | Read the agent’s profile from UCP-Agent. | ucp_version_mismatch
REST Request Verification | Name /.well-known/ucp as your own profile. | WEBHOOKS
Authentication Mechanisms | Sign every webhook. | ucp_webhook_keys_missing
Request Signing | Verify a signature that is sent, with its headers. | SIGNED
+ Identity Resolution Algorithm | Verify Web Bot Auth signatures by their own rules. | SIGNED
+ REST Request Verification | Find the key by the label of the signature, over https. | SIGNED
+ WBA Interop | Sign for Web Bot Auth by its rules, where you do. | OTHERWISE
+ Replay Protection | Compare the bytes of a repeated request. | repeats_are_one
`,
  ),
  listOf(
    'Catalog',
    'catalog/',
    'shopping/catalog/',
    `
Search Inputs | Refuse a search that has neither words nor filters. | VALID
Supported Identifiers | Look up by product and by variant. | ucp_lookup_broken
Supported Identifiers | Answer a product once for ids that lead to the same. | ucp_lookup_broken
Client Correlation | Say of each variant which id it was found by. | ucp_lookup_broken
Batch Size | Refuse more ids than you take. | RARE
Resolution Behavior | Put the variant that was asked for first. | ucp_product_unresolved
Input | Take each option at most once. | VALID
Output: Effective Selections | Say which options are selected. | ucp_product_unresolved
Conformance | Have both tools of look-up. | ucp_catalog_tools_missing
Conformance | Serve each capability of the catalog over REST, with prices and pages. | catalog_unreachable catalog_product_fields_invalid
Conformance | Have both paths of look-up. | ucp_lookup_broken ucp_product_unresolved
pagination.json | Give a cursor where there is a next page. | catalog_next_broken
+ Location Context | Take the place of filters.fulfills_to before that of the context. | RARE
+ Methods | Take at checkout the pickup locations that the catalog names. | RARE
`,
  ),
  listOf(
    'Cart',
    'cart/',
    'shopping/cart/',
    `
Conversion | Use what is in the cart where a checkout is opened from it. | goods_as_asked
Conversion | Answer the same open checkout for the same cart. | CARTS
Cancel Cart | Answer a cancelled cart as it was. | cart_works
Identifier Pattern | Take no id inside the cart. | tools_fit
+ Actions | Let other changes of a cart pass while an action is outstanding. | RARE
`,
  ),
  listOf(
    'Checkout',
    'checkout/',
    'shopping/checkout/',
    `
Availability | Give continue_url with requires_escalation. | leads_the_buyer_on
Format | Make continue_url an absolute https address. | session_is_whole link_leads_on
Business | Say with requires_escalation what the buyer has to do. | session_is_whole
Business | Send a mail after the order. | MAIL
Business | Answer the same state for the same requests. | is_read_as_answered changes_count
Eligibility Verification at Completion | Complete nothing while a claim is open. | RARE
Eligibility Verification at Completion | Go on where a claim is unknown. | RARE
Eligibility Verification at Completion | Answer a claim that fails by an error message alone. | RARE
disclosure | Mark a warning that must be seen as a disclosure. | TEXT
message_warning.json | Give each warning a text. | session_is_whole
Rendering Contract | Name a total of an unknown type in words. | session_is_whole
Rendering Contract | Have exactly one subtotal. | session_is_whole
Rendering Contract | Have exactly one total. | session_is_whole
Well-Known Types | Write discounts below zero, and charges not below. | session_is_whole
Sub-Lines (lines) | Let the lines of a total add up to it. | session_is_whole
Sub-Lines (lines) | Show in a total what has to be shown. | TEXT
+ Status Values | Name no order while the payment is under way. | session_is_whole
+ Checkout Lifecycle | Say incomplete where an action has to come before the payment. | EXTENSION
+ Accepted completion | Change nothing while the payment is under way. | RARE
Identifier Pattern | Take no id inside the checkout. | tools_fit
Content Types | Answer valid JSON, errors too. | ucp_wrong_content_type ucp_error_body_invalid
Specific Header Requirements | Answer a repeated key as before. | repeats_are_one one_order
Specific Header Requirements | Keep a key for a day, and refuse it with another body by 409. | BYTES
Transport Security | Serve TLS 1.3. | TLS
Conformance | Serve the checkout over MCP with its tools. | ucp_checkout_tools_missing ucp_tools_missing tools_fit
Checkout Functionality | Answer over A2A with the checkout as data. | A2A
The Trust Triangle | Repeat no payment credential. | credential_is_kept
Payment Handlers | Name only ways to pay that fit this cart. | RARE
+ Payment Handlers | Refuse a payment by more than one instrument. | VALID
order_confirmation.json | Name an order in your own words. | TEXT
order.json | Keep the currency in the order. | charged_as_agreed
+ card_payment_instrument.json | Charge a card over the network that was chosen, or not at all. | INSIDE
Prerequisites | Keep to PCI DSS where you see card numbers. | LAW
pan_credential.json | Take no card number in a checkout. | CARD
`,
  ),
  listOf(
    'Delivery',
    'fulfillment/',
    'fulfillment/',
    `
Business Responsibilities | Tell the options of a delivery apart by their titles. | session_is_whole
Business Responsibilities | Make a title enough where there is no description. | TEXT
Business Responsibilities | Write a description that adds to the title. | TEXT
Business Response Behavior | Put all items of a method into one group by default. | TOLERANT
- Adding New Methods | Write a schema for methods of your own. | OWN
+ Location Context | Keep the destination that was chosen, and answer it once. | session_is_whole
+ Business Location Destination | Say the type of a pickup location. | RARE
+ Location Identity | Check a chosen destination anew. | INSIDE
+ Location Identity | Refuse a destination that you cannot take, and never swap it. | bad_address_is_refused
`,
  ),
  listOf(
    'Discounts',
    'discount/',
    'discount/',
    `
Operations | Carry codes from the cart into the checkout. | CODE
Eligibility Claims | Show what a claim changes as a provisional discount. | RARE
`,
  ),
  listOf(
    'Consent',
    'buyer-consent/',
    'buyer-consent/',
    `
+ Data dependencies | Complete nothing while a consent lacks what it needs. | EXTENSION
+ Normative requirements | Name every choice that you support. | EXTENSION
+ Normative requirements | Pass over choices that you did not name, and read nothing into an omission. | EXTENSION
`,
  ),
  listOf(
    'Orders',
    'order/',
    'shopping/order/',
    `
Key Concepts | Keep every line that an order ever had. | order_can_be_read
Operations | Answer the whole order. | order_can_be_read
Authorization | Show an order to who may see it alone. | CALLERS
Guidelines | Name your profile in webhooks. | WEBHOOKS
Guidelines | Send the whole order when it is made. | WEBHOOKS
Guidelines | Send the whole order at each change. | WEBHOOKS
Guidelines | Send again what was not taken. | WEBHOOKS
Conformance | Have the tool get_order. | ucp_tools_missing
`,
  ),
  listOf(
    'Identity linking',
    'identity-linking/',
    'common/identity-linking/',
    `
For Businesses | Link accounts by OAuth 2.0, with UCP’s scopes. | LOGIN
For Businesses | Publish the metadata of the authorization server, with its scopes. | LINKING
Security Considerations | Name one issuer, byte for byte. | LINKING
For Businesses | Return iss with each authorization. | LOGIN
For Businesses | Ask for PKCE by S256, and refuse a code without it. | LOGIN
For Businesses | Take a redirect address only exactly, but for the port of loopback. | LOGIN
For Businesses | Name how clients authenticate, one way of it for native ones. | LINKING
For Businesses | Check each token: issuer, audience, time, scope, client. | LOGIN
For Businesses | Answer 401 with a challenge where a buyer has to sign in. | LOGIN
identity_required | Lead to no ready-made authorization. | LOGIN
insufficient_scope | Answer 403 with all scopes where one is missing. | LOGIN
For Businesses | Let tokens be revoked, and refuse them afterwards. | LOGIN
Scope Token Format | Name scopes in small letters. | LINKING
Security Considerations | Use TLS 1.2 or newer. | TLS
+ For Businesses | List identity providers that you trust, and never yourself. | LINKING
+ For Businesses | Take JWT grants where you list a provider. | LINKING
+ Identity Providers | Check a JWT grant: issuer, audience, signature. | LOGIN
+ Business Token Issuance | Refuse a grant that is not enough by its code. | LOGIN
+ Per-Scope Policy and Metadata | Ask the same of a scope by every path. | LOGIN
+ Security Considerations | Take a grant once, and pass it on to nobody. | LOGIN
`,
  ),
  listOf(
    'AP2 mandates',
    'ap2-mandates/',
    'ap2-mandates/',
    `
Overview | Sign the terms of each checkout where mandates were agreed. | terms_are_signed
Activation and Session Locking | Refuse a payment without a valid mandate. | MANDATE
Signing Key Requirements | Resolve the key of a mandate. | MANDATE
Canonicalization | Canonicalise JSON by RFC 8785. | terms_are_signed
`,
  ),
  listOf(
    'Embedded checkout and cart',
    'embedded-protocol/',
    'embedded-protocol/',
    `
Per-Cart Configuration | Say in the answer that it may be embedded, and what is left to the host. | EMBED
Message Format | Speak JSON-RPC 2.0 with the host as described. | EMBED
Web-Based Hosts | Keep to the channel that was agreed, and check origins. | EMBED
Handshake | Say ready, take an upgrade, and stop after an error. | EMBED
Authentication | Report an error that ends the session as one. | EMBED
Lifecycle | Tell each change with the whole resource, totals last. | EMBED
Content Security Policy (CSP) | Let only the host embed the page. | EMBED
Iframe Sandbox Attributes | Work in a sandbox. | EMBED
Transport & Messaging | Keep the version of the session, and all core messages. | EMBED
ep.cart.ready | Confirm what the host takes over, and do the rest yourself. | EMBED
Binding Requirements | Ask the host for what it took over, and wait. | EMBED
Authentication | Document and check how a host authenticates. | EMBED
Color Scheme | Keep the colours that were asked for. | EMBED
Extension Messages | Name messages of your own by the rules. | OWN
ec.payment.instruments_change_request | Replace what the host answers, do not merge. | EMBED
`,
  ),
  listOf(
    'Payment handlers and tokens',
    'payment-handler-guide/',
    'payment/guide/',
    `
Core Concepts | Write what a handler of your own needs by the guide. | OWN
Prerequisites | Do what a handler asks for before you offer it. | ucp_payment_handler_unusable
Processing Payments | Take each payment once, by a handler that you offer. | ways_to_pay one_order
Security Considerations | Bind a token to the checkout and to who may open it. | PSP
Security Considerations | Guard the place where tokens are opened. | PSP
`,
  ),
  listOf(
    'Payment terms',
    null,
    'payment-terms/',
    `
+ When a Checkout carries terms | Choose one of the terms that you list. | EXTENSION
+ Presenting payment terms | Say in words when each payment is due. | EXTENSION
+ Due dates | Give a due date only where there is one. | EXTENSION
+ Amounts | Let the payments of a term add up, and offer what can pay them. | EXTENSION
+ Amounts | Show what a term costs as a total. | EXTENSION
+ Selecting a payment term | Give each term an id of its own. | EXTENSION
+ Selecting a payment term | Warn where a term was changed, and never swap it. | EXTENSION
+ Disclosures | Keep the disclosures of the accepted term. | EXTENSION
+ Order Payment | Keep the accepted term in the order. | EXTENSION
`,
  ),
  listOf(
    'Split payments',
    null,
    'payment/split-payments/',
    `
+ Overview | Convert each part into the currency of the checkout. | EXTENSION
+ Instrument Processing Model | Charge and report what each instrument pays. | EXTENSION
+ Error Handling | Undo all of a split that fails, and say which part did. | EXTENSION
+ Error Handling | Take each request as a new one. | EXTENSION
+ instrument_group.json | Give a group a maximum that is no less than its minimum. | EXTENSION
`,
  ),
  listOf(
    'Authentication',
    null,
    'payment/authentication/',
    `
+ Runtime Shape | Name the instrument of each challenge, and its https page. | EXTENSION
+ Checkout Lifecycle | Replace or remove a challenge that has ended. | RARE
+ Ready Handshake | Speak with the frame of the challenge as described. | EMBED
+ Blocking Action | Ask for data of the device only where you wait for it. | RARE
+ Security | Load frames only from origins that the handler trusts. | PSP
+ Security | Give the frame nothing of the agent, and return nothing of its data. | EMBED
+ Deadline and Fallback | Give a challenge time enough. | RARE
`,
  ),
  listOf(
    'Loyalty',
    null,
    'loyalty/',
    `
+ Loyalty behavior | List each programme by its own name. | EXTENSION
+ Loyalty behavior | Say whether a membership is verified, and show its id only then. | EXTENSION
+ Loyalty behavior | Say by a message where it cannot be verified. | EXTENSION
+ Monetary loyalty benefits | Show its benefits in the prices, provisional until verified. | EXTENSION
+ Implementation guidelines | Show no id by which a person is known. | EXTENSION
`,
  ),
  listOf(
    'Permalinks',
    null,
    'permalink/',
    `
+ Discovery | Name an https endpoint for permalinks. | link_leads_on
+ Overview | Make no order of a link, and answer no JSON. | link_leads_on
+ Purchasable Item Resolution | Put the item that was meant into the basket. | link_leads_on
+ Item ID Token | Read item ids as they are, or in base64url after a tilde. | link_leads_on
+ Query Processing | Let the path win, and treat what is said twice as unclear. | LINKS
+ Query Processing | Pass nothing secret on. | LINKS
+ continue_to | Check where a link wants to lead, and stay on your site. | ATTACK
+ Redirect Resolution | Answer 303 with the address of the page. | PERMALINK
+ Redirect Resolution | Let it not be stored, and tell no one where the buyer came from. | PERMALINK
`,
  ),
]
