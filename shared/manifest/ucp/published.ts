import { LATEST_UCP_VERSION, UCP_VERSIONS, type UcpVersion } from '../dialect.ts'

/** A name that UCP has published. */
interface PublishedName {
  /** The versions that have it, including the text before the release of 2026-08-25. */
  versions: readonly UcpVersion[]
  /** Its schema, below the folder of its version; the newest comes first. */
  schemas: readonly string[]
}

/** The service that leads to a checkout; others, such as loyalty, do not. */
export const SHOPPING = 'dev.ucp.shopping'

/** The first version that has catalog capabilities, and carts. */
export const CATALOG_SINCE = '2026-04-08' satisfies UcpVersion

const since = (first: UcpVersion): readonly UcpVersion[] =>
  UCP_VERSIONS.filter((version) => version >= first)
const all = since('2026-01-11')
const late = since(CATALOG_SINCE)
const latest = since(LATEST_UCP_VERSION)

const shopping = (...files: string[]) => files.map((file) => `schemas/shopping/${file}.json`)
const common = (...files: string[]) => files.map((file) => `schemas/common/${file}.json`)

/**
 * Every capability (UCP source/schemas at the tags 2026-01-11, 2026-01-23 and 2026-04-08, the text
 * before the release of 2026-08-25, and that release). The release moved payment from `shopping` to
 * `common`: both names are in use.
 */
export const CAPABILITY_NAMES: Readonly<Record<string, PublishedName>> = {
  'dev.ucp.shopping.checkout': { versions: all, schemas: shopping('checkout') },
  'dev.ucp.shopping.order': { versions: all, schemas: shopping('order') },
  'dev.ucp.shopping.fulfillment': { versions: all, schemas: shopping('fulfillment') },
  'dev.ucp.shopping.discount': { versions: all, schemas: shopping('discount') },
  'dev.ucp.shopping.buyer_consent': { versions: all, schemas: shopping('buyer_consent') },
  'dev.ucp.shopping.ap2_mandate': { versions: all, schemas: shopping('ap2_mandate') },
  'dev.ucp.shopping.cart': { versions: late, schemas: shopping('cart') },
  'dev.ucp.shopping.catalog.search': { versions: late, schemas: shopping('catalog_search') },
  'dev.ucp.shopping.catalog.lookup': { versions: late, schemas: shopping('catalog_lookup') },
  'dev.ucp.common.identity_linking': { versions: all, schemas: common('identity_linking') },
  'dev.ucp.common.loyalty': { versions: latest, schemas: common('loyalty') },
  'dev.ucp.shopping.permalink': { versions: latest, schemas: shopping('permalink') },
  'dev.ucp.shopping.payment_authentication': {
    versions: latest,
    schemas: shopping('payment_authentication'),
  },
  'dev.ucp.shopping.payment_terms': { versions: latest, schemas: shopping('payment_terms') },
  'dev.ucp.shopping.split_payments': { versions: latest, schemas: shopping('split_payments') },
  'dev.ucp.common.payment.authentication': {
    versions: latest,
    schemas: common('payment_authentication'),
  },
  'dev.ucp.common.payment.terms': { versions: latest, schemas: common('payment_terms') },
  'dev.ucp.common.payment.split_payments': {
    versions: latest,
    schemas: common('payment_split_payments'),
  },
  'dev.ucp.common.payment.ap2_mandate': {
    versions: latest,
    schemas: common('payment_ap2_mandate'),
  },
  'dev.ucp.common.location.search': { versions: latest, schemas: common('location_search') },
  'dev.ucp.common.location.lookup': { versions: latest, schemas: common('location_lookup') },
}

const bindings = (folder: string, ...files: string[]) =>
  files.map((file) => `services/${folder}/${file}.json`)

/** Every service. The first two versions also have the names of their sources. */
export const SERVICE_NAMES: Readonly<Record<string, PublishedName>> = {
  [SHOPPING]: {
    versions: all,
    schemas: bindings(
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
  'dev.ucp.common': {
    versions: latest,
    schemas: bindings('common', 'rest.openapi', 'mcp.openrpc', 'embedded.openrpc'),
  },
}
