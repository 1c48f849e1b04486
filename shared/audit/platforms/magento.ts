import { DESCRIPTIONS, MANIFEST_FILE, ROBOTS, SNIPPET } from './gap-groups.ts'
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
      'Add the host of the snippet to script-src in etc/csp_whitelist.xml of a module of yours, and to connect-src as well.',
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
]
