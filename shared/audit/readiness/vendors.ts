/** Whose routes there are; the address of a vendor's page ends so. */
export type VendorId =
  | 'chatgpt'
  | 'google'
  | 'microsoft'
  | 'perplexity'
  | 'shop'
  | 'amazon'
  | 'card-networks'

interface Vendor {
  id: VendorId
  name: string
  /** What is to be known of all its routes. */
  note?: string
}

/** In the order in which they are shown. */
export const ROUTE_VENDORS: readonly Vendor[] = [
  { id: 'chatgpt', name: 'ChatGPT' },
  { id: 'google', name: 'Google' },
  {
    id: 'microsoft',
    name: 'Copilot and Bing',
    note: 'What a checkout inside Copilot asks of a store is not on a page of Microsoft’s that we could read; it is said to come with PayPal, Stripe or Shopify: ask yours.',
  },
  {
    id: 'perplexity',
    name: 'Perplexity',
    note: 'Perplexity publishes what its crawlers do. What its program for merchants asks is not on a page that we could read.',
  },
  { id: 'shop', name: 'Shop' },
  {
    id: 'amazon',
    name: 'Amazon',
    note: 'Amazon publishes what its crawler does. What it asks of stores from which its agents buy is not on a page that we could read.',
  },
  { id: 'card-networks', name: 'Card networks' },
]
