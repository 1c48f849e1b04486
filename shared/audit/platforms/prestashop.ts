import { PRODUCT_NUMBERS, ROBOTS } from './gap-groups.ts'
import type { PlatformRemedies } from './remedy.ts'

export const PRESTASHOP: PlatformRemedies = [
  {
    gaps: ROBOTS,
    steps:
      'robots.txt is a file in the root of the shop, which Shop Parameters > Traffic & SEO > Robots file generation writes. Generate it anew to lose rules that were added by hand, or remove these lines from the file.',
    who: 'merchant',
    effort: 'minutes',
    source:
      'https://mypresta.rocks/faq/seo-marketing/prestashop-robots-txt-what-to-block-what-to-allow',
  },
  {
    gaps: PRODUCT_NUMBERS,
    steps:
      'Catalog > Products > the product: fill in the EAN-13, UPC, ISBN or MPN among its references; combinations have their own. For many products, use the fields ean13, upc, isbn and mpn of the webservice or the CSV import.',
    who: 'merchant',
    effort: 'hours',
    source: 'https://devdocs.prestashop-project.org/9/webservice/resources/products',
  },
]
