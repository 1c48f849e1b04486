import { describe, expect, test } from 'vitest'
import { differenceLines, differencesOf } from './differences.ts'
import { stableText } from './stable.ts'
import { purchaseOf } from './testing/transcripts.ts'
import {
  boughtOf,
  EVENING,
  exchangeOf,
  MORNING,
  type Run,
  sessionOf,
  stepOf,
  stoppedOf,
  walkOf,
} from './testing/walks.ts'
import type { Transcript } from './transcript.ts'

const fullWalk = (run: Run, over: object = {}) =>
  walkOf(run, [
    boughtOf(run, over),
    stoppedOf(run),
    purchaseOf('reorder', [], {
      orders: [
        {
          id: run.session.slice(4),
          url: `https://shop.example/orders/${run.session.slice(4)}`,
          cancelled: false,
        },
      ],
      left_open: [
        {
          id: run.session,
          until: new Date(run.start).toISOString(),
          why: `405 after ${run.ms} ms`,
        },
      ],
    }),
  ])

describe('the stable form', () => {
  test('is equal for two walks of a store that answers the same', () => {
    expect(JSON.stringify(fullWalk(MORNING))).not.toBe(JSON.stringify(fullWalk(EVENING)))
    expect(stableText(fullWalk(EVENING))).toBe(stableText(fullWalk(MORNING)))
  })

  test('has the same placeholder for the same id, and keeps what means something', () => {
    const text = stableText(fullWalk(MORNING))
    expect(text).not.toContain(MORNING.session)
    expect(text).not.toContain(MORNING.key)
    expect(text).not.toContain('2026-11-2')
    expect(text).toContain('<day +3>')
    for (const kept of [
      '2026-08-25',
      'var_tent_64021',
      'prod_tent_64020',
      'li_1',
      '12900',
      'incomplete',
    ]) {
      expect(text).toContain(kept)
    }
    const [, session] = /checkout-sessions\/(<id \d+>)\/cancel/.exec(text) ?? []
    expect(text).toContain(`checkout ${session}, open`)
    expect(text).toContain(`https://shop.example/checkout/${session}`)
  })

  /** What a session is, beside its fields, in each of two runs. */
  const odd = (run: Run, over: object): Transcript =>
    walkOf(run, [
      purchaseOf('po_box', [
        stepOf(1, 'open', 'Opens', [exchangeOf(run, 0, ['POST', '/x', {}, sessionOf(run, over)])]),
      ]),
    ])
  test.each<[string, object, object]>([
    ['numbers as ids', { id: 1001, url: '/checkout/1001' }, { id: 1002, url: '/checkout/1002' }],
    [
      'ids in addresses',
      { cart_id: 'gid://shop/Cart/a1b2c3?key=9f8e7d' },
      { cart_id: 'gid://shop/Cart/d4e5f6?key=1a2b3c' },
    ],
    ['JSON in JSON', { text: '{"id":"abc123456"}' }, { text: '{"id":"xyz987654"}' }],
    [
      'seconds',
      { created: Math.floor(MORNING.start / 1000) },
      { created: Math.floor(EVENING.start / 1000) },
    ],
    ['milliseconds', { created: MORNING.start }, { created: EVENING.start }],
    ['UUIDs under any name', { x: MORNING.key }, { x: EVENING.key }],
  ])('%s', (_, one, other) => {
    expect(stableText(odd(EVENING, other))).toBe(stableText(odd(MORNING, one)))
  })

  test.each<[string, object, object]>([
    ['amounts', { total: 1001 }, { total: 1002 }],
    [
      'an amount that is equal to an id',
      { order: { id: 1001 }, total: 1001 },
      { order: { id: 1001 }, total: 1002 },
    ],
    ['another day of delivery', { earliest: '2026-11-26' }, { earliest: '2026-11-27' }],
    ['a version', { version: '2026-04-08' }, { version: '2026-08-25' }],
    ['a name', { option: { id: 'standard' } }, { option: { id: 'express' } }],
    [
      'another product',
      { id: 'x', item: { id: 'var_tent_64021' } },
      { id: 'x', item: { id: 'prod_tent_64020' } },
    ],
  ])('tells %s apart', (_, one, other) => {
    expect(stableText(odd(MORNING, other))).not.toBe(stableText(odd(MORNING, one)))
  })
})

