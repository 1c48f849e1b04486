import {
  ORGANIZATION,
  PRODUCT_MARKUP,
  PRODUCT_NUMBERS,
  ROBOTS,
  SHOP_POLICIES,
  SNIPPET,
} from './gap-groups.ts'
import type { PlatformRemedies } from './remedy.ts'

export const BIGCOMMERCE: PlatformRemedies = [
  {
    gaps: ROBOTS,
    steps:
      'Store settings > Website: change the text of the search engine robots file, and remove the rules against these agents.',
    who: 'merchant',
    effort: 'minutes',
    source: 'https://support.bigcommerce.com/articles/Public/Understanding-the-Robots-txt-File',
  },
  {
    gaps: SNIPPET,
    steps:
      'Storefront > Script Manager > Create a Script: paste the tag, with the location Header and all store pages, once.',
    who: 'merchant',
    effort: 'minutes',
    source: 'https://support.bigcommerce.com/articles/Public/Using-Script-Manager',
  },
  {
    gaps: [...PRODUCT_NUMBERS, 'product_schema_brand_missing'],
    steps:
      'Products > the product > Product Identifiers: fill in GTIN, or Brand and MPN; variants have their own. For many products, use the CSV import.',
    who: 'merchant',
    effort: 'hours',
    source: 'https://support.bigcommerce.com/articles/Public/Product-Identifiers',
  },
  {
    gaps: PRODUCT_MARKUP,
    steps:
      'Storefront > Themes > Advanced > Edit Theme Files: templates/components/products/schema.html prints the markup. Where prices differ, Cornerstone prints minPrice and maxPrice, which an Offer does not have: print one Offer with its price for each variant.',
    who: 'developer',
    effort: 'hours',
    source:
      'https://github.com/bigcommerce/cornerstone/blob/master/templates/components/products/schema.html',
  },
  {
    gaps: [...ORGANIZATION, 'organization_same_as_invalid', ...SHOP_POLICIES],
    steps:
      'Storefront > Script Manager > Create a Script: paste one Organization as JSON-LD, with hasMerchantReturnPolicy and hasShippingService for the whole store, with the location Header and all store pages, as an essential script.',
    who: 'merchant',
    effort: 'minutes',
    source: 'https://support.bigcommerce.com/articles/Public/Using-Script-Manager',
  },
]
