import {
  CONTRADICTIONS,
  DESCRIPTIONS,
  MANIFEST_FILE,
  ORGANIZATION,
  PRODUCT_MARKUP,
  ROBOTS,
  SHOP_POLICIES,
  SNIPPET,
} from './gap-groups.ts'
import type { PlatformRemedies } from './remedy.ts'

export const MAGENTO: PlatformRemedies = [
  {
    gaps: ROBOTS,
    steps:
      'Content > Design > Configuration > Edit in the row of the website > Search Engine Robots: change "Edit custom instruction of robots.txt File", save, and flush the cache. A file robots.txt in pub/ takes its place.',
    who: 'merchant',
    effort: 'minutes',
    source:
      'https://experienceleague.adobe.com/en/docs/commerce-operations/implementation-playbook/best-practices/launch/robots-txt',
  },
  {
    gaps: SNIPPET,
    steps:
      'Content > Design > Configuration > Edit in the row of the store view > HTML Head: put the tag into "Scripts and Style Sheets" once, save, and flush the cache.',
    who: 'merchant',
    effort: 'minutes',
    source:
      'https://experienceleague.adobe.com/en/docs/commerce-admin/content-design/design/page-setup',
  },
  {
    gaps: ['snippet_blocked_by_csp'],
    steps:
      'Add the host of the tag to script-src in etc/csp_whitelist.xml of a module of yours, and to connect-src as well.',
    who: 'developer',
    effort: 'hours',
    source:
      'https://developer.adobe.com/commerce/php/development/security/content-security-policies/',
  },
  {
    gaps: MANIFEST_FILE,
    steps:
      'Put the file into pub/.well-known, as pub/ is the document root, and let the web server send it with its content type and Cache-Control: in nginx with a location of its own before the one that hands everything to PHP.',
    who: 'host',
    effort: 'hours',
    source:
      'https://experienceleague.adobe.com/en/docs/commerce-operations/installation-guide/tutorials/docroot',
  },
  {
    gaps: DESCRIPTIONS,
    steps: 'Catalog > Products > the product > Content > Description.',
    who: 'merchant',
    effort: 'hours',
    source: 'https://experienceleague.adobe.com/en/docs/commerce-admin/catalog/guide-overview',
  },
  {
    gaps: [
      ...PRODUCT_MARKUP.filter((gap) => gap !== 'jsonld_broken'),
      'product_schema_brand_missing',
    ],
    steps:
      'Magento’s own templates mark products up as microdata, without availability and brand and, in many versions, without an image. Add them in copies of the templates in your theme, or let a module print the product as JSON-LD and take itemscope, itemtype and itemprop out of the theme.',
    who: 'developer',
    effort: 'hours',
    source: 'https://developer.adobe.com/commerce/frontend-core/guide/templates/override',
  },
  {
    gaps: ['jsonld_broken'],
    steps:
      'Magento’s own templates print no JSON-LD: a module does, or an include of your theme. Find it by a text of the block, and correct or update it.',
    who: 'developer',
    effort: 'hours',
    source: 'https://developer.adobe.com/commerce/frontend-core/guide/templates/override',
  },
  {
    gaps: CONTRADICTIONS,
    steps:
      'Usually a module prints JSON-LD beside the microdata of the theme. Take itemscope, itemtype and itemprop out of the templates and the layout of your theme, so that only the module speaks.',
    who: 'developer',
    effort: 'hours',
    source: 'https://developer.adobe.com/commerce/frontend-core/guide/templates/override',
  },
  {
    gaps: [...ORGANIZATION, 'organization_same_as_invalid', ...SHOP_POLICIES],
    steps:
      'Content > Design > Configuration > Edit in the row of the store view > HTML Head: put one Organization as JSON-LD into "Scripts and Style Sheets", with hasMerchantReturnPolicy and hasShippingService for the whole store. Save, and flush the cache.',
    who: 'merchant',
    effort: 'minutes',
    source:
      'https://experienceleague.adobe.com/en/docs/commerce-admin/content-design/design/page-setup',
  },
]
