/** Stores that have a part of what agents need, by the faults that take the rest away. */
const NO_CHECKOUT = ['checkout-undeclared', 'checkout-unreachable']
export const NO_UCP = [...NO_CHECKOUT, 'well-known-missing', 'catalog-unreachable']
/** The endpoints in the level's acp.json do not answer either. */
const UNSOLD = [...NO_UCP, 'acp-services-missing']
const PAGES_ALONE = [...UNSOLD, 'feed-missing', 'dark-traffic-untracked']

/**
 * Levels from a store with nothing to one that only lacks a checkout, as broken variants of the
 * reference store: `level-nothing.example`. The top level is the store itself.
 */
export const LEVELS = {
  'level-nothing': [...PAGES_ALONE, 'product-schema-missing', 'organization-missing'],
  'level-pages': PAGES_ALONE,
  'level-feed': UNSOLD,
  'level-catalog': NO_CHECKOUT,
} as const satisfies Record<string, readonly string[]>
