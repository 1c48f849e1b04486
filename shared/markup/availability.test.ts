import { expect, test } from 'vitest'
import { readAvailability, stockOf } from './availability.ts'

// The first column is judged by Google's rules for markup, the second only compared.
test.each([
  ['https://schema.org/InStock', 'InStock', 'in_stock'],
  ['http://schema.org/InStock', 'InStock', 'in_stock'],
  ['https://www.schema.org/InStock', 'InStock', 'in_stock'],
  ['//schema.org/InStock', 'InStock', 'in_stock'],
  ['schema:InStock', 'InStock', 'in_stock'],
  ['InStock', 'InStock', 'in_stock'],
  ['instock', 'InStock', 'in_stock'],
  ['in_stock', null, 'in_stock'],
  ['In Stock', null, 'in_stock'],
  ['in-stock', null, 'in_stock'],
  ['available', null, 'in_stock'],
  ['LimitedAvailability', 'LimitedAvailability', 'in_stock'],
  ['OnlineOnly', 'OnlineOnly', 'in_stock'],
  ['OutOfStock', 'OutOfStock', 'out_of_stock'],
  ['out of stock', null, 'out_of_stock'],
  ['oos', null, 'out_of_stock'],
  ['SoldOut', 'SoldOut', 'out_of_stock'],
  ['sold out', null, 'out_of_stock'],
  ['discontinued', 'Discontinued', 'out_of_stock'],
  ['Reserved', 'Reserved', 'out_of_stock'],
  ['unavailable', null, 'out_of_stock'],
  ['PreOrder', 'PreOrder', 'preorder'],
  ['pre_order', null, 'preorder'],
  ['pre-order', null, 'preorder'],
  ['PreSale', 'PreSale', 'preorder'],
  ['BackOrder', 'BackOrder', 'backorder'],
  ['back order', null, 'backorder'],
  ['MadeToOrder', 'MadeToOrder', 'backorder'],
  ['available for order', null, 'backorder'],
  ['https://schema.org/InStore', null, null],
  ['pending', null, null],
  ['unknown', null, null],
  ['auf Lager', null, null],
  ['en stock', null, null],
  ['', null, null],
])('%s is %s, and %s', (written, name, stock) => {
  expect([readAvailability(written), stockOf(written)]).toEqual([name, stock])
})
