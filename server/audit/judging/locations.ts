import { SaxesParser } from 'saxes'
import { MAX_ADDRESS } from '../../../shared/web/address/uri.ts'

/** Addresses kept of one sitemap; of more, every second, fourth, … so that all parts are there. */
const MAX_LOCATIONS = 2000

/** Addresses with parameters are often written as they are; an entity's name is short. */
const BARE_AMPERSAND = /&(?!(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z]\w{0,30});)/gi

/** A sitemap may have some faults; a text that is not XML has one at every character. */
const MAX_FAULTS = 100

/** The roots of sitemaps and of their indexes. */
const ROOTS = new Set(['urlset', 'sitemapindex'])

/** Thrown by a listener: the parser has no other way to end. */
const ENOUGH = new Error('enough was read')

/** One page, or one sitemap of an index. */
export interface Location {
  url: string
  /**
   * Whether it names a picture:
   * https://developers.google.com/search/docs/crawling-indexing/sitemaps/image-sitemaps
   */
  image: boolean
}

/** The addresses of a sitemap, or of an index of sitemaps. */
export interface Locations {
  locations: Location[]
  /** The same pages in other languages, which may be on other hosts (`xhtml:link`). */
  alternates: string[]
  isIndex: boolean
}

/** Reads text that should be a sitemap. Of a broken one, what can be read counts. */
export function readLocations(text: string): Locations {
  const plain = readList(text)
  if (plain !== null) return { locations: plain, alternates: [], isIndex: false }
  const locations = createSample<Location>()
  const alternates = createSample<string>()
  let root: string | null = null
  let entry: Location | null = null
  let value = ''
  let faults = 0
  const keep = () => {
    if (entry !== null && entry.url !== '') locations.add(entry)
    entry = null
  }
  const parser = new SaxesParser()
  parser.on('opentag', ({ name, attributes }) => {
    const local = localName(name)
    root ??= local
    if (!ROOTS.has(root)) throw ENOUGH
    value = ''
    if (local === 'url' || local === 'sitemap') {
      keep()
      entry = { url: '', image: false }
    } else if (local === 'image') {
      if (entry !== null) entry.image = true
    } else if (local === 'link' && attributes.hreflang !== undefined) {
      const href = String(attributes.href ?? '')
      if (href.length < MAX_ADDRESS) alternates.add(href.trim())
    }
  })
  const take = (chunk: string) => {
    if (value.length < MAX_ADDRESS) value += chunk
  }
  parser.on('text', take)
  // PrestaShop writes its addresses so; nothing is escaped there.
  parser.on('cdata', (chunk) => take(chunk.replaceAll('&amp;', '&')))
  parser.on('closetag', ({ name }) => {
    // Pictures have a `loc` of their own, with a prefix or without: the first one is the page's.
    if (localName(name) === 'loc' && !name.startsWith('image:') && !name.startsWith('video:')) {
      if (entry?.url === '') entry.url = value.trim()
    }
    if (localName(name) === 'url' || localName(name) === 'sitemap') keep()
  })
  parser.on('error', () => {
    faults += 1
    if (faults > MAX_FAULTS) throw ENOUGH
  })
  try {
    parser.write(text.replace(BARE_AMPERSAND, '&amp;'))
  } catch (error) {
    if (error !== ENOUGH) throw error
  }
  keep()
  return {
    locations: locations.all(),
    alternates: alternates.all(),
    isIndex: root === 'sitemapindex',
  }
}

/** A sitemap may be a list of addresses, one a line. Null for any other text. */
function readList(text: string): Location[] | null {
  if (!/^\s{0,20}https?:\/\//.test(text)) return null
  const sample = createSample<Location>()
  for (const [line] of text.matchAll(/^.*$/gm)) {
    const url = line.trim()
    if (url.length < MAX_ADDRESS && /^https?:\/\/\S+$/.test(url)) sample.add({ url, image: false })
  }
  return sample.all()
}

const localName = (name: string): string => name.replace(/^.*:/, '')

/** Keeps an evenly spaced sample of any number of items, in their order. */
function createSample<T>() {
  let kept: T[] = []
  let step = 1
  let count = 0
  return {
    add(value: T) {
      if (count % step === 0) kept.push(value)
      count += 1
      if (kept.length <= MAX_LOCATIONS) return
      kept = kept.filter((_, index) => index % 2 === 0)
      step *= 2
    },
    all: () => kept,
  }
}
