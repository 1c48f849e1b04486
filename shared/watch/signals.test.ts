import { expect, test } from 'vitest'
import { shiftDay } from '../web/moment.ts'
import {
  type CheckoutFigures,
  FAILURE_REASONS,
  judgeCheckouts,
  judgeFalls,
  type SurfaceDay,
  signalReportPath,
} from './signals.ts'

const today = '2026-11-25'
const NONE: ReadonlySet<string> = new Set()

/**
 * Sessions per day, yesterday's first, as far back as they go; a day that is left out has as the
 * last.
 */
const surfaceDays = (
  surface: string,
  sessions: (ago: number, weekday: number) => number,
  orders: (ago: number) => number = () => 0,
): SurfaceDay[] =>
  Array.from({ length: 35 }, (_, n) => {
    const day = shiftDay(today, -1 - n)
    const weekday = new Date(day).getUTCDay()
    return { day, surface, sessions: sessions(n + 1, weekday), orders: orders(n + 1) }
  })
const isLastWeek = (ago: number) => ago <= 7

const wrong = (days: SurfaceDay[], open = NONE, since: string | null = '2026-01-01') =>
  judgeFalls(days, { today, open, since })
    .filter(({ seen }) => seen === 'wrong')
    .map(({ subject }) => subject)

test('a surface that fell by half is told with both figures', () => {
  const days = surfaceDays('chatgpt', (ago) => (isLastWeek(ago) ? 5 : 10))
  const [signal] = judgeFalls(days, { today, open: NONE, since: '2026-01-01' })
  expect(signal).toMatchObject({
    subject: 'surface_fell:chatgpt',
    seen: 'wrong',
    severity: 'high',
    label: 'Sessions from ChatGPT fell by half or more',
    detail:
      '35 sessions in the seven days up to 2026-11-24, where 70 are usual: the median of the four weeks before.',
  })
})

test('orders fall by themselves', () => {
  const days = surfaceDays(
    'perplexity',
    () => 10,
    (ago) => (isLastWeek(ago) ? 1 : 3),
  )
  expect(wrong(days)).toEqual(['surface_fell:perplexity'])
  expect(judgeFalls(days, { today, open: NONE, since: '2026-01-01' })[0]?.label).toBe(
    'Orders from Perplexity fell by half or more',
  )
})

const innocents: [string, SurfaceDay[], (string | null)?][] = [
  ['a steady week', surfaceDays('chatgpt', () => 10)],
  ['four in ten fewer', surfaceDays('chatgpt', (ago) => (isLastWeek(ago) ? 6 : 10))],
  [
    'three visits a week',
    surfaceDays('chatgpt', (ago) => (!isLastWeek(ago) && ago % 7 < 3 ? 1 : 0)),
  ],
  [
    '19 sessions a week',
    surfaceDays('chatgpt', (ago) => (!isLastWeek(ago) && ago % 7 === 0 ? 19 : 0)),
  ],
  [
    'nobody buys on weekends',
    surfaceDays('chatgpt', (_, weekday) => (weekday === 0 || weekday === 6 ? 0 : 20)),
  ],
  [
    'one exceptional week before',
    surfaceDays('chatgpt', (ago) => (ago > 7 && ago <= 14 ? 90 : 10)),
  ],
  [
    'a shop in its third week, after its launch',
    surfaceDays('chatgpt', (ago) => (ago > 21 ? 0 : isLastWeek(ago) ? 5 : 50)),
    shiftDay(today, -21),
  ],
  [
    'its first week',
    surfaceDays('chatgpt', (ago) => (isLastWeek(ago) ? 5 : 0)),
    shiftDay(today, -7),
  ],
  ['a shop without any', [], null],
  [
    'a surface that began last month',
    surfaceDays('claude', (ago) => (ago > 14 ? 0 : isLastWeek(ago) ? 3 : 5)),
  ],
  [
    'today, which is not over',
    [
      ...surfaceDays('chatgpt', () => 10),
      { day: today, surface: 'chatgpt', sessions: 0, orders: 0 },
    ],
  ],
]

