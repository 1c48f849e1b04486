import { FEED_KINDS, type FeedKind, type FeedVendor } from '../../../commerce/feed.ts'
import { englishCount } from '../../../web/text/english-count.ts'
import { tableFor, takesFormat, type UploadCause, type UploadState } from './upload.ts'
import type { FeedDestination } from './vendors/destinations.ts'

/** What would be left out of one destination, and why. */
export interface DestinationResult {
  destination: FeedDestination
  /** Its vendor, as it is shown. */
  name: string
  /** The formats that it takes; null where its pages do not say. */
  takes: FeedKind[] | null
  /** The feed is in one of them, or its pages do not say. */
  format_fits: boolean
  /** Its page with the rules, and the day on which that was read. */
  page: string
  read_on: string
  /** What to know before the upload, as sentences. */
  note: string | null
  left_out: number
  /** What it would leave out by an older page of its own; null without one. */
  by_older_page: { page: string; left_out: number } | null
  /** Those that leave products out first, then the most frequent ones. */
  causes: UploadCause[]
}

/** The check of a feed, before it is uploaded. */
export interface UploadResult {
  kind: FeedKind | null
  /** Whose names its rows have. */
  names: FeedVendor | null
  gzip: boolean
  products: number
  /** Products that at least one of the destinations would leave out. */
  left_out: number
  /** Why it could not be read to its end, and what to do; null if it was. */
  problem: string | null
  destinations: DestinationResult[]
}

/** The result of what was counted. */
export function uploadResult(
  feed: { kind: FeedKind | null; gzip: boolean; problem: string | null },
  { rows, names, left_out, destinations }: UploadState,
): UploadResult {
  const { kind, gzip, problem } = feed
  return {
    kind,
    names,
    gzip,
    products: rows,
    left_out,
    problem,
    destinations: destinations.map(({ destination, left_out, left_out_by_older, causes }) => {
      const table = tableFor(destination, names)
      const format = kind === null ? null : takesFormat(destination, names, kind)
      return {
        destination,
        name: table.vendor,
        takes: format === null ? null : [...format.takes],
        format_fits: format?.fits ?? true,
        page: table.page,
        read_on: table.read,
        note: table.note ?? null,
        left_out,
        by_older_page:
          table.older === undefined || left_out_by_older === null
            ? null
            : { page: table.older, left_out: left_out_by_older },
        causes: causes.toSorted(
          (a, b) => Number(b.leaves_out) - Number(a.leaves_out) || b.count - a.count,
        ),
      }
    }),
  }
}

/** Whether all of it was read, and every destination takes all of it. */
export const isReady = ({ problem, destinations }: UploadResult): boolean =>
  problem === null &&
  destinations.every(({ left_out, format_fits }) => left_out === 0 && format_fits)

/** What a feed is: `1,000 products, tab-separated values in the names of Google`. */
export function feedText({ kind, names, gzip, products }: UploadResult): string {
  if (kind === null) return 'not a product feed'
  const whose = names === null ? '' : ` in the names of ${names === 'google' ? 'Google' : 'OpenAI'}`
  const count = `${englishCount(products)} ${products === 1 ? 'product' : 'products'}`
  return `${count}, ${FEED_KINDS[kind]}${whose}${gzip ? ', gzip' : ''}`
}

/** `takes CSV or TSV, and this is RSS 2.0`; null where the format fits. */
export function formatText(result: UploadResult, to: DestinationResult): string | null {
  if (to.format_fits || to.takes === null || result.kind === null) return null
  const takes = to.takes.map((kind) => FEED_KINDS[kind])
  return `${to.name} takes ${takes.join(', ')}. This feed is ${FEED_KINDS[result.kind]}: export it in one of them.`
}

/** What the vendor's older page does not ask for; null where both leave out the same. */
export function olderPageText({ left_out, by_older_page, causes }: DestinationResult) {
  if (by_older_page === null || by_older_page.left_out === left_out) return null
  const fields = causes.filter(({ newer, leaves_out }) => newer && leaves_out)
  return `By its older page, ${by_older_page.page}, ${englishCount(by_older_page.left_out)} would be left out: it does not ask for ${fields.map(({ field }) => field).join(' and ')}.`
}

/** What is wrong, in a few words: `brand is missing`. */
export function causeText({ field, kind }: Pick<UploadCause, 'field' | 'kind'>): string {
  switch (kind) {
    case 'missing':
      return `${field} is missing`
    case 'too_long':
      return `${field} is too long`
    case 'duplicate':
      return 'the id is not unique'
    case 'identifiers':
      return `${field} is needed to identify the product`
    case 'variants':
      return `${field} does not fit its variants`
    case 'eligibility':
      return `${field} contradicts is_eligible_checkout`
    default:
      return `${field} is not valid`
  }
}
