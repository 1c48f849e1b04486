import type { Evidence } from '../evidence.ts'
import type { PlatformSeen } from '../result/result.ts'
import { PLATFORM_NAMES, type PlatformSign, SHOP_PLATFORMS } from './signs.ts'

/** The parts of the evidence that may show a platform; what was not gathered is left out. */
interface Shown {
  homePage?: Pick<Evidence['homePage'], 'signs'>
  productPages?: readonly Pick<Evidence['homePage'], 'signs'>[]
  feed?: Pick<Evidence['feed'], 'kind'>
}

/**
 * Which platform made the store, by what the audit has seen anyway; null where nothing shows it, or
 * where two platforms are shown alike: a button of one may stand in the shop of another.
 */
export function recognisePlatform({
  homePage,
  productPages = [],
  feed,
}: Shown): PlatformSeen | null {
  const signs = [homePage, ...productPages].flatMap((page) => page?.signs ?? [])
  const all = new Map([...signs, ...signsOf(feed)].map((each) => [each.sign, each]))
  const [first, second] = SHOP_PLATFORMS.map((id) => ({
    id,
    seen_by: [...all.values()].filter(({ platform }) => platform === id).map(({ sign }) => sign),
  })).sort((a, b) => b.seen_by.length - a.seen_by.length)
  if (first === undefined || first.seen_by.length === (second?.seen_by.length ?? 0)) return null
  return { id: first.id, name: PLATFORM_NAMES[first.id], seen_by: first.seen_by }
}

/** The list of products that only this software publishes. */
function signsOf(feed: Shown['feed']): PlatformSign[] {
  if (feed?.kind === 'shopify') return [{ platform: 'shopify', sign: 'products at /products.json' }]
  if (feed?.kind !== 'woocommerce') return []
  return [{ platform: 'woocommerce', sign: 'products in the WooCommerce Store API' }]
}
