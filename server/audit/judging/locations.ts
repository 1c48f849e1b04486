import { SaxesParser } from 'saxes'

/** Addresses read from one sitemap, in order. */
const MAX_LOCATIONS = 2000

/** A URL in a sitemap has fewer than 2,048 characters (https://www.sitemaps.org/protocol.html). */
const MAX_LOCATION = 2048

/** A sitemap may have some bare ampersands; what is no XML has a fault at every character. */
const MAX_FAULTS = 100

/** The roots of sitemaps and of their indexes. */
const ROOTS = new Set(['urlset', 'sitemapindex'])

/** Thrown by a listener: the parser has no other way to end. */
const ENOUGH = new Error('enough was read')

/** The addresses of a sitemap, or of an index of sitemaps. */
export interface Locations {
  locations: string[]
  isIndex: boolean
}

/** Reads text that should be a sitemap. Of a broken one, what can be read counts. */
export function readLocations(xml: string): Locations {
  const locations: string[] = []
  let root: string | null = null
  let text = ''
  let faults = 0
  const parser = new SaxesParser()
  parser.on('opentag', ({ name }) => {
    root ??= name.replace(/^.*:/, '')
    if (!ROOTS.has(root)) throw ENOUGH
    text = ''
  })
  parser.on('text', (chunk) => {
    if (text.length < MAX_LOCATION) text += chunk
  })
  parser.on('closetag', ({ name }) => {
    if (name.replace(/^.*:/, '') === 'loc') locations.push(text.trim())
    if (locations.length === MAX_LOCATIONS) throw ENOUGH
  })
  parser.on('error', () => {
    faults += 1
    if (faults > MAX_FAULTS) throw ENOUGH
  })
  try {
    parser.write(xml)
  } catch (error) {
    if (error !== ENOUGH) throw error
  }
  return { locations, isIndex: root === 'sitemapindex' }
}
