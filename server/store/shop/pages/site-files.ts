import { cacheable, type Reply, type StoreRequest, text, xml } from '../../http/store-request.ts'
import { pagePath } from '../assortment.ts'
import type { InventoryRequest } from '../inventory.ts'
import { escapeXml } from '../xml-text.ts'

/**
 * `GET /robots.txt` (RFC 9309): everyone may read everything, except the folder whose addresses
 * open checkouts, if the shop has one.
 */
export const robotsReply = ({ origin }: StoreRequest, orders: string | null): Reply =>
  text(
    `User-agent: *\nAllow: /\n${orders === null ? '' : `Disallow: ${orders}/\n`}\nSitemap: ${origin}/sitemap.xml\n`,
    cacheable(300),
  )

/** `GET /sitemap.xml` (sitemaps.org, protocol 0.9): the home page and every product. */
export function sitemapReply({ origin, inventory }: InventoryRequest): Reply {
  const paths = ['/', ...inventory.articles.map(pagePath)]
  const urls = paths.map((path) => `<url><loc>${escapeXml(origin + path)}</loc></url>\n`)
  return xml(
    `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${urls.join('')}</urlset>
`,
    cacheable(300),
  )
}
