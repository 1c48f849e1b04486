/** Stores that have a part of what agents need, by the faults that take the rest away. */
const NO_CHECKOUT = ['checkout-undeclared', 'checkout-unreachable']
export const NO_UCP = [...NO_CHECKOUT, 'well-known-missing', 'catalog-unreachable']
/** Nothing answers where the rung's acp.json says either. */
const UNSOLD = [...NO_UCP, 'acp-services-missing']
const PAGES_ALONE = [...UNSOLD, 'feed-missing', 'dark-traffic-untracked']

/**
 * The rungs from a store that has nothing to one that lacks only a checkout, as twins of the
 * reference store: `rung-nothing.example`. Above them is the store itself.
 */
export const RUNGS = {
  'rung-nothing': [...PAGES_ALONE, 'product-schema-missing', 'organization-missing'],
  'rung-pages': PAGES_ALONE,
  'rung-feed': UNSOLD,
  'rung-catalog': NO_CHECKOUT,
} as const satisfies Record<string, readonly string[]>
