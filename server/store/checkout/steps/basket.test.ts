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

test('99 of a product is the most over all of its lines and variants', () => {
  const fill = (...items: { product_id: string; variant_id?: string; quantity: number }[]) =>
    fillBasket(items, inventoryOf(ARTICLES, new Map()), true)
  const [mat, other] = ['ao-1412', 'ao-1410'].map((product_id) => ({ product_id, quantity: 99 }))
  expect(fill(mat!, other!)).toHaveLength(2)
  expect(fill(mat!, { ...other!, quantity: 1 }, { ...mat!, quantity: 1 })).toMatchObject({
    code: 'too_many_items',
    fields: ['items.0.quantity', 'items.2.quantity'],
  })
  const jackets = ['ao-1001-m-pine', 'ao-1001-s-pine'].map((variant_id) => ({
    product_id: 'ao-1001',
    variant_id,
    quantity: 50,
  }))
  expect(fill(...jackets)).toMatchObject({ code: 'too_many_items' })
})
