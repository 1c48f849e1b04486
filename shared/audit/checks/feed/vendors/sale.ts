import type { RowFault } from '../../../../commerce/feed.ts'
import { toMinor } from '../../../../commerce/product.ts'
import { parseFeedPrice } from '../values.ts'

/** A sale that no vendor shows: dearer than without it, or in other money. */
export function saleFaults(value: (name: string) => string | undefined): RowFault[] {
  const [written, full] = [value('sale_price'), value('price')]
  if (written === undefined || full === undefined) return []
  const [sale, price] = [parseFeedPrice(written), parseFeedPrice(full)]
  if (sale === null || price === null || price.currency === null) return []
  const fault = (expected: string): RowFault[] => [
    { field: 'sale_price', kind: 'sale', value: written, expected },
  ]
  if (sale.currency !== null && sale.currency !== price.currency) {
    return fault(`the currency of price, ${price.currency}`)
  }
  const amounts = [sale, price].map(({ decimal }) => toMinor(decimal, price.currency ?? ''))
  const [low, high] = amounts
  if (low === null || low === undefined || high === null || high === undefined) return []
  // Equal prices are how shop software writes that there is no sale.
  return low > high ? fault('less than price') : []
}
