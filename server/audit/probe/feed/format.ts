import type { FeedItem, FeedKind } from '../../../../shared/commerce/feed.ts'

/** What was read of one text, whatever its kind. */
export interface FeedRead {
  /** Null: this is no product feed. */
  kind: FeedKind | null
  /** In the order of the feed, at most `MAX_ITEMS`; those before a fault are kept. */
  items: FeedItem[]
  /** Why the feed could not be read to its end, and where. */
  problem: string | null
}

/** Reads one feed as it arrives. Never throws, whatever the text is. */
export interface FeedReader {
  /** False: enough was read. */
  write(text: string): boolean
  /** `cut`: it was our limit, not the sender, that ended the text here. */
  end(cut: boolean): FeedRead
}

// Unspecified: the first 200 items of a feed are judged; a sample shows what the rest is like.
export const MAX_ITEMS = 200

/** The longest value that Google Merchant Center takes is a description of as many characters. */
const MAX_VALUE = 5000

/** What a reader gives for a text that is no product feed. */
export const notAFeed = (): FeedRead => ({ kind: null, items: [], problem: null })

/** The attributes of an item, in Google Merchant Center's names. */
export type Attribute = Exclude<keyof FeedItem, 'row'>

/** An item from its values, trimmed; an empty value is an absent one. */
export function toItem(row: number, read: (attribute: Attribute) => string | undefined): FeedItem {
  const value = (attribute: Attribute) => read(attribute)?.trim().slice(0, MAX_VALUE) || null
  return {
    row,
    id: value('id'),
    title: value('title'),
    description: value('description'),
    link: value('link'),
    image_link: value('image_link'),
    availability: value('availability'),
    price: value('price'),
    sale_price: value('sale_price'),
    brand: value('brand'),
    gtin: value('gtin'),
    mpn: value('mpn'),
  }
}
