import { UCP, type UcpVersion } from './versions.ts'

/** Official UCP's names for what stores and agents can do; profiles list them. */
export const CHECKOUT = 'dev.ucp.shopping.checkout'
export const FULFILLMENT = 'dev.ucp.shopping.fulfillment'
export const DISCOUNT = 'dev.ucp.shopping.discount'
export const SEARCH = 'dev.ucp.shopping.catalog.search'
export const LOOKUP = 'dev.ucp.shopping.catalog.lookup'
export const CART = 'dev.ucp.shopping.cart'
export const ORDER = 'dev.ucp.shopping.order'
export const PERMALINK = 'dev.ucp.shopping.permalink'
/** The bank's challenge as an Action. */
export const AUTHENTICATION = 'dev.ucp.common.payment.authentication'

/** A buyer's signed agreement to a checkout (AP2), in the newest version and before. */
const AP2 = 'dev.ucp.common.payment.ap2_mandate'
const AP2_BEFORE = 'dev.ucp.shopping.ap2_mandate'

const EXTENSIONS = [FULFILLMENT, DISCOUNT, AUTHENTICATION, AP2, AP2_BEFORE]

/** Where UCP publishes a version. Schemas have to be there, with the owner of the names. */
export const publishedAt = (version: UcpVersion): string => `https://ucp.dev/${version}`

/** Whether a version has a capability of this name. */
export const hasCapability = (version: UcpVersion, name: string): boolean =>
  UCP.of(version).capabilities.includes(name)

/** The name of AP2's mandates in a version. */
export const ap2MandateIn = (version: UcpVersion): string =>
  hasCapability(version, AP2) ? AP2 : AP2_BEFORE

/** The schema of one of UCP's own capabilities, below the folder of a version. */
export function schemaOf(name: string): string {
  const [folder, ...rest] = name.replace('dev.ucp.', '').split('.')
  return `schemas/${folder}/${rest.join('_')}.json`
}

/** The entry of a capability in a profile; each extension here extends the checkout. */
export function capabilityEntry(version: UcpVersion, name: string) {
  const { pages, parents } = UCP.of(version)
  const isAp2 = name === AP2 || name === AP2_BEFORE
  const page = isAp2
    ? 'ap2-mandates'
    : pages + name.replace('dev.ucp.shopping.', '').replaceAll('.', '/')
  return {
    version,
    spec: `${publishedAt(version)}/specification/${page}`,
    schema: `${publishedAt(version)}/${schemaOf(name)}`,
    ...(EXTENSIONS.includes(name) && { extends: parents === 'one' ? CHECKOUT : [CHECKOUT] }),
  }
}
