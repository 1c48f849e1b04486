import {
  CONTRADICTIONS,
  ORGANIZATION,
  PRODUCT_MARKUP,
  PRODUCT_NUMBERS,
  ROBOTS,
  SHOP_POLICIES,
} from './gap-groups.ts'
import type { PlatformRemedies } from './remedy.ts'

export const PRESTASHOP: PlatformRemedies = [
  {
    gaps: ROBOTS,
    steps:
      'robots.txt is a file in the root of the store, which Shop Parameters > Traffic & SEO > Robots file generation writes. Generate it anew to lose rules that were added by hand, or remove these lines from the file.',
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
  {
    gaps: PRODUCT_MARKUP,
    steps:
      'Classic and Hummingbird print the markup of a product in templates/_partials/microdata/product-jsonld.tpl. Compare the file of your theme with theirs, and change it in a child theme, so that an update keeps the change.',
    who: 'developer',
    effort: 'hours',
    source: 'https://devdocs.prestashop-project.org/9/themes/create-a-theme/child-theme/',
  },
  {
    gaps: CONTRADICTIONS,
    steps:
      'Usually the theme and a module for SEO both mark up the product. Switch the markup of the module off, or leave out product-jsonld.tpl in a child theme.',
    who: 'developer',
    effort: 'hours',
    source: 'https://devdocs.prestashop-project.org/9/themes/create-a-theme/child-theme/',
  },
  {
    gaps: [...ORGANIZATION, 'organization_same_as_invalid', ...SHOP_POLICIES],
    steps:
      'Classic and Hummingbird print the Organization in templates/_partials/microdata/head-jsonld.tpl, with the name and the logo of the store. Change the file in a child theme, and add hasMerchantReturnPolicy and hasShippingService there for the whole store.',
    who: 'developer',
    effort: 'hours',
    source: 'https://devdocs.prestashop-project.org/9/themes/create-a-theme/child-theme/',
  },
]
