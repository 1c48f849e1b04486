import { expect, test } from 'vitest'
import { ORDER_STATUSES } from '../db/statuses.ts'
import { anOrder } from '../outbox/testing/receiver.ts'
import { visitTo } from '../testing/store.ts'
import { receiptReply } from './receipt-page.ts'

const VISIT = visitTo({ path: '/receipts/a-token' })
const textOf = (html: string) => html.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')

test('it says what was bought, what it cost and where it goes', () => {
  const { status, body } = receiptReply(VISIT, anOrder())
  expect(status).toBe(200)
  const text = textOf(body)
  for (const words of [
    'Order AO-7K3M-Q9XT Confirmed. Placed on 2026-06-01, expected by 2026-06-06.',
    'Tent, green 2 99.98 USD',
    'Subtotal 99.98 USD',
    'Shipping: Standard 6.00 USD',
    'Tax 8.00 USD',
    'Total 113.98 USD',
    'Ada Byron 1 Analytical Way Albany, NY 12207 United States',
  ]) {
    expect(text).toContain(words)
  }
})

test('it goes to no cache, no index, no referrer and no analytics', () => {
  const { headers, body } = receiptReply(VISIT, anOrder())
  expect(headers).toMatchObject({
    'cache-control': 'no-store',
    'x-robots-tag': 'noindex, noarchive',
    'referrer-policy': 'no-referrer',
    'content-security-policy': expect.stringContaining("default-src 'self'"),
  })
  expect(body).not.toContain('<script')
})

test('what a buyer wrote is text', () => {
  const evil = '<img src=x onerror=alert(1)>"\'&'
  const order = anOrder()
  const { body } = receiptReply(
    VISIT,
    anOrder({
      address: { ...order.address!, name: evil, street: evil, line_two: evil },
      items: [{ ...order.items[0]!, name: evil }],
      tracking: { carrier: evil, number: evil, url: 'javascript:alert(1)' },
    }),
  )
  expect(body).not.toContain('<img src=x')
  expect(body).not.toContain('javascript:')
  expect(body.split('&lt;img src=x onerror=alert(1)&gt;')).toHaveLength(7)
})

test('a parcel’s tracking is a link', () => {
  const tracking = { carrier: 'UPS', number: '1Z999', url: 'https://ups.example/1Z999' }
  const { body } = receiptReply(VISIT, anOrder({ status: 'shipped', tracking }))
  expect(textOf(body)).toContain('On its way.')
  expect(body).toContain('UPS: <a href="https://ups.example/1Z999" rel="noreferrer">1Z999</a>')
})

test.each(ORDER_STATUSES)('an order that is %s has a receipt', (status) => {
  expect(receiptReply(VISIT, anOrder({ status, address: null })).status).toBe(200)
})

test.each(ORDER_STATUSES)('an order that is %s says when it arrives if it is to come', (status) => {
  const text = textOf(receiptReply(VISIT, anOrder({ status })).body)
  const isOver = ['delivered', 'canceled', 'returned', 'payment_failed'].includes(status)
  expect(text.includes('expected by')).toBe(!isOver)
  expect(text).toMatch(isOver ? /Placed on 2026-06-01\. / : /Placed on 2026-06-01, expected by/)
})

test('what is not the code of a country is shown as it was written', () => {
  const address = { ...anOrder().address!, country: 'Atlantis' }
  expect(textOf(receiptReply(VISIT, anOrder({ address })).body)).toContain('12207 Atlantis')
})

test('an address that leads to no order says so', () => {
  expect(receiptReply(VISIT, null)).toMatchObject({ status: 404 })
})
