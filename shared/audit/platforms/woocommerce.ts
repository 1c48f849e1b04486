import {
  CONTRADICTIONS,
  DESCRIPTIONS,
  MANIFEST_FILE,
  ORGANIZATION,
  PRODUCT_MARKUP,
  PRODUCT_NUMBERS,
  REFUSALS,
  ROBOTS,
  SHOP_POLICIES,
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
    gaps: ['product_schema_incomplete'],
    steps:
      'Products > the product: give it a title and a product image. WooCommerce writes both into its markup. Where a product has both, code of the theme or a plugin changes the markup with the filter woocommerce_structured_data_product.',
    who: 'merchant',
    effort: 'minutes',
    source: 'https://woocommerce.com/document/managing-products/',
  },
  {
    gaps: PRODUCT_MARKUP.filter((gap) => gap !== 'product_schema_incomplete'),
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
  {
    gaps: ['product_schema_aggregate_offer_only'],
    steps:
      'WooCommerce prints a range where the variations of a product differ in price. Print one Offer for each variation with the filter woocommerce_structured_data_product, or let a plugin for SEO do it that knows variations.',
    who: 'developer',
    effort: 'hours',
    source: 'https://github.com/woocommerce/woocommerce/wiki/Structured-data-for-products',
  },
  {
    gaps: ['product_schema_brand_missing'],
    steps:
      'Products > the product > Brands: choose its brand (WooCommerce 9.6 or later). WooCommerce’s own markup names the first one.',
    who: 'merchant',
    effort: 'hours',
    source:
      'https://github.com/woocommerce/woocommerce/blob/trunk/plugins/woocommerce/includes/class-wc-brands.php',
  },
  {
    gaps: [...ORGANIZATION, 'organization_same_as_invalid'],
    steps:
      'WooCommerce prints no Organization. A plugin for SEO does from its settings, such as Yoast SEO > Settings > Site representation; without one, print it as JSON-LD on the hook wp_head.',
    who: 'merchant',
    effort: 'minutes',
    source: 'https://yoast.com/help/yoast-seo-settings-site-representation/',
  },
  {
    gaps: SHOP_POLICIES,
    steps:
      'Print one Organization as JSON-LD on the hook wp_head, with hasMerchantReturnPolicy and hasShippingService for the whole store. Where a plugin for SEO prints it, add them with its filter, such as wpseo_schema_organization of Yoast SEO.',
    who: 'developer',
    effort: 'hours',
    source: 'https://developer.yoast.com/features/schema/api/',
  },
]
