import { PRODUCT_NUMBERS, ROBOTS, SNIPPET } from './gap-groups.ts'
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
]
