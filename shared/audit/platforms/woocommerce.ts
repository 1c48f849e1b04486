import {
  CONTRADICTIONS,
  DESCRIPTIONS,
  MANIFEST_FILE,
  PRODUCT_MARKUP,
  PRODUCT_NUMBERS,
  REFUSALS,
  ROBOTS,
  SNIPPET,
} from './gap-groups.ts'
import type { PlatformRemedies } from './remedy.ts'

export const WOOCOMMERCE: PlatformRemedies = [
  {
    gaps: ROBOTS,
    steps:
      'WordPress writes robots.txt itself, unless a file of that name is in the document root or a plugin for SEO has an editor for it. Look in both for rules against these agents; code of a theme or plugin can add them with the filter robots_txt.',
    who: 'developer',
    effort: 'minutes',
    source: 'https://developer.wordpress.org/reference/hooks/robots_txt/',
  },
  {
    gaps: REFUSALS,
    steps:
      'A security plugin or the firewall of the hosting company refuses them. In Wordfence look under Firewall > Rate Limiting and Blocking; ask the hosting company about rules of its own.',
    who: 'host',
    effort: 'hours',
    source: 'https://www.wordfence.com/help/firewall/',
  },
  {
    gaps: PRODUCT_MARKUP,
    steps:
      'WooCommerce prints Product markup as JSON-LD at the end of product pages. Where it is missing or wrong, the theme replaces the product template without the hook woocommerce_single_product_summary or without wp_footer, or code changes it with the filter woocommerce_structured_data_product. Compare with the theme Storefront.',
    who: 'developer',
    effort: 'hours',
    source: 'https://github.com/woocommerce/woocommerce/wiki/Structured-data-for-products',
  },
  {
    gaps: CONTRADICTIONS,
    steps:
      'WooCommerce and a plugin for SEO both mark up the product. Switch the product markup of the plugin off, or let it replace WooCommerce’s (filter woocommerce_structured_data_product).',
    who: 'developer',
    effort: 'hours',
    source: 'https://github.com/woocommerce/woocommerce/wiki/Structured-data-for-products',
  },
  {
    gaps: PRODUCT_NUMBERS,
    steps:
      'Products > the product > Product data > Inventory: fill in "GTIN, UPC, EAN, or ISBN" (WooCommerce 9.2 or later); each variation has a field of its own under Variations.',
    who: 'merchant',
    effort: 'hours',
    source: 'https://woocommerce.com/document/managing-products/',
  },
  {
    gaps: DESCRIPTIONS,
    steps:
      'Products > the product: fill in the description below the title. For many products, export and import the CSV.',
    who: 'merchant',
    effort: 'hours',
    source: 'https://woocommerce.com/document/managing-products/',
  },
  {
    gaps: SNIPPET,
    steps:
      'Print the tag on the hook wp_head, in a file in wp-content/mu-plugins, so that an update of the theme does not remove it. Remove it from plugins that print it a second time.',
    who: 'developer',
    effort: 'minutes',
    source: 'https://developer.wordpress.org/reference/hooks/wp_head/',
  },
  {
    gaps: MANIFEST_FILE,
    steps:
      'Put the file into the folder .well-known of the document root, with its content type and Cache-Control in the configuration of the web server. Where you cannot, let WordPress serve it from a file in wp-content/mu-plugins.',
    who: 'developer',
    effort: 'hours',
    source: 'https://developer.wordpress.org/advanced-administration/plugins/mu-plugins/',
  },
]
