import { expect, test } from 'vitest'
import { readAddress, wordsOfAddress } from './address.ts'

test.each([
  ['/lamp-p-123.html', 'product'],
  ['/lamp_p123', 'product'],
  ['/p4998298', 'product'],
  ['/a-p-111/b-p-222-oak.aspx', 'product'],
  ['/lamp-p12.html', 'plain'],
  ['/a-p-111/lamp', 'plain'],
  ['/lamp-p-123!', 'plain'],
])('the number of a product at the end of an address: %s is %s', (path, is) => {
  expect(readAddress(`https://shop.example${path}`).is).toBe(is)
})

test.each([
  // In French a basket is a shoe, and a panier is sold.
  ['/produits/basket/air-max', 'product'],
  ['/panier/panier-osier-rond.html', 'likely'],
  ['/produits/basket', 'other'],
  ['/produits/warenkorb/x', 'product'],
  ['/blog/products/oak', 'other'],
])('below the folder of a cart: %s is %s', (path, is) => {
  expect(readAddress(`https://shop.example${path}`).is).toBe(is)
})

// In quadratic time each would take minutes.
test.each([
  [`${'lamp-'.repeat(300_000)}p123`, 'product'],
  [`x${'-p111'.repeat(300_000)}!`, 'plain'],
])('an address of more than a megabyte comes to an end', (path, is) => {
  expect(readAddress(`https://shop.example/${path}`).is).toBe(is)
  wordsOfAddress(`https://shop.example/${path}`)
})