test.each(innocents)('silent: %s', (_, days, since = '2026-01-01') => {
  expect(wrong(days, NONE, since)).toEqual([])
})

test('the same days of the week are compared whatever day it is, on days when clocks change too', () => {
  for (const at of ['2026-03-29', '2026-03-30', '2026-10-25', '2026-10-26', '2026-11-01']) {
    const days = Array.from({ length: 36 }, (_, n) => {
      const day = shiftDay(at, -n)
      const isWeekend = [0, 6].includes(new Date(day).getUTCDay())
      return { day, surface: 'chatgpt', sessions: isWeekend ? 0 : 20, orders: 0 }
    })
    const signals = judgeFalls(days, { today: at, open: NONE, since: '2025-01-01' })
    expect(signals.map(({ seen, detail }) => [seen, detail.slice(0, 12)])).toEqual([
      ['well', '100 sessions'],
    ])
  }
})

test('it is over at three quarters of a usual week, not before', () => {
  const open = new Set(['surface_fell:chatgpt'])
  const at = (sessions: number) =>
    surfaceDays('chatgpt', (ago) => (isLastWeek(ago) ? sessions : 20))
  expect(wrong(at(14), open)).toEqual(['surface_fell:chatgpt'])
  expect(wrong(at(15), open)).toEqual([])
  // What was little for weeks is now usual, and a surface that vanished is judged as well.
  expect(
    wrong(
      surfaceDays('chatgpt', () => 1),
      open,
    ),
  ).toEqual([])
  expect(judgeFalls([], { today, open, since: '2026-01-01' })).toMatchObject([
    { subject: 'surface_fell:chatgpt', seen: 'well' },
  ])
})

test('where all surfaces fell together it is one signal', () => {
  const fell = (ago: number) => (isLastWeek(ago) ? 0 : 10)
  const both = [...surfaceDays('chatgpt', fell), ...surfaceDays('perplexity', fell)]
  expect(wrong(both)).toEqual(['surface_fell:all'])
  expect(wrong(both, new Set(['surface_fell:all']))).toEqual(['surface_fell:all'])
  const one = [...surfaceDays('chatgpt', fell), ...surfaceDays('perplexity', () => 30)]
  expect(wrong(one)).toEqual(['surface_fell:chatgpt'])
  const back = [...surfaceDays('chatgpt', () => 10), ...surfaceDays('perplexity', () => 10)]
  expect(
    judgeFalls(back, { today, open: new Set(['surface_fell:all']), since: '2026-01-01' }),
  ).toMatchObject([
    { subject: 'surface_fell:all', seen: 'well' },
    { seen: 'well' },
    { seen: 'well' },
  ])
})

const NO_FAILURES = { payment: 0, stock: 0, expired: 0, ended: 0, other: 0, unsaid: 0 }
type Given = Partial<Omit<CheckoutFigures, 'failed' | 'opened'>> & {
  failed?: Partial<CheckoutFigures['failed']>
  opened?: Partial<CheckoutFigures['opened']>
}
const figures = ({ failed, opened, ...given }: Given): CheckoutFigures => ({
  hours: 24,
  completed: 0,
  protocolOrders: 0,
  timed: 0,
  p95Ms: null,
  ...given,
  failed: { ...NO_FAILURES, ...failed },
  opened: { completed: 0, failed: 0, expired: 0, ...opened },
})
const told = (given: Given | Given[], open: Iterable<string> = []) =>
  judgeCheckouts([given].flat().map(figures), new Set(open))
    .filter(({ seen }) => seen === 'wrong')
    .map(({ subject }) => subject)

