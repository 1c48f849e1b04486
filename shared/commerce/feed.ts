export type FeedKind = 'rss' | 'atom' | 'tsv' | 'csv' | 'shopify' | 'woocommerce'

/** A product in a merchant feed, in Google Merchant Center's attribute names; null where absent. */
export interface FeedItem {
  /** Where it stands in the feed, from 1. */
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
