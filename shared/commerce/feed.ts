/**
 * The forms of a product feed that are read: Google's own formats, and what two shop platforms
 * publish.
 */
export type FeedKind = 'rss' | 'atom' | 'tsv' | 'csv' | 'shopify' | 'woocommerce'

/**
 * A product in a merchant feed, in Google Merchant Center's attribute names
 * (https://support.google.com/merchants/answer/7052112) whatever the feed's own; null where absent.
 * Values as written, not validated.
 */
export interface FeedItem {
  /** Position in the feed, from 1: the header of a table does not count. */
  row: number
  id: string | null
  title: string | null
  description: string | null
  link: string | null
  image_link: string | null
  availability: string | null
  /** As written, such as `79.95 AUD`. */
  price: string | null
  /** What the page charges while a sale is on, in the form of `price`. */
  sale_price: string | null
  brand: string | null
  gtin: string | null
  mpn: string | null
}
