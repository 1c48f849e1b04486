import { normaliseDomain } from '../web/domain.ts'
import { field, isRecord } from '../web/json.ts'
import { isSameSite } from '../web/same-site.ts'
import { endpointOf } from './inspect.ts'

/** What a manifest says about a shop that is not the one that serves it. */
interface OtherShop {
  domain: string
  /** The capabilities whose endpoints are there. */
  capabilities: string[]
}

/**
 * The other shop that a manifest of the specification names in its `domain`, as a copied one does.
 * A host of the same shop, such as one for staging, is not another.
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

/** The same manifest without the capabilities whose endpoints are in another shop. */
export function withoutOtherShop(document: unknown, domain: string): unknown {
  const other = otherShopOf(document, domain)
  const capabilities = field(document, 'capabilities')
  if (other === null || !isRecord(document) || !isRecord(capabilities)) return document
  const foreign = new Set(other.capabilities)
  const own = Object.entries(capabilities).filter(([name]) => !foreign.has(name))
  return { ...document, capabilities: Object.fromEntries(own) }
}
