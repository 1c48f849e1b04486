import { describe, expect, test } from 'vitest'
import { type AcpShopOptions, acpShop, courseOf } from './testing/acp-shop.ts'

const course = async (
  options: AcpShopOptions,
  intent: Parameters<ReturnType<typeof acpShop>['buy']>[0],
) => courseOf(await acpShop(options).buy(intent))

test('the plainest shop passes', async () => {
  expect(await course({}, 'cheapest_variant')).toBe('passed [open shipping cancel]')
  expect(await course({}, 'two_and_one')).toBe('passed [open shipping change cancel]')
})

// It is twelve o'clock.
describe('a session of official ACP lives as long as the store likes', () => {
  const until = (expires_at: string): AcpShopOptions => ({
    show: (session) => ({ ...session, expires_at }),
  })
  test.each(['2026-06-01T12:01:30Z', '2026-06-01T12:10:00Z', '2026-06-02T12:00:00Z'])(
    'until %s',
    async (expires_at) => {
      expect(await course(until(expires_at), 'cheapest_variant')).toBe(
        'passed [open shipping cancel]',
      )
    },
  )
  test.each(['2026-06-01T11:59:00Z', '2026-06-01T12:00:30Z'])(
    'but not until %s',
    async (expires_at) => {
      expect(await course(until(expires_at), 'cheapest_variant')).toBe(
        'failed [open!lives_long_enough cancel]',
      )
    },
  )
})

describe('a store that gives replaced lines new ids', () => {
  test.each(['cheapest_variant', 'two_and_one', 'change_of_mind'] as const)(
    '%s',
    async (intent) => {
      const shop = acpShop({ hasNewLineIds: true })
      expect(courseOf(await shop.buy(intent))).toMatch(/^passed/)
    },
  )

  test('is told of new lines alone, and then of the shipping for them', async () => {
    const shop = acpShop({ hasNewLineIds: true })
    await shop.buy('two_and_one')
    const updates = shop.calls.filter(({ request }) => request === 'POST /checkout_sessions/cs_1')
    expect(updates.map(({ body }) => body)).toEqual([
      { selected_fulfillment_options: [expect.objectContaining({ item_ids: ['li_1', 'li_2'] })] },
      { line_items: [expect.objectContaining({ id: 'mug' }), expect.anything()] },
      { selected_fulfillment_options: [expect.objectContaining({ item_ids: ['li_3', 'li_4'] })] },
    ])
  })
})