describe('differences', () => {
  test('are none between two walks of a store that answers the same', () => {
    expect(differencesOf(fullWalk(MORNING), fullWalk(EVENING))).toEqual([])
  })

  test('name the purchase, the step and the field', () => {
    const dearer = fullWalk(EVENING, {
      // In another order, which does not count.
      totals: [
        { type: 'total', amount: 13900 },
        { type: 'subtotal', amount: 12900 },
      ],
      note: 'new',
    })
    expect(differencesOf(fullWalk(MORNING), dearer)).toEqual(
      [
        ['totals[type=total].amount', '12900', '13900'],
        ['note', null, '"new"'],
      ].map(([at, before, after]) => ({
        dialect: 'ucp_rest',
        intent: 'cheapest_variant',
        step: 1,
        what: 'field',
        at,
        before,
        after,
      })),
    )
  })

  test.each<[string, Transcript, string[]]>([
    [
      'a purchase that now passes',
      walkOf(EVENING, [{ ...boughtOf(EVENING), intent: 'two_and_one' }]),
      [
        'ucp_rest, Two of one thing and one of another: outcome: failed: No option was offered. → passed',
        'ucp_rest, Two of one thing and one of another: steps: open, quote → open, cancel',
      ],
    ],
    [
      'another fault',
      walkOf(EVENING, [stoppedOf(EVENING, 'One was offered, for nothing.')]),
      [
        'ucp_rest, Two of one thing and one of another: outcome: failed: No option was offered. → failed: One was offered, for nothing.',
        'ucp_rest, Two of one thing and one of another, step 2: not met: shipping_is_offered: No option was offered. → shipping_is_offered: One was offered, for nothing.',
      ],
    ],
    [
      'no purchase',
      walkOf(EVENING, []),
      ['ucp_rest, Two of one thing and one of another: purchase: failed → nothing'],
    ],
    [
      'no route',
      walkOf(EVENING, [], { routes: [] }),
      ['ucp_rest: dialect: UCP over REST, 2026-08-25 → nothing'],
    ],
  ])('%s, as lines', (_, after, lines) => {
    expect(differenceLines(differencesOf(walkOf(MORNING, [stoppedOf(MORNING)]), after))).toEqual(
      lines,
    )
  })

  const answering = (status: number, answered: unknown) =>
    walkOf(MORNING, [
      purchaseOf('po_box', [
        stepOf(1, 'open', 'Opens', [exchangeOf(MORNING, 0, ['POST', '/x', {}, answered], status)]),
      ]),
    ])
  test.each<[unknown, unknown, [string, string | null, string | null][]]>([
    [{ a: { b: [1] } }, { a: { b: [2] } }, [['a.b[0]', '1', '2']]],
    [{ a: 1 }, { a: '1' }, [['a', '1', '"1"']]],
    [{ a: {} }, { a: [] }, [['a', '{  }', '[]']]],
    ['text', 'other', [['body', '"text"', '"other"']]],
    [{ r: { text: '{"a":1}' } }, { r: { text: '{"a":2}' } }, [['r.text.a', '1', '2']]],
    [
      { a: `${'x'.repeat(200)}1` },
      { a: `${'x'.repeat(200)}2` },
      [['a', `"${'x'.repeat(78)}…`, `"${'x'.repeat(78)}…`]],
    ],
    [
      [{ code: 'a', n: 1 }, { code: 'b' }],
      [{ code: 'b' }, { code: 'a', n: 2 }],
      [['[code=a].n', '1', '2']],
    ],
  ])('%j, then %j', (one, other, fields) => {
    const found = differencesOf(answering(200, one), answering(200, other))
    expect(found.map(({ at, before, after }) => [at, before, after])).toEqual(fields)
  })

  test('statuses differ, and no list has no end', () => {
    const list = (n: number) => Array.from({ length: 100 }, (_, at) => at * n)
    const found = differencesOf(answering(200, list(1)), answering(500, list(2)))
    expect(found[0]).toMatchObject({ what: 'status', before: '200', after: '500' })
    expect(found).toHaveLength(42)
    expect(differenceLines(found).at(-1)).toBe(
      'ucp_rest, Ship it to a PO box, step 1: 59 more values have changed',
    )
  })
})

test.each<[string, string]>([
  ['nesting', `${'[1,'.repeat(20_000)}`],
  ['nesting that ends', `${'['.repeat(30_000)}${']'.repeat(30_000)}`],
  ['names', '{"id":"a1b2c3",'.repeat(4_000)],
  [
    'ids',
    `{"id":"${Array.from({ length: 60_000 }, (_, n) => (n % 10 === 0 ? '/' : n % 10)).join('')}"}`,
  ],
  ['quotes', '\\"'.repeat(32_000)],
  ['colons', '"a":'.repeat(16_000)],
  ['digits', '1-'.repeat(32_000)],
  ['placeholders', '<id 1><time>'.repeat(5_000)],
])('hostile answers: %s', (_, body) => {
  const walk = walkOf(MORNING, [boughtOf(MORNING)])
  const [exchange] = walk.routes[0]!.purchases[0]!.steps[0]!.exchanges
  exchange!.answer!.body = body
  expect(stableText(walk).length).toBeGreaterThan(0)
  expect(differencesOf(walk, fullWalk(EVENING)).length).toBeGreaterThan(0)
})
