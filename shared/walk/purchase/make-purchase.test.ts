import { describe, expect, test } from 'vitest'
import { type AcpShopOptions, acpShop, courseOf, error } from '../testing/acp-shop.ts'

const course = async (
  options: AcpShopOptions,
  intent: Parameters<ReturnType<typeof acpShop>['buy']>[0],
) => courseOf(await acpShop(options).buy(intent))

test('the plainest shop passes', async () => {
  expect(await course({}, 'cheapest_variant')).toBe('passed [open shipping cancel]')
  expect(await course({}, 'two_and_one')).toBe('passed [open shipping change cancel]')
})

test('a slow opening is told, and the rest is walked', async () => {
  expect(await course({ openingMs: 3000 }, 'cheapest_variant')).toBe(
    'passed [open shipping cancel]',
  )
  const slow = await acpShop({ openingMs: 4000 }).buy('cheapest_variant')
  expect(courseOf(slow)).toBe('failed [open!session_is_fast shipping cancel]')
  expect(slow.why).toBe('It took 4.0 s, at most 3 s.')
  expect(slow.charge).toEqual({ amount: 2300, currency: 'USD' })
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

describe('ACP leaves open how a quantity is written', () => {
  const openings = (shop: ReturnType<typeof acpShop>) =>
    shop.calls
      .filter(({ request }) => request === 'POST /checkout_sessions')
      .map(({ body }) => body.line_items)
  /** Its Item is closed, as in the schema. */
  const strict: AcpShopOptions = {
    refuse: ({ body: { line_items = [] } }) =>
      line_items.some((each) => 'quantity' in each) ? [400, 'invalid_request'] : null,
  }
  /** As in the examples. */
  const demanding: AcpShopOptions = {
    refuse: ({ body: { line_items = [] } }) =>
      line_items.some((each) => !('quantity' in each)) ? [422, 'missing_field'] : null,
  }

  test('a store that knows no quantity gets one thing, and others as often as they are wanted', async () => {
    const shop = acpShop(strict)
    expect(courseOf(await shop.buy('cheapest_variant'))).toMatch(/^passed/)
    expect(openings(shop)).toEqual([[{ id: 'mug' }]])
    const two = await shop.buy('two_and_one')
    expect(courseOf(two)).toMatch(/^passed/)
    const repeated = [{ id: 'mug' }, { id: 'mug' }, { id: 'pot' }]
    expect(openings(shop).slice(1)).toEqual([[{ id: 'mug', quantity: 2 }, { id: 'pot' }], repeated])
    expect(two.steps[0]?.concluded[0]?.text).toMatch(/listed as many times as it is wanted/)
    // It is asked so from now on.
    await shop.buy('two_and_one')
    expect(openings(shop).slice(3)).toEqual([repeated])
  })

  test('a store that wants one of each gets it, after it has said so once', async () => {
    const shop = acpShop(demanding)
    expect(courseOf(await shop.buy('cheapest_variant'))).toMatch(/^passed/)
    expect(courseOf(await shop.buy('two_and_one'))).toMatch(/^passed/)
    expect(openings(shop)).toEqual([
      [{ id: 'mug' }],
      [{ id: 'mug', quantity: 1 }],
      [
        { id: 'mug', quantity: 2 },
        { id: 'pot', quantity: 1 },
      ],
    ])
  })

  test('a store that refuses either is asked twice, and told what it first said', async () => {
    const shop = acpShop({
      refuse: ({ request, body: { line_items = [] } }) =>
        request !== 'POST /checkout_sessions'
          ? null
          : line_items.some((each) => 'quantity' in each)
            ? [400, 'no_quantity']
            : [400, 'no_basket'],
    })
    const purchase = await shop.buy('cheapest_variant')
    expect(courseOf(purchase)).toBe('failed [open!session_opens]')
    expect(purchase.why).toMatch(/no_basket/)
    expect(openings(shop)).toHaveLength(2)
    // What a store has to refuse is sent once.
    await shop.buy('largest_quantity')
    expect(openings(shop)).toHaveLength(3)
  })
})

describe('what no list has', () => {
  const unsold: AcpShopOptions[] = [
    {
      refuse: ({ request }) => (request === 'POST /checkout_sessions' ? [404, 'not_found'] : null),
    },
    { refuse: ({ request }) => (request === 'POST /checkout_sessions' ? [400, 'no mug'] : null) },
    {
      show: (session) => ({
        ...session,
        line_items: [],
        messages: [error('not_found', '$.line_items[0]')],
      }),
    },
  ]
  test.each(unsold)('need not be sold: %#', async (options) => {
    const { outcome, why, steps } = await acpShop({ ...options, isUnlisted: true }).buy(
      'cheapest_variant',
    )
    expect([outcome, steps[0]?.failed]).toEqual(['not_walked', null])
    expect(why).toMatch(/^The store does not sell mug, which nothing that was read lists: /)
    expect(await course(options, 'cheapest_variant')).toMatch('failed [open!')
  })

  test('is refused for a reason of its own', async () => {
    const crashed: AcpShopOptions = { refuse: () => [500, 'mug'], isUnlisted: true }
    expect(await course(crashed, 'cheapest_variant')).toBe('failed [open!session_opens]')
  })
})

test('one thing in two lines is what was asked for, and a thing too many is not', async () => {
  const split: AcpShopOptions = {
    show: (session) => ({
      ...session,
      line_items: session.line_items.flatMap((line) =>
        Array.from({ length: line.quantity }, (_, at) => ({
          ...line,
          id: at === 0 ? line.id : line.item.id,
          quantity: 1,
        })),
      ),
    }),
  }
  expect(await course(split, 'two_and_one')).toMatch(/^passed/)
  const gift = { id: 'li_gift', item: { id: 'gift' }, quantity: 1, totals: [] }
  const more: AcpShopOptions = {
    show: (session) => ({ ...session, line_items: [...session.line_items, gift] }),
  }
  expect(await course(more, 'two_and_one')).toBe('failed [open!goods_as_asked cancel]')
})

describe('a checkout that stays open after shipping was chosen', () => {
  const staysOpen = (...messages: object[]): AcpShopOptions => ({
    show: (session) =>
      session.status === 'ready_for_payment'
        ? { ...session, status: 'not_ready_for_payment', messages }
        : session,
  })
  const bank = error('intervention_required', 'The bank wants to see you.')

  test.each([
    ['the bank', [bank]],
    ['a sign-in', [error('requires_sign_in', 'Sign in.')]],
    ['a larger basket', [error('minimum_not_met', 'The smallest order is 20.00 USD.')]],
    ['their age', [error('age_verification_required', 'Say how old you are.')]],
    ['an approval', [error('approval_required', 'Ask your manager.')]],
    ['a form', [error('own', 'Fill it in.', { resolution: 'requires_buyer_input' })]],
    ['two things', [bank, error('own', 'Read it.', { resolution: 'requires_buyer_review' })]],
  ])('is right where it waits for the buyer: %s', async (_, messages) => {
    const purchase = await acpShop(staysOpen(...messages)).buy('cheapest_variant')
    expect(courseOf(purchase)).toBe('not_walked [open shipping cancel]')
    const [first] = messages
    expect(purchase.why).toContain(first?.content)
    expect(purchase.steps.flatMap(({ held }) => held)).not.toContain('becomes_ready')
  })

  test.each<[string, object[]]>([
    ['no word', []],
    ['what the agent could send', [error('missing', 'Say where to.')]],
    ['both', [bank, error('missing', 'Say where to.')]],
    ['what is no error', [{ ...bank, type: 'warning' }]],
    [
      'what the agent could mend',
      [error('invalid', 'The code is wrong.', { resolution: 'recoverable' })],
    ],
  ])('is wrong with %s', async (_, messages) => {
    expect(await course(staysOpen(...messages), 'cheapest_variant')).toBe(
      'failed [open shipping!becomes_ready cancel]',
    )
  })

  test('and offers no shipping, is right where it waits for the buyer', async () => {
    const closed = (message: object): AcpShopOptions => ({
      show: (session) => ({ ...session, fulfillment_options: [], messages: [message] }),
    })
    expect(await course(closed(bank), 'cheapest_variant')).toBe('not_walked [open shipping cancel]')
    expect(await course(closed(error('missing', 'Say where to.')), 'cheapest_variant')).toBe(
      'failed [open shipping!shipping_is_offered cancel]',
    )
  })
})

describe('the price of shipping', () => {
  const total = (type: string, amount: number) => ({ type, display_text: type, amount })
  const MUG = 1800
  /** Shipping costs 500 and 40 of tax, and the session adds up these once it is chosen. */
  const taxed = (...added: object[]): AcpShopOptions => ({
    show: (session) => ({
      ...session,
      fulfillment_options: [
        {
          type: 'shipping',
          id: 'std',
          title: 'Standard',
          totals: [total('subtotal', 500), total('tax', 40), total('total', 540)],
        },
      ],
      ...(session.status === 'ready_for_payment' && {
        totals: [total('subtotal', MUG), ...added, total('total', MUG + 540)],
      }),
    }),
  })

  test.each<[string, object[]]>([
    ['with its tax', [total('fulfillment', 540)]],
    ['without its tax, which is with the rest', [total('fulfillment', 500), total('tax', 40)]],
  ])('may be in the totals %s', async (_, added) => {
    expect(await course(taxed(...added), 'cheapest_variant')).toMatch(/^passed/)
  })

  test('is missing where they have neither', async () => {
    const purchase = await acpShop(taxed(total('fee', 540 - 41), total('tax', 41))).buy(
      'cheapest_variant',
    )
    expect(courseOf(purchase)).toBe('failed [open shipping!shipping_can_be_chosen cancel]')
  })
})

describe('a cancel that is answered 404 or 410', () => {
  const isOf =
    (operation: RegExp) =>
    ({ request }: { request: string }) =>
      operation.test(request)
  const isCancel = isOf(/cancel$/)
  const isRead = isOf(/^GET/)
  /** The cancel is refused, and so is every read after it. */
  const gone = (status: number): AcpShopOptions => {
    let isTried = false
    return {
      refuse: (call) => {
        isTried ||= isCancel(call)
        return isCancel(call) ? [404, 'x'] : isTried && isRead(call) ? [status, 'x'] : null
      },
    }
  }

  test.each([404, 410])('leaves a session open that the store still shows: %i', async (status) => {
    const shop = acpShop({ refuse: (call) => (isCancel(call) ? [status, 'not_found'] : null) })
    const purchase = await shop.buy('cheapest_variant')
    expect(courseOf(purchase)).toBe('failed [open shipping cancel!can_be_cancelled]')
    expect(purchase.left_open).toEqual([
      { id: 'cs_1', until: null, why: expect.stringMatching(/^It is still open \(ready/) },
    ])
    expect(shop.calls.map(({ request }) => request).slice(-2)).toEqual([
      'POST /checkout_sessions/cs_1/cancel',
      'GET /checkout_sessions/cs_1',
    ])
  })

  test.each<[string, AcpShopOptions]>([
    ['is not there', gone(404)],
    [
      'has expired',
      {
        refuse: (call) => (isCancel(call) ? [410, 'expired'] : null),
        show: (session, call) => (isRead(call) ? { ...session, status: 'expired' } : session),
      },
    ],
    ['cannot be read', gone(500)],
  ])('ends one that %s', async (_, options) => {
    const purchase = await acpShop(options).buy('cheapest_variant')
    expect(courseOf(purchase)).toBe('passed [open shipping cancel]')
    expect(purchase.left_open).toEqual([])
  })
})

describe('what was answered is read back', () => {
  const isRead = ({ request }: { request: string }) => request.startsWith('GET')
  const read = (change: (session: Shown, count: number) => object): AcpShopOptions => {
    let count = 0
    return {
      show: (session, call) => {
        if (!isRead(call)) return session
        count += 1
        return change(session, count)
      },
    }
  }
  type Shown = Parameters<NonNullable<AcpShopOptions['show']>>[0]
  const other = (session: Shown, line: object) => ({
    ...session,
    line_items: session.line_items.map((each) => ({ ...each, ...line })),
  })

  test.each<[string, AcpShopOptions, RegExp]>([
    ['another quantity', read((it) => other(it, { quantity: 3 })), /^Read back: It held 1 × "mug"/],
    ['ids that do not last', read((it, n) => other(it, { id: `li_${n}` })), /The ids of the lines/],
    ['another checkout', read((it) => ({ ...it, id: 'cs_9' })), /"cs_9" was answered/],
    ['nothing', { refuse: (call) => (isRead(call) ? [404, 'gone'] : null) }, /404 gone/],
  ])('%s is a fault', async (_, options, found) => {
    const purchase = await acpShop(options).buy('cheapest_variant')
    expect(purchase.outcome).toBe('failed')
    expect(purchase.why).toMatch(found)
  })

  test.each<[string, AcpShopOptions]>([
    ['more messages', read((it) => ({ ...it, messages: [{ type: 'info', content: 'Hi' }] }))],
    ['another sort of lines', read((it) => ({ ...it, line_items: it.line_items.toReversed() }))],
    ['a longer life', read((it) => ({ ...it, expires_at: '2026-06-03T12:00:00Z' }))],
    ['no lines and no amounts', read((it) => ({ ...it, line_items: [], totals: [] }))],
    ['what it was, for a moment', read((it, n) => (n === 1 ? other(it, { quantity: 3 }) : it))],
    ['nothing, for strangers', { refuse: (call) => (isRead(call) ? [401, 'no'] : null) }],
  ])('%s is none', async (_, options) => {
    expect(await course(options, 'two_and_one')).toMatch(/^passed/)
  })

  test('and what only says that it was cancelled is one', async () => {
    const shop = acpShop(
      read((it) => (it.status === 'canceled' ? { ...it, status: 'ready_for_payment' } : it)),
    )
    const purchase = await shop.buy('cheapest_variant')
    expect(courseOf(purchase)).toBe('failed [open shipping cancel!can_be_cancelled]')
    expect(purchase.left_open).toHaveLength(1)
  })
})

test.each([
  ['Pot', 'failed [open!goods_as_asked cancel]'],
  ['Pot, Blue', 'failed [open!goods_as_asked cancel]'],
  ['MUG - large', 'passed [open shipping cancel]'],
  ['Becher', 'passed [open shipping cancel]'],
])(
  'a line may be called as the store likes, but not as something else: %s',
  async (name, result) => {
    const named: AcpShopOptions = {
      show: (session) => ({
        ...session,
        line_items: session.line_items.map((line) => ({ ...line, item: { ...line.item, name } })),
      }),
    }
    expect(await course(named, 'cheapest_variant')).toBe(result)
  },
)
