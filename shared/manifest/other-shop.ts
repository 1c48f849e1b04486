import { normaliseDomain } from '../web/address/domain.ts'
import { isSameSite } from '../web/address/same-site.ts'
import { field, isRecord } from '../web/json/json.ts'
import { endpointOf } from './inspect.ts'

/** The parts of a manifest that name another shop than the one that serves it. */
interface OtherShop {
  domain: string
  /** The capabilities whose endpoints are at the other shop. */
  capabilities: string[]
}

/**
 * The other shop in the `domain` of a manifest of the specification: the manifest is a copy.
 * Another host of the same shop, such as staging, does not count.
 */
export function otherShopOf(document: unknown, domain: string): OtherShop | null {
  const said = field(document, 'domain')
  const read = typeof said === 'string' ? normaliseDomain(said) : null
  if (read === null || !('domain' in read) || isSameSite(read.domain, domain)) return null
  const capabilities = field(document, 'capabilities')
  const names = isRecord(capabilities) ? Object.keys(capabilities) : []
  const isThere = (name: string): boolean => {
    const endpoint = endpointOf(document, name)
    const host = endpoint === null ? null : new URL(endpoint).hostname
    return host !== null && isSameSite(host, read.domain) && !isSameSite(host, domain)
  }
  return { domain: read.domain, capabilities: names.filter(isThere) }
}

/** The same manifest without the capabilities whose endpoints are at the other shop. */
export function withoutOtherShop(document: unknown, domain: string): unknown {
  const other = otherShopOf(document, domain)
  const capabilities = field(document, 'capabilities')
  if (other === null || !isRecord(document) || !isRecord(capabilities)) return document
  const foreign = new Set(other.capabilities)
  const own = Object.entries(capabilities).filter(([name]) => !foreign.has(name))
  return { ...document, capabilities: Object.fromEntries(own) }
}
