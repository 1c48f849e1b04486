import { englishCount } from '../web/text/english-count.ts'

/**
 * The limits for one page. Strangers write pages, so these numbers alone bound the time and memory
 * of a reading; each is several times what pages of real stores have.
 */
export const LIMITS = {
  /** Of the HTML: as much as the server fetches. Pages of stores have 0.1 to 1 million. */
  characters: 2 * 1024 * 1024,
  /**
   * Nested open elements, as many as Blink and WebKit allow
   * (https://github.com/servo/html5ever/issues/788). Deeper ones become children of the deepest.
   */
  html_depth: 512,
  /** Nested levels of one JSON-LD block; real ones have less than ten. */
  json_depth: 64,
  /** Things that the markup describes; a list of 1,000 products with offers has 3,000. */
  nodes: 20_000,
  /** Texts, numbers and nested things, over all nodes: ten per node. */
  values: 200_000,
  /** Of one property of one thing. Shopify's lists of up to 2,048 variants are the longest. */
  values_of_property: 2_500,
  /** Elements used by microdata: items, properties, and targets of `itemref`. */
  microdata_parts: 50_000,
  /** Steps from items to their properties; `itemref` may lead many items to the same elements. */
  microdata_steps: 200_000,
  /** Text of microdata properties, which may lie within each other: twice the page. */
  microdata_characters: 4 * 1024 * 1024,
  /** Products, variants, offers and organizations kept of a page: 1,000 variants. */
  entries: 2_000,
  /** Their text and all other text kept of a page, so that it can be passed on cheaply. */
  entry_characters: 360_000,
  page_characters: 80_000,
  /** Spellings of one name, and entries of `sameAs`; real ones have one or two, and some ten. */
  names: 50,
  profiles: 100,
  /** A Content-Security-Policy in the page; a cut one would say something else. */
  policy_characters: 10_000,
  /** Broken JSON-LD blocks that are described. */
  problems: 50,
} as const

/** The name of each limit for the person whose page exceeds it. */
const REASONS: Record<keyof typeof LIMITS, string> = {
  characters: 'characters',
  html_depth: 'levels of nested elements',
  json_depth: 'levels of nested JSON-LD',
  nodes: 'things in its markup',
  values: 'values in its markup',
  values_of_property: 'values of one property',
  microdata_parts: 'elements of microdata or RDFa',
  microdata_steps: 'references within its microdata',
  microdata_characters: 'characters of microdata',
  entries: 'products and offers',
  entry_characters: 'characters about its products',
  page_characters: 'characters of links, scripts and meta elements',
  names: 'spellings of one name',
  profiles: 'entries of sameAs',
  policy_characters: 'characters of a Content-Security-Policy',
  problems: 'broken JSON-LD blocks',
}

export type Limit = keyof typeof LIMITS

/** What is left for one page, and the first limit that was exceeded. */
export interface Budget {
  /** Takes this much if it is left; if not, nothing is taken and the page is truncated. */
  take(limit: Limit, amount?: number): boolean
  /** Marks that something was left out, for another limit or with its own reason. */
  cut(limit: Limit): void
  /** Why the reading is not complete, as a sentence without its end; null if it is. */
  reason(): string | null
}

export function createBudget(): Budget {
  const used = new Map<Limit, number>()
  let reason: string | null = null
  const cut = (limit: Limit) => {
    reason ??= `it has more than ${englishCount(LIMITS[limit])} ${REASONS[limit]}, which are not all read`
  }
  return {
    take(limit, amount = 1) {
      const sum = (used.get(limit) ?? 0) + amount
      if (sum > LIMITS[limit]) {
        cut(limit)
        return false
      }
      used.set(limit, sum)
      return true
    },
    cut,
    reason: () => reason,
  }
}
