import { expect, test } from 'vitest'
import { gtinProblem } from '../../../shared/commerce/gtin.ts'
import { ADVISED_DESCRIPTION, AVAILABILITIES, Product } from '../../../shared/commerce/product.ts'
import { ARTICLES, findArticle, offersOf, toProduct } from './assortment.ts'

const offers = ARTICLES.flatMap(offersOf)
const distinct = (values: readonly unknown[]) => new Set(values).size

test('there are 120 products in 6 categories, a third of them or more with variants', () => {
  expect(ARTICLES).toHaveLength(120)
  expect(distinct(ARTICLES.map(({ category }) => category))).toBe(6)
  expect(distinct(ARTICLES.map(({ name }) => name))).toBe(120)
  expect(ARTICLES.filter(({ variants }) => variants.length > 1).length).toBeGreaterThanOrEqual(40)
})

test('ids, SKUs and GTINs are unique, and the GTINs could be real', () => {
  const all = [...ARTICLES, ...ARTICLES.flatMap(({ variants }) => variants)]
  expect(distinct(all.map(({ id }) => id))).toBe(all.length)
  expect(distinct(all.map(({ sku }) => sku))).toBe(all.length)
  expect(distinct(all.map(({ gtin }) => gtin))).toBe(all.length)
  expect(all.filter(({ gtin }) => gtinProblem(gtin) !== null)).toEqual([])
  expect(all.filter(({ gtin }) => !/^952\d{10}$/.test(gtin))).toEqual([])
  expect(all.filter(({ sku }) => /\s/.test(sku))).toEqual([])
})

test('every product is one of the catalog schema, with the advised description', () => {
  for (const article of ARTICLES) {
    const product = Product.strict().parse(toProduct(article, 'https://shop.example'))
    expect(product.description.length).toBeGreaterThanOrEqual(ADVISED_DESCRIPTION)
  }
})

test('prices are whole major units, and some variants cost more than their product', () => {
  expect(offers.filter(({ price }) => price.amount % 100 !== 0)).toEqual([])
  const dearer = ARTICLES.filter(({ price, variants }) =>
    variants.some((variant) => variant.price.amount > price.amount),
  )
  expect(dearer.length).toBeGreaterThan(3)
  // The product's own price is the lowest that it can be had for.
  for (const { price, variants } of ARTICLES) {
    for (const variant of variants) expect(variant.price.amount >= price.amount).toBe(true)
  }
})

test('every availability occurs, and the first products are in stock', () => {
  expect(new Set(offers.map(({ availability }) => availability))).toEqual(new Set(AVAILABILITIES))
  for (const article of ARTICLES.slice(0, 10)) {
    expect(article.availability).toBe('in_stock')
    expect(offersOf(article)[0]?.availability).toBe('in_stock')
  }
  expect(ARTICLES[0]?.variants.length).toBeGreaterThan(1)
})

test('a product is found by its id alone', () => {
  expect(findArticle('ao-1001')?.name).toBe('Skarn Rain Jacket')
  for (const id of ['', 'ao-1', 'ao-1001-s-pine', '__proto__', 'toString']) {
    expect(findArticle(id)).toBeUndefined()
  }
})
