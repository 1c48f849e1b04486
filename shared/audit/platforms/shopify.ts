import {
  CONTRADICTIONS,
  DESCRIPTIONS,
  MANIFEST_FILE,
  ORGANIZATION,
  PRODUCT_MARKUP,
  PRODUCT_NUMBERS,
  ROBOTS,
  SHOP_POLICIES,
  SNIPPET,
} from './gap-groups.ts'
import type { PlatformRemedies } from './remedy.ts'

export const SHOPIFY: PlatformRemedies = [
  {
    gaps: ROBOTS,
    steps:
      'Shopify writes robots.txt itself; a theme changes it in templates/robots.txt.liquid. Open Online Store > Themes > … > Edit code: remove the rules against these agents there, or delete the file to go back to Shopify’s own. If there is no such file, look at the proxy or CDN in front of the store.',
    who: 'developer',
    effort: 'minutes',
    source: 'https://help.shopify.com/en/manual/promoting-marketing/seo/editing-robots-txt',
  },
  {
    gaps: PRODUCT_MARKUP,
    steps:
      'In the section or template of the product page (Online Store > Themes > … > Edit code), print Shopify’s own markup instead of a block that was written by hand: <script type="application/ld+json">{{ product | structured_data }}</script>. It follows prices, stock and images by itself.',
    who: 'developer',
    effort: 'hours',
    source: 'https://shopify.dev/docs/api/liquid/filters/structured_data',
  },
  {
    gaps: CONTRADICTIONS,
    steps:
      'Usually the theme and an app for SEO or reviews both mark up the product. Switch the markup of the app off, or remove the theme’s (Online Store > Themes > … > Edit code), so that only {{ product | structured_data }} is left.',
    who: 'developer',
    effort: 'hours',
    source: 'https://shopify.dev/docs/api/liquid/filters/structured_data',
  },
  {
    gaps: PRODUCT_NUMBERS,
    steps:
      'Products > the product, or one of its variants > Inventory: enter the number in "Barcode (ISBN, UPC, GTIN, etc.)". For many products, use the bulk editor or the column "Variant Barcode" of the product CSV.',
    who: 'merchant',
    effort: 'hours',
    source: 'https://help.shopify.com/en/manual/products/details',
  },
  {
    gaps: ['product_schema_brand_missing'],
    steps:
      'Products > the product > Product organization: fill in Vendor. Shopify’s own markup gives the vendor as the brand; a block that was written by hand has to print product.vendor.',
    who: 'merchant',
    effort: 'hours',
    source: 'https://shopify.dev/docs/api/liquid/filters/structured_data',
  },
  {
    gaps: DESCRIPTIONS,
    steps: 'Products > the product > Description. For many products, export and import the CSV.',
    who: 'merchant',
    effort: 'hours',
    source: 'https://help.shopify.com/en/manual/products/details',
  },
  {
    gaps: SNIPPET,
    steps:
      'Online Store > Themes > … > Edit code > layout/theme.liquid: put the tag once, just before </head>. A custom pixel runs in a sandbox, where the tag does not work.',
    who: 'developer',
    effort: 'minutes',
    source: 'https://shopify.dev/docs/storefronts/themes/architecture/layouts/theme-liquid',
  },
  {
    gaps: MANIFEST_FILE,
    steps:
      'Neither a theme nor an app can serve a file under /.well-known. Shopify publishes an official UCP profile there for stores that take part in its agentic storefronts: see in your admin whether yours does. If the store is behind a proxy of your own, the proxy can serve the file.',
    who: 'merchant',
    effort: 'minutes',
    source: 'https://shopify.dev/docs/agents',
  },
  {
    gaps: ORGANIZATION,
    steps:
      'In layout/theme.liquid or the header’s section (Online Store > Themes > … > Edit code), print one Organization as JSON-LD, with {{ shop.name | json }} and {{ shop.url | json }}; remove blocks of apps that say otherwise.',
    who: 'developer',
    effort: 'hours',
    source: 'https://shopify.dev/docs/api/liquid/objects/shop',
  },
  {
    gaps: ['organization_same_as_invalid'],
    steps:
      'Dawn and the themes made from it put every network of Theme settings > Social media into sameAs, those without a link too. In sections/header.liquid (Online Store > Themes > … > Edit code), print only the links that are not blank.',
    who: 'developer',
    effort: 'minutes',
    source: 'https://github.com/Shopify/dawn/blob/main/sections/header.liquid',
  },
  {
    gaps: SHOP_POLICIES,
    steps:
      'Where the theme prints its Organization as JSON-LD, such as Dawn in sections/header.liquid (Online Store > Themes > … > Edit code), add hasMerchantReturnPolicy and hasShippingService once for the whole store.',
    who: 'developer',
    effort: 'hours',
    source: 'https://developers.google.com/search/docs/appearance/structured-data/return-policy',
  },
]
