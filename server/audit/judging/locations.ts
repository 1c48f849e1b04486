import { SaxesParser } from 'saxes'

/** Addresses read from one sitemap, in order. */
const MAX_LOCATIONS = 2000

/** A URL in a sitemap has fewer than 2,048 characters (https://www.sitemaps.org/protocol.html). */
const MAX_LOCATION = 2048

/** Characters that the parser is given at once: it cannot be halted within a piece. */
const PIECE = 16_384

/** The addresses of a sitemap, or of an index of sitemaps. */
export interface Locations {
  locations: string[]
  isIndex: boolean
}

/** Reads text that should be a sitemap. Of a broken one, what stands before the fault counts. */
export function readLocations(xml: string): Locations {
  const locations: string[] = []
  let isIndex = false
  let text = ''
  const parser = new SaxesParser()
  parser.on('opentag', ({ name }) => {
    if (name === 'sitemapindex') isIndex = true
    text = ''
  })
  parser.on('text', (chunk) => {
    if (text.length < MAX_LOCATION) text += chunk
  })
  parser.on('closetag', ({ name }) => {
    if (name === 'loc' && locations.length < MAX_LOCATIONS) locations.push(text.trim())
  })
  parser.on('error', () => {})
  for (let at = 0; at < xml.length && locations.length < MAX_LOCATIONS; at += PIECE) {
    parser.write(xml.slice(at, at + PIECE))
  }
  return { locations, isIndex }
}
