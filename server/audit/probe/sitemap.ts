import { SaxesParser } from 'saxes'
import type { Fetched } from '../../../shared/web/fetched.ts'
import { presenceOf } from '../../../shared/web/presence.ts'
import { BODY_CAPS } from './fetch/request.ts'
import type { FetchSession } from './fetch/session.ts'

/** Addresses read from one sitemap, in order. */
const MAX_LOCATIONS = 2000

/**
 * Addresses from the site's sitemap: the first that robots.txt names, or `/sitemap.xml`. From an
 * index, the sitemap that is named after products, else the first, is read as well.
 */
export async function probeSitemap(
  session: FetchSession,
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

/**
 * The addresses of a sitemap or an index, read as they arrive: sitemaps have up to 50 MB
 * (https://www.sitemaps.org/protocol.html), and the first addresses are enough.
 */
async function readSitemap(
  session: FetchSession,
  url: string,
): Promise<{ locations: string[]; isIndex: boolean }> {
  const locations: string[] = []
  let isIndex = false
  let text = ''
  const parser = new SaxesParser()
  parser.on('opentag', ({ name }) => {
    if (name === 'sitemapindex') isIndex = true
    text = ''
  })
  parser.on('text', (chunk) => {
    // A URL in a sitemap has fewer than 2,048 characters (https://www.sitemaps.org/protocol.html).
    if (text.length < 2048) text += chunk
  })
  parser.on('closetag', ({ name }) => {
    if (name === 'loc' && locations.length < MAX_LOCATIONS) locations.push(text.trim())
  })
  // Of a broken sitemap, what was read before the error is used.
  parser.on('error', () => {})
  await session.request({
    url,
    maxBytes: BODY_CAPS.page,
    read: (chunk) => {
      parser.write(chunk)
      return locations.length < MAX_LOCATIONS
    },
  })
  return { locations, isIndex }
}
