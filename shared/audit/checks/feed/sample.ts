import type { FeedItem } from '../../../commerce/feed.ts'

/** Products from all over a feed: plain data, of bounded size however long the feed is. */
export interface FeedSample {
  /** As many are asked for; up to twice as many are kept. */
  most: number
  /** One row is kept of this number of rows. */
  every: number
  items: FeedItem[]
}

export const emptySample = (most: number): FeedSample => ({ most, every: 1, items: [] })

/** Keeps a row, from 1, where its place is one of the sample's: `make` is called for it alone. */
export function sampleRow(sample: FeedSample, row: number, make: () => FeedItem): void {
  if (sample.most === 0 || (row - 1) % sample.every !== 0) return
  sample.items.push(make())
  if (sample.items.length < 2 * sample.most) return
  sample.items = sample.items.filter((_, n) => n % 2 === 0)
  sample.every *= 2
}

/** The sample of a whole feed, evenly spread: the same for the same feed. */
export function spreadSample({ most, items }: FeedSample): FeedItem[] {
  if (items.length <= most) return [...items]
  return Array.from(
    { length: most },
    (_, n) => items[Math.floor((n * items.length) / most)],
  ).filter((item) => item !== undefined)
}
