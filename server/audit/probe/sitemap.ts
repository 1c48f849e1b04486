import type { Fetched } from '../../../shared/web/fetched.ts'
import { presenceOf } from '../../../shared/web/presence.ts'
import type { Locations } from '../judging/locations.ts'
import { BODY_CAPS } from './fetch/request.ts'
import { type AuditSession, requestRead } from './session.ts'

/**
 * Addresses from the site's sitemap: the first that robots.txt names, or `/sitemap.xml`. From an
 * index, the sitemap that is named after products, else the first, is read as well.
 */
export async function probeSitemap(
  session: AuditSession,
  domain: string,
  robots: Fetched,
): Promise<string[]> {
  const url = sitemapIn(robots) ?? `https://${domain}/sitemap.xml`
  const { locations, isIndex } = await readSitemap(session, url)
  if (!isIndex) return locations
  const child = locations.find((location) => /product/i.test(location)) ?? locations[0]
  return child === undefined ? [] : (await readSitemap(session, child)).locations
}

/** The first `Sitemap:` line of robots.txt (https://www.sitemaps.org/protocol.html). */
function sitemapIn(robots: Fetched): string | undefined {
  const presence = presenceOf(robots)
  if (presence.is !== 'present') return undefined
  return /^[ \t]*sitemap:[ \t]*(https?:\/\/\S{1,2000})/im.exec(presence.answer.body)?.[1]
}

/** The addresses of a sitemap or an index: the first are enough, and sitemaps have up to 50 MB. */
async function readSitemap(session: AuditSession, url: string): Promise<Locations> {
  const { read } = await requestRead(session, { url, maxBytes: BODY_CAPS.page }, 'locations')
  return read ?? { locations: [], isIndex: false }
}
