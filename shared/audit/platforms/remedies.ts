import { BIGCOMMERCE } from './bigcommerce.ts'
import { MAGENTO } from './magento.ts'
import { PRESTASHOP } from './prestashop.ts'
import type { RemediesByPlatform, Remedy } from './remedy.ts'
import { SHOPIFY } from './shopify.ts'
import { PLATFORM_NAMES, SHOP_PLATFORMS, type ShopPlatform } from './signs.ts'
import { WOOCOMMERCE } from './woocommerce.ts'

/**
 * What to do on each platform, only where that is known: elsewhere the rule's own `fix` has to do.
 * Efforts are for one shop, by someone who knows the place.
 */
export const REMEDIES: RemediesByPlatform = {
  shopify: SHOPIFY,
  woocommerce: WOOCOMMERCE,
  magento: MAGENTO,
  prestashop: PRESTASHOP,
  bigcommerce: BIGCOMMERCE,
}

/**
 * What to do about a gap on this platform; null where nothing is known beyond the rule's own words.
 */
export function findRemedy(platform: ShopPlatform, gap: string): Remedy | null {
  return REMEDIES[platform].find(({ gaps }) => gaps.some((each) => each === gap)) ?? null
}

/** The same for a gap on all platforms that have one. */
export const remediesOf = (gap: string): { name: string; remedy: Remedy }[] =>
  SHOP_PLATFORMS.flatMap((platform) => {
    const remedy = findRemedy(platform, gap)
    return remedy === null ? [] : [{ name: PLATFORM_NAMES[platform], remedy }]
  })
