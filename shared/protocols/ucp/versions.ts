import { isAfter, isVersionDate, versionsOf } from '../versions.ts'

/**
 * A version of official UCP: all that differs between versions is here, and asked for here (UCP
 * source/schemas at the tag of each version).
 */
interface UcpRelease<Version = string, Status = string> {
  version: Version
  /** Agents in general still speak it. */
  isSpoken: boolean
  /** Audits ask stores in it, with a profile of our own. */
  isAsked: boolean
  /** The reference store sells in it. */
  isServed: boolean
  /** The walk buys in it. */
  isWalked: boolean
  /** Google documents native checkout for it (…/merchant/ucp/implementation). */
  isOnGoogle: boolean
  /** Webhooks to Google may be signed by a secret of Google's instead of a key. */
  hasGoogleSecret: boolean
  /** A profile's registries: lists of entries with their names, or maps from names to lists. */
  registries: 'lists' | 'maps'
  /** The field of a profile that has the keys. */
  keys: 'signing_keys' | 'keys'
  /** A key's members have to fit its type, and must not be private. */
  checksKeys: boolean
  /** `hosts`: names may have hyphens and labels that begin with a digit, as hosts do. */
  names: 'letters' | 'hosts'
  /** A capability has to name its schema. */
  needsSchema: boolean
  /** `extends` is one name, or a list of alternatives as well. */
  parents: 'one' | 'many'
  /** What a handler may say of the instruments that it takes. */
  constraints: 'none' | 'any' | 'defined'
  /** An embedded checkout may state its colour schemes. */
  hasColours: boolean
  /** `positive`: the total is what is left without them. */
  discounts: 'positive' | 'negative'
  /** An update repeats the id of the checkout in its body. */
  repeatsId: boolean
  /** The members of `ucp` in addition to its registries. */
  envelope: 'none' | 'status' | 'order'
  /** `supported_versions` may lead to profiles of other versions. */
  leadsOn: boolean
  /** `spec` has to be on a host of the name's owner; else it only has to be https. */
  bindsSpec: boolean
  /** UCP's own entries may be of another version than the profile. */
  mixesVersions: boolean
  /** There are catalogs and carts, and orders can be read. */
  hasCatalog: boolean
  /** The folder of the pages about shopping, below the specification. */
  pages: '' | 'shopping/'
  /** The states of a checkout. */
  statuses: readonly Status[]
  /** An update leaves what it does not name; else it replaces everything. */
  keepsAbsent: boolean
  /** A destination says its type. */
  typesDestinations: boolean
  /** The names of UCP's own capabilities. */
  capabilities: readonly string[]
  /** The names of its services, with their schemas below the folder of the version. */
  services: Readonly<Record<string, readonly string[]>>
}

const bindings = (folder: string, ...files: string[]) =>
  files.map((file) => `services/${folder}/${file}.json`)

/** The service that leads to a checkout; others, such as loyalty, do not. */
export const SHOPPING = 'dev.ucp.shopping'

const FIRST = {
  version: '2026-01-11',
  isSpoken: false,
  isAsked: false,
  isServed: false,
  isWalked: false,
  isOnGoogle: false,
  hasGoogleSecret: false,
  registries: 'lists',
  keys: 'signing_keys',
  checksKeys: false,
  names: 'letters',
  needsSchema: false,
  parents: 'one',
  constraints: 'none',
  hasColours: false,
  discounts: 'positive',
  repeatsId: true,
  envelope: 'none',
  leadsOn: false,
  bindsSpec: true,
  mixesVersions: true,
  hasCatalog: false,
  pages: '',
  statuses: [
    'incomplete',
    'requires_escalation',
    'ready_for_complete',
    'complete_in_progress',
    'completed',
    'canceled',
  ],
  keepsAbsent: true,
  typesDestinations: false,
  capabilities: [
    'dev.ucp.shopping.checkout',
    'dev.ucp.shopping.order',
    'dev.ucp.shopping.fulfillment',
    'dev.ucp.shopping.discount',
    'dev.ucp.shopping.buyer_consent',
    'dev.ucp.shopping.ap2_mandate',
    'dev.ucp.common.identity_linking',
  ],
  // The first two versions also have the names of their sources.
  services: {
    [SHOPPING]: bindings(
      'shopping',
      'rest.openapi',
      'mcp.openrpc',
      'embedded.openrpc',
      'permalink.openapi',
      'openapi',
      'openrpc',
      'embedded',
    ),
  },
} as const satisfies UcpRelease

const MAPS = {
  ...FIRST,
  version: '2026-01-23',
  // Google documents it, and Shopify's client negotiates from it on.
  isSpoken: true,
  isAsked: true,
  isWalked: true,
  isOnGoogle: true,
  hasGoogleSecret: true,
  registries: 'maps',
} as const satisfies UcpRelease

const CATALOGS = {
  ...MAPS,
  version: '2026-04-08',
  isServed: true,
  hasGoogleSecret: false,
  parents: 'many',
  constraints: 'any',
  hasColours: true,
  discounts: 'negative',
  repeatsId: false,
  envelope: 'status',
  leadsOn: true,
  hasCatalog: true,
  capabilities: [
    ...MAPS.capabilities,
    'dev.ucp.shopping.cart',
    'dev.ucp.shopping.catalog.search',
    'dev.ucp.shopping.catalog.lookup',
  ],
} as const satisfies UcpRelease

const COMMON = {
  ...CATALOGS,
  version: '2026-08-25',
  isOnGoogle: false,
  keys: 'keys',
  checksKeys: true,
  names: 'hosts',
  needsSchema: true,
  constraints: 'defined',
  envelope: 'order',
  bindsSpec: false,
  mixesVersions: false,
  pages: 'shopping/',
  keepsAbsent: false,
  typesDestinations: true,
  // The text before the release had payment in `shopping`: both names are in use.
  capabilities: [
    ...CATALOGS.capabilities,
    'dev.ucp.common.loyalty',
    'dev.ucp.shopping.permalink',
    'dev.ucp.shopping.payment_authentication',
    'dev.ucp.shopping.payment_terms',
    'dev.ucp.shopping.split_payments',
    'dev.ucp.common.payment.authentication',
    'dev.ucp.common.payment.terms',
    'dev.ucp.common.payment.split_payments',
    'dev.ucp.common.payment.ap2_mandate',
    'dev.ucp.common.location.search',
    'dev.ucp.common.location.lookup',
  ],
  services: {
    ...CATALOGS.services,
    'dev.ucp.common': bindings('common', 'rest.openapi', 'mcp.openrpc', 'embedded.openrpc'),
  },
} as const satisfies UcpRelease

/** The published versions of official UCP, oldest first. */
const RELEASES = [FIRST, MAPS, CATALOGS, COMMON] as const
type Release = (typeof RELEASES)[number]

export type UcpVersion = Release['version']
/** A state of a checkout, in any version. */
export type UcpStatus = Release['statuses'][number]

/** `ucp.version` of a profile names one of these. */
export const UCP = versionsOf<UcpRelease<UcpVersion, UcpStatus>>(RELEASES)

export const isAskedUcp = (value: unknown): value is UcpVersion =>
  UCP.isKnown(value) && UCP.of(value).isAsked

/** The version of Google's reference for its payment handler; the one before had other names. */
export const GOOGLE_PAY_VERSION = '2026-01-23'

const SHOP_PAY_SINCE = '2026-01-23'

/** Whether a version of Shop Pay's handler is one whose config is known. */
export const isKnownShopPay = (version: unknown): boolean =>
  isVersionDate(version) && !isAfter(SHOP_PAY_SINCE, version) && !UCP.isNewer(version)
