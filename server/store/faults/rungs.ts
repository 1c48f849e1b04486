/** Stores that have a part of what agents need, by the faults that take the rest away. */
const NO_CHECKOUT = ['checkout-undeclared', 'checkout-unreachable']
const NO_UCP = [...NO_CHECKOUT, 'well-known-missing', 'catalog-unreachable']
const PAGES_ALONE = [...NO_UCP, 'feed-missing', 'dark-traffic-untracked']

/**
 * The rungs from a store that has nothing to one that lacks only a checkout, as twins of the
 * reference store: `rung-nothing.example`. Above them is the store itself.
 */
export const RUNGS = {
  'rung-nothing': [...PAGES_ALONE, 'product-schema-missing', 'organization-missing'],
  'rung-pages': PAGES_ALONE,
  'rung-feed': NO_UCP,
  'rung-catalog': NO_CHECKOUT,
} as const satisfies Record<string, readonly string[]>