test.each<[string, Given | Given[], string[]]>([
  ['no checkouts', {}, []],
  ['payments: 10 of 100, the threshold', { completed: 90, failed: { payment: 10 } }, []],
  ['payments: 11 of 100', { completed: 89, failed: { payment: 11 } }, ['payments_failing']],
  ['payments: 4 of 20', { completed: 16, failed: { payment: 4 } }, []],
  ['payments: 5 of 20', { completed: 15, failed: { payment: 5 } }, ['payments_failing']],
  ['payments: 10 of 19', { completed: 9, failed: { payment: 10 } }, []],
  [
    'payments: too few of a day, enough of a week',
    [
      { completed: 5, failed: { payment: 2 } },
      { hours: 168, completed: 30, failed: { payment: 9 } },
    ],
    ['payments_failing'],
  ],
  [
    'payments: a bad week that is over today',
    [
      { completed: 50, failed: { payment: 1 } },
      { hours: 168, completed: 100, failed: { payment: 60 } },
    ],
    [],
  ],
  ['completion: out of stock', { completed: 80, failed: { stock: 20 } }, ['completion_low']],
  ['completion: no reason is said', { completed: 80, failed: { unsaid: 20 } }, ['completion_low']],
  [
    'completion beside payments',
    { completed: 60, failed: { payment: 20, stock: 20 } },
    ['payments_failing', 'completion_low'],
  ],
  ['what buyers end', { completed: 50, failed: { ended: 50 } }, []],
  [
    'expired: 6 of 100',
    { protocolOrders: 94, opened: { completed: 94, expired: 6 } },
    ['checkouts_expiring'],
  ],
  [
    'expired: 5 of 100, the threshold',
    { protocolOrders: 95, opened: { completed: 95, expired: 5 } },
    [],
  ],
  [
    'expired: orders under other ids than their sessions',
    { protocolOrders: 80, opened: { completed: 0, expired: 100 } },
    [],
  ],
  ['expired: none ever completes', { opened: { expired: 40 } }, ['checkouts_expiring']],
  ['slow: above 5 s', { timed: 40, p95Ms: 5001 }, ['completion_slow']],
  ['slow: 5 s, the threshold', { timed: 40, p95Ms: 5000 }, []],
  ['slow: of three', { timed: 3, p95Ms: 60_000 }, []],
])('%s', (_, given, subjects) => {
  expect(told(given)).toEqual(subjects)
})

test('a threshold is left behind at four fifths of it', () => {
  const payments = (payment: number) => ({ completed: 100 - payment, failed: { payment } })
  expect(told(payments(9), ['payments_failing'])).toEqual(['payments_failing'])
  expect(told(payments(8), ['payments_failing'])).toEqual([])
  expect(told({ timed: 100, p95Ms: 4500 }, ['completion_slow'])).toEqual(['completion_slow'])
  expect(told({ timed: 100, p95Ms: 4000 }, ['completion_slow'])).toEqual([])
})

test('each says its figure', () => {
  const signals = judgeCheckouts(
    [
      figures({
        completed: 1200,
        failed: { payment: 300, unsaid: 400 },
        protocolOrders: 1200,
        opened: { completed: 1200, expired: 300 },
        timed: 1900,
        p95Ms: 6120,
      }),
    ],
    NONE,
  )
  expect(signals.map(({ detail }) => detail)).toEqual([
    '300 of 1,500 payments failed in the last 24 hours: 20%. Investigate above 10%.',
    '300 of 1,500 checkout sessions over UCP and ACP ended without an order in the last 24 hours: 20%. Flagged above 5%.',
    '1,200 of 1,600 checkouts completed in the last 24 hours: 75%. Expected: at least 90%. 400 of the failures do not say why.',
    'The 95th percentile is 6.1 s over 1,900 checkouts in the last 24 hours. Alert above 5 s.',
  ])
})

test('the error codes of the specification are known reasons', () => {
  expect(FAILURE_REASONS).toMatchObject({
    payment_failed: 'payment',
    payment_declined: 'payment',
    out_of_stock: 'stock',
    session_expired: 'expired',
    invalid_address: 'ended',
    validation_error: 'ended',
  })
})

test('the report opens on what the signal is about', () => {
  const at = { domain: 'shop.example', opened_at: '2026-11-25T10:00:00.000Z' }
  expect(signalReportPath({ ...at, subject: 'surface_fell:chatgpt' })).toBe(
    '/report?domain=shop.example&start=2026-10-21&end=2026-11-25&surface=chatgpt',
  )
  expect(signalReportPath({ ...at, subject: 'payments_failing' })).toBe(
    '/report?domain=shop.example&start=2026-11-19&end=2026-11-25',
  )
})
