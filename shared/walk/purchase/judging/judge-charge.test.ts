import { expect, test } from 'vitest'
import { blankSession } from '../../dialects/spec-answers.ts'
import { officialUcp } from '../../dialects/ucp.ts'
import type { Session } from '../../session.ts'
import { beginStep } from '../../step-notes.ts'
import { agreedIn, judgeCharge } from './judge-charge.ts'

const dialect = officialUcp({
  version: '2026-08-25',
  transport: 'rest',
  endpoint: 'https://shop.example/ucp',
  agent: 'https://agent.example/ucp.json',
  capabilities: [],
})
const part = (name: string, amount: number) => ({ name, amount })
const line = (item: string, quantity: number) => ({ id: null, item, quantity, price: null })
const AGREED: Session = {
  ...blankSession(),
  currency: 'USD',
  total: 5892,
  parts: [part('subtotal', 5000), part('fulfillment', 500), part('tax', 392)],
  lines: [line('mug', 1), line('pot', 2)],
  chosen: 'std',
}

function foundIn(paid: Partial<Session>, agreed: Partial<Session> = {}): string | null {
  const notes = beginStep(dialect, { n: 1, step: 'pay', title: 'Pays' })
  judgeCharge({ ...AGREED, ...agreed }, { ...AGREED, ...paid }, dialect, notes)
  const { failed, held } = notes.done()
  expect(held.includes('charged_as_agreed')).toBe(failed === null)
  return failed && `${failed.field}: ${failed.found}`
}

test.each<[string, Partial<Session>, string, Partial<Session>?]>([
  [
    'a late fee',
    { total: 6592, parts: [...(AGREED.parts ?? []), part('fee', 700)] },
    'totals[type=total].amount: The total was 58.92 USD, and is 65.92 USD. fee of 7.00 USD is new.',
  ],
  [
    'tax that becomes shipping',
    { parts: [part('subtotal', 5000), part('fulfillment', 892)] },
    'totals[type=total].amount: fulfillment was 5.00 USD, and is 8.92 USD. tax was 3.92 USD, and is 0.00 USD.',
  ],
  [
    'a fee in the place of a discount',
    { parts: [...(AGREED.parts ?? []), part('fee', 700), part('discount', -700)] },
    'totals[type=total].amount: fee of 7.00 USD is new. discount of -7.00 USD is new.',
  ],
  [
    'a dearer line',
    { lines: [{ ...line('mug', 1), price: 1300 }, line('pot', 2)] },
    'line_items[].item.price: "mug" cost 12.00 USD, and costs 13.00 USD.',
    { lines: [{ ...line('mug', 1), price: 1200 }, line('pot', 2)] },
  ],
  [
    'a higher total alone',
    { total: 6592 },
    'totals[type=total].amount: The total was 58.92 USD, and is 65.92 USD.',
  ],
  ['another currency', { currency: 'CAD' }, 'currency: The currency was "USD", and is "CAD".'],
  [
    'another delivery',
    { chosen: 'slow' },
    'fulfillment.methods[].groups[].options[]: The chosen shipping was "std", and is "slow".',
  ],
  [
    'fewer goods',
    { lines: [line('mug', 1), line('pot', 1)] },
    'line_items[].quantity: It held 1 × "mug", 2 × "pot", and holds 1 × "mug", 1 × "pot".',
  ],
])('a charge that was not agreed: %s', (_, paid, found, agreed) => {
  expect(foundIn(paid, agreed)).toBe(found)
})

test.each<[string, Partial<Session>, Partial<Session>?]>([
  ['as agreed', {}],
  ['the currency in small letters', { currency: 'usd' }],
  [
    'lines in another order, one of them split',
    { lines: ['pot', 'mug', 'pot'].map((item) => line(item, 1)) },
  ],
  [
    'tax by the places that levy it',
    {
      parts: [
        part('subtotal', 5000),
        part('fulfillment', 500),
        part('city', 92),
        part('state', 300),
      ],
    },
  ],
  ['nothing but the order', { ...blankSession() }],
  ['a total alone', { parts: null, lines: null, chosen: null }],
  ['tax that was an estimate', { total: 5900, parts: null }, { isEstimate: true }],
  [
    'a total that was not stated before',
    { total: 5900, parts: null },
    { total: null, parts: null },
  ],
])('a charge that is right: %s', (_, paid, agreed) => {
  expect(foundIn(paid, agreed)).toBeNull()
})

test('a dialect without a total has one that is agreed: its parts, and the option that is paid', () => {
  const shipping = [{ id: 'std', name: 'Standard', cost: 600 }]
  const cart = {
    ...AGREED,
    total: null,
    parts: [part('subtotal', 5000), part('tax', 400)],
    shipping,
  }
  expect(agreedIn(cart, 'std').total).toBe(6000)
  expect(agreedIn(cart, null).total).toBeNull()
  expect(agreedIn({ ...cart, parts: null }, 'std').total).toBeNull()
  expect(agreedIn({ ...cart, total: 5892 }, 'std').total).toBe(5892)
})
