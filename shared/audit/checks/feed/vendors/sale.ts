import type { RowFault } from '../../../../commerce/feed.ts'
import { readFeedPrice } from '../../../../commerce/feed-price.ts'
import { isSameAmount } from '../../../../commerce/price-text.ts'

/** A sale that no vendor shows: dearer than without it, or in other money. */
export function saleFaults(value: (name: string) => string | undefined): RowFault[] {
  const [written, full] = [value('sale_price'), value('price')]
  if (written === undefined || full === undefined) return []
  const [sale, price] = [readFeedPrice(written), readFeedPrice(full)]
  const { currency } = price
  if (sale.decimals.length === 0 || price.decimals.length === 0 || currency === null) return []
  const fault = (expected: string): RowFault[] => [
    { field: 'sale_price', kind: 'sale', value: written, expected },
  ]
  if (sale.currency !== null && sale.currency !== currency) {
    return fault(`the currency of price, ${currency}`)
  }
  // Equal prices are how shop software writes that there is no sale. Where an amount may be read in
  // two ways, neither may be less.
  const isDearer = (one: string, other: string) =>
    Number(one) > Number(other) && !isSameAmount(one, other, currency)
  return sale.decimals.every((one) => price.decimals.every((other) => isDearer(one, other)))
    ? fault('less than price')
    : []
}
