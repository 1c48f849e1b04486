import { expect, test } from 'vitest'
import { ARTICLES } from '../../shop/assortment.ts'
import { inventoryOf } from '../../shop/inventory.ts'
import { fillBasket } from './basket.ts'

test('two lines of one product share its stock', () => {
  const stocked = inventoryOf(ARTICLES, new Map([['ao-1412', 5]]))
  const fill = (...pieces: number[]) =>
    fillBasket(
      pieces.map((quantity) => ({ product_id: 'ao-1412', quantity })),
      stocked,
    )
  expect(fill(2, 3)).toHaveLength(2)
  expect(fill(3, 3)).toMatchObject({ code: 'out_of_stock', items: ['ao-1412'] })
})
