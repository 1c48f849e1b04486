import { expect, test } from 'vitest'
import { blankSession } from '../../dialects/spec-answers.ts'
import { officialUcp } from '../../dialects/ucp.ts'
import type { Good } from '../../goods.ts'
import type { Session } from '../../session.ts'
import { beginStep } from '../../step-notes.ts'
import { judgeSession } from './judge-session.ts'

const dialect = officialUcp({
  version: '2026-08-25',
  transport: 'rest',
  endpoint: 'https://shop.example/ucp',
  agent: 'https://agent.example/ucp.json',
  capabilities: [],
})
const MUG: Good = {
  product_id: 'mug',
  variant_id: null,
  name: 'Mug',
  price: { amount: 1200, currency: 'USD' },
  availability: 'in_stock',
  options: 1,
}
const line = { id: 'li_1', item: 'mug', title: 'Mug', quantity: 1, price: 1200 }
const RIGHT: Session = { ...blankSession(), id: 'x', phase: 'open', currency: 'USD', lines: [line] }

function notedOf(answer: Partial<Session>, of: 'checkout' | 'cart') {
  const notes = beginStep(dialect, { n: 1, step: 'open', title: 'Opens' })
  const lines = [{ product_id: 'mug', variant_id: null, quantity: 1 }]
  const wanted = { lines, address: null, option: null, coupon: null, currency: 'USD' }
  const compared = { dialect, of, wanted, goods: [MUG], listed: [MUG], isOpening: false, now: 0 }
  judgeSession({ ...RIGHT, ...answer }, compared, notes)
  return notes.done()
}

test.each<[Partial<Session>, string]>([
  [{ currency: 'EUR' }, 'The catalog lists prices in USD, and the # is in "EUR".'],
  [
    { lines: [{ ...line, price: 1300 }] },
    'Mug is listed for 12.00 USD, and costs 13.00 USD in the #.',
  ],
  [
    { lines: null, subtotal: 1300 },
    'Mug is listed for 12.00 USD in all, and costs 13.00 USD in the #.',
  ],
  [{ lines: [] }, 'Mug was asked for, and is not in the #.'],
  [{ lines: [{ ...line, quantity: 2 }] }, '1 of Mug were asked for, and 2 are in the #.'],
  [
    { lines: [line, { ...line, item: 'pot' }] },
    '1 kinds of goods were asked for, and the # has 2.',
  ],
])('%j is said of what was asked for', (answer, found) => {
  for (const of of ['checkout', 'cart'] as const) {
    const { concluded, failed } = notedOf(answer, of)
    expect(concluded[0]?.text).toBe(`The ${of} is open, and something is missing.`)
    expect(failed?.found).toBe(found.replace('#', of))
    expect(failed?.expected).not.toMatch(/checkout/)
    expect(notedOf({}, of).failed).toBeNull()
  }
})
