import { expect, test } from 'vitest'
import type { Good } from '../goods.ts'
import type { PageNode, PageTree } from '../pages/tree.ts'
import { type HandedOver, judgeArrival } from './judge-arrival.ts'

const good = (name: string, variant_id: string): Good => ({
  ...{ product_id: 'boot', variant_id, name, options: 2, availability: 'in_stock' },
  price: { amount: 17_900, currency: 'USD' },
})
const BOOT = good('Ridge Boot, M, Pine', 'boot-m-pine')
const LISTED = [BOOT, good('Ridge Boot, L, Pine', 'boot-l-pine'), good('Ridge Boot, M, Ash', 'x')]

const TAKEN: HandedOver = {
  lines: [{ good: BOOT, title: 'Ridge Boot', quantity: 2, price: BOOT.price }],
  sums: [{ amount: 38_664, currency: 'USD' }],
  listed: LISTED,
}

const node = (role: string, name: string, more: Partial<PageNode> = {}): PageNode => ({
  ...{ role, name, value: '', parent: 0, level: null, checked: false, pressed: null },
  ...{ disabled: false, required: false, invalid: false, tag: '', attributes: {}, options: [] },
  ...{ selector: '', ref: 1 },
  ...more,
})

/** A page of texts, and of other nodes. */
const page = (parts: readonly (string | PageNode)[], status = 200): PageTree => ({
  ...{ url: 'https://shop.example/checkout', title: 'Shop', status },
  nodes: [
    node('RootWebArea', 'Shop', { parent: -1 }),
    ...parts.map((part) => (typeof part === 'string' ? node('StaticText', part) : part)),
  ],
})

test.each<[string, (string | PageNode)[]]>([
  ['a line with its price', ['2 × Ridge Boot, M, Pine', '$358.00']],
  ['the price of one', ['Ridge Boot', 'M / Pine', 'Quantity', '2', '$179.00']],
  ['without a variant', ['Ridge Boot', '$179.00']],
  ['a field with the quantity', ['Ridge Boot', node('spinbutton', '', { value: '2' }), '$358.00']],
  ['prices with tax, and the same total', ['Ridge Boot', '$193.32', 'Total', '$386.64']],
  ['a code after the amount', ['Ridge Boot', '179.00 USD']],
  ['no price', ['Ridge Boot, M, Pine', 'You pay on the next page']],
  ['other variants, of something below', ['Ridge Boot, M, Pine', '$179.00', 'Also in L']],
  ['a log-in besides', ['Ridge Boot', '$179.00', node('textbox', 'Password', PASSWORD())]],
])('%s is whole', (_, parts) => {
  expect(judgeArrival(page(parts), TAKEN).is).toBe('whole')
})

function PASSWORD(): Partial<PageNode> {
  return { attributes: { type: 'password' } }
}

test.each<[string, (string | PageNode)[], string]>([
  ['a log-in', ['Log in', node('textbox', 'Password', PASSWORD())], 'log_in'],
  ['an empty basket', ['Your cart is currently empty'], 'empty'],
  ['the shop’s start', ['Welcome', 'New: Ridge Sandal', '$99.00'], 'other_goods'],
  ['another size', ['Ridge Boot', 'L / Pine', '$179.00'], 'other_variant'],
  ['another colour', ['Ridge Boot', 'Size M', 'Ash', '$179.00'], 'other_variant'],
  ['one of two', ['1 × Ridge Boot', '$179.00'], 'other_quantity'],
  ['a field with one', ['Ridge Boot', node('spinbutton', '', { value: '1' })], 'other_quantity'],
  ['another price', ['2 × Ridge Boot', '$398.00'], 'other_price'],
  ['another currency', ['2 × Ridge Boot', '358.00 €'], 'other_currency'],
])('%s is lost', (_, parts, how) => {
  expect(judgeArrival(page(parts), TAKEN)).toMatchObject({ is: 'lost', how })
})

test('a dead page is lost, and what keeps us out says nothing', () => {
  expect(judgeArrival(page([], 404), TAKEN)).toMatchObject({ is: 'lost', how: 'dead' })
  expect(judgeArrival(page([], 403), TAKEN)).toEqual({ is: 'unseen', why: 'It answered 403.' })
  const captcha = page([node('heading', 'Are you human?', { level: 1 })])
  expect(judgeArrival(captcha, TAKEN).is).toBe('unseen')
})
