import type { VNode } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { expect, test } from 'vitest'
import type { GapChanges, Trend } from '../../audit/result/compare.ts'
import type { AuditResult } from '../../audit/result/result.ts'
import { LanguageContext } from '../language.ts'
import { gapOf, markupOf, resultOf } from '../testing/markup.ts'
import { Breakdown } from './Breakdown.tsx'
import { ComparisonSummary } from './ComparisonSummary.tsx'
import { GapList } from './GapList.tsx'
import { HistoryList, type Run } from './HistoryList.tsx'
import { ReadinessLists } from './ReadinessLists.tsx'
import { ScoreCard } from './ScoreCard.tsx'
import { ScoreRing } from './ScoreRing.tsx'
import { JudgedPages, PassedList, SkippedList } from './Verdicts.tsx'

const HOSTILE = `</p><script>alert("1")</script><img src=x onerror='alert(2)'>`
const html = (node: VNode) => renderToString(node)
const textOf = (node: VNode) =>
  html(node)
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
const count = (node: VNode, pattern: RegExp) => html(node).match(pattern)?.length ?? 0

test('the ring says score and grade, and draws no arc for nothing', () => {
  expect(html(<ScoreRing score={82} grade="A" />)).toContain('<title>Score 82 of 100, grade A')
  expect(html(<ScoreRing score={82} grade="A" />)).toContain('stroke-dasharray="82 100"')
  expect(html(<ScoreRing score={0} grade="D" />)).not.toContain('ring-part')
})

test('an area that was not judged says so', () => {
  expect(textOf(<Breakdown breakdown={{ catalog: 88 }} />)).toBe(
    'Discoverability not judged Catalog 88 Checkout not judged Attribution not judged',
  )
  expect(textOf(<Breakdown breakdown={{ catalog: 0 }} />)).toContain('Catalog 0')
})

test('three gaps stand first with their sum, the rest is folded by what it is about', () => {
  const first_steps = { gaps: ['d', 'b'], scores: [60, 71], score: 71 }
  const list = (
    <GapList
      result={resultOf({ first_steps })}
      gaps={[
        gapOf('a', { severity: 'low' }),
        gapOf('b', { severity: 'high' }),
        gapOf('c', { severity: 'medium', check: 'feed' }),
        gapOf('d', { severity: 'high' }),
      ]}
      anchored
    />
  )
  expect(textOf(list)).toMatch(
    /^Fix first: 58 → 71 High Label of d 58 → 60 .*High Label of b 60 → 71 .*Then, by what it is about Product feed 1 medium .*Label of c .*Product pages 1 low .*Label of a/,
  )
  // The evidence of the first is one click away, the others are folded with theirs.
  expect(count(list, /<details [^>]*\bopen\b/g)).toBe(2)
  expect(count(list, /<details class="found">/g)).toBe(2)
  expect(count(list, / id="gap-/g)).toBe(4)
})

test('what a store without a protocol lacks is one entry, beside what to fix first', () => {
  const ids = ['well_known_missing', 'catalog_unreachable', 'checkout_unreachable']
  const lacks = ids.map((id) => gapOf(id, { severity: 'critical' }))
  const result = resultOf({ first_steps: { gaps: ['a'], scores: [61], score: 61 } })
  const list = <GapList result={result} gaps={[gapOf('a'), ...lacks]} anchored />
  expect(textOf(list)).toMatch(
    /^Fix first: 58 → 61 Medium Label of a .*Then, .*Critical The store speaks no agent protocol 3 gaps/,
  )
  // `a` and the entry; its three are folded.
  expect(count(list, /<details [^>]*\bopen\b/g)).toBe(2)
  expect(count(list, / id="gap-/g)).toBe(4)
  const alone = resultOf({ first_steps: { gaps: ids, scores: [60, 61, 80], score: 80 } })
  expect(textOf(<GapList result={alone} gaps={lacks} />)).toMatch(/^To fix Critical The/)
  expect(textOf(<GapList result={alone} gaps={lacks.slice(1)} />)).not.toContain(
    'no agent protocol',
  )
})

test('the words of the trade in a gap are explained', () => {
  const gap = gapOf('a', { label: 'A GTIN in the feed is invalid' })
  const text = textOf(<GapList result={resultOf()} gaps={[gap]} />)
  expect(text).toMatch(/GTIN : the number below the barcode of a product\. Feed : the list/)
  expect(html(<GapList result={resultOf()} gaps={[gapOf('b')]} />)).not.toContain('class="terms"')
})

test('a gap has the buttons that it was given, and no others', () => {
  expect(count(<GapList result={resultOf()} gaps={[gapOf('a')]} />, /<button|<a /g)).toBe(0)
  const all = (
    <GapList
      result={resultOf()}
      newTab
      gaps={[
        gapOf('a', {
          fix_url: 'https://aisle.example/tools/schema',
          docs_url: 'https://aisle.example/gaps/a',
          origin: 'both',
          note: 'Page and server disagree.',
          onShow() {},
          onCopy() {},
        }),
      ]}
    />
  )
  expect(textOf(all)).toMatch(/Page and server .* Fix it Show on page Copy the fix Read about/)
  expect(count(all, /target="_blank" rel="noopener"/g)).toBe(2)
})

test('addresses that run code are no links', () => {
  const gap = gapOf('a', { fix_url: 'javascript:alert(1)', docs_url: '//evil.example' })
  expect(count(<GapList result={resultOf()} gaps={[gap]} />, /href/g)).toBe(0)
})

test('no gaps: a sentence', () => {
  expect(textOf(<GapList result={resultOf()} gaps={[]} />)).toBe('To fix No gaps found.')
  expect(textOf(<GapList result={resultOf()} gaps={[]} empty="All done." />)).toBe(
    'To fix All done.',
  )
})

const trendOf = (over: Partial<Trend>): Trend => ({
  change: null,
  compared: { judged: 110, applicable: 110 },
  no_trend: null,
  ...over,
})

const comparisonOf = (over: Partial<Trend>): GapChanges => ({
  ...trendOf(over),
  new: [],
  fixed: [],
  still_open: [],
  not_judged: [],
  newly_judged: [],
  not_seen: [],
})

test('a score card tells the change since the audit before', () => {
  const card = (over: Partial<Trend>) =>
    textOf(
      <ScoreCard
        result={resultOf()}
        since={{ ...trendOf(over), checked_at: '2026-11-14T00:00:00Z' }}
        now={new Date('2026-11-21T09:42:00Z')}
      />,
    )
  expect(card({ change: 17 })).toMatch(/Up 17 since Nov 14, 2026 Judged/)
  expect(card({ change: -2 })).toContain('Down 2 since Nov 14, 2026')
  expect(card({ change: 0 })).toContain('Unchanged since Nov 14, 2026')
  const part = card({ change: 4, compared: { judged: 88, applicable: 110 } })
  expect(part).toContain('Up 4 since Nov 14, 2026 Compared are the 88 of 110 rules')
  const little = card({ no_trend: 'too_little_judged', compared: { judged: 7, applicable: 110 } })
  expect(little).toContain('There is no trend: both audits judged only 7 of the 110 rules')
  expect(little).not.toContain('since')
  expect(card({ change: 0 })).toContain('Audited 12 minutes ago')
})

test('a score card says how much of the catalog was read', () => {
  const card = (catalog_seen: AuditResult['catalog_seen']) => (
    <ScoreCard result={resultOf({ catalog_seen })} />
  )
  expect(textOf(card({ products: 300, of: 10_080, pages: 3 }))).toContain(
    '300 of 10,080 products were read. Catalog checks cover only these products.',
  )
  expect(textOf(card({ products: 45, of: 45, pages: 1 }))).not.toContain('alone')
  expect(textOf(card(undefined))).not.toContain('products')
  expect(html(card({ products: 3, of: null, pages: 1, stopped: HOSTILE }))).not.toContain('<script')
})

test('a score card counts gaps by severity', () => {
  const gaps = [gapOf('a', { severity: 'critical' }), gapOf('b'), gapOf('c')]
  const text = textOf(<ScoreCard result={resultOf({ gaps })} />)
  expect(text).toContain('1 critical 2 medium')
  expect(text).not.toContain('high')
  expect(textOf(<ScoreCard result={resultOf()} />)).toContain('No gaps')
})

test('what passed and what was skipped', () => {
  const notes = { checkout_fast: 'p95 240 ms' }
  expect(textOf(<PassedList passed={['https_enabled', 'checkout_fast']} notes={notes} />)).toBe(
    'Passed (2) The store answers over HTTPS Carts are answered within 3 seconds p95 240 ms',
  )
  expect(textOf(<PassedList passed={['constructor']} notes={{}} />)).toBe('Passed (1) Constructor')
  expect(html(<SkippedList skipped={[]} />)).toBe('')
  expect(
    textOf(<SkippedList skipped={[{ id: 'feed_missing', check: 'feed', reason: 'HTTP 503' }]} />),
  ).toMatch(/^Not judged \(1\) .* A product feed that can be found HTTP 503$/)
})

test('a check leads to its page where there is one', () => {
  const docs = (gap: string) => `/gaps/${gap}`
  const passed = ['checkout_fast', 'merchant_center_connected', 'constructor']
  const list = html(<PassedList passed={passed} docs={docs} />)
  expect(list.match(/href="[^"]*"/g)).toEqual(['href="/gaps/checkout_slow"'])
  const skipped = [{ id: 'feed_missing', check: 'feed' as const, reason: 'HTTP 503' }]
  expect(html(<SkippedList skipped={skipped} docs={docs} />)).toContain('href="/gaps/feed_missing"')
})

test('which pages were judged as product pages, and why', () => {
  const page = { url: 'https://shop.example/a', found_by: 'sitemap', because: ['one', 'two'] }
  expect(html(<JudgedPages pages={[]} />)).toBe('')
  expect(textOf(<JudgedPages pages={[page]} />)).toBe(
    'Product pages that were judged (1) https://shop.example/a listed in a sitemap; one; two',
  )
  expect(textOf(<JudgedPages pages={[{ ...page, found_by: 'later' }]} />)).toContain('/a one; two')
})

const runOf = (
  day: number,
  score: number,
  grade: Run['grade'],
  change: number | null = null,
): Run => ({
  checked_at: `2026-11-0${day}T10:00:00Z`,
  score,
  grade,
  trend: change === null ? null : trendOf({ change }),
  compares: true,
})

test('history is newest first with the change from run to run', () => {
  const runs = [runOf(1, 41, 'C'), runOf(3, 71, 'B', -4), runOf(2, 75, 'B', 34)]
  const list = <HistoryList runs={runs} />
  expect(textOf(list)).toMatch(/B 71 4 down .*B 75 34 up .*C 41$/)
  expect(textOf(list)).toContain('Score over 3 audits: first 41, last 71.')
  expect(count(<HistoryList runs={[runOf(1, 41, 'C')]} />, /<svg/g)).toBe(0)
  expect(textOf(<HistoryList runs={[]} />)).toBe('No audits yet.')
})

test('without a trend there is no change, and the line shows only what compares', () => {
  const runs = [
    { ...runOf(3, 71, 'B', 30) },
    {
      ...runOf(2, 12, 'D'),
      trend: trendOf({ no_trend: 'measured_differently' }),
      compares: false,
      about: 'checks: Feed',
    },
    { ...runOf(1, 41, 'C'), trend: trendOf({ no_trend: 'too_little_judged' }) },
  ]
  const text = textOf(<HistoryList runs={runs} />)
  expect(text).toMatch(
    /B 71 30 up .*checks: Feed D 12 not comparable .*C 41 too little judged to compare$/,
  )
  expect(text).toContain('Score over 2 audits: first 41, last 71.')
})

test('a comparison lists new, fixed and remaining gaps', () => {
  const text = textOf(
    <ComparisonSummary
      {...comparisonOf({ change: -3 })}
      new={[gapOf('a')]}
      still_open={[gapOf('b'), gapOf('c', { severity: 'critical' })]}
    />,
  )
  expect(text).toMatch(
    /fell by 3\. New \(1\) Medium Label of a Still open \(2\) Critical Label of c Medium Label of b$/,
  )
})

test('a comparison says what was not seen, and why', () => {
  const text = textOf(
    <ComparisonSummary
      {...comparisonOf({ no_trend: 'too_little_judged', compared: { judged: 7, applicable: 110 } })}
      newly_judged={[gapOf('a')]}
      not_judged={[gapOf('b')]}
      not_seen={[{ reason: 'HTTP 503', rules: 103 }]}
    />,
  )
  expect(text).toMatch(
    /only 7 of the 110 rules that apply\. Open, but not judged before \(1\) Medium Label of a Open before, not judged this time \(1\) Medium Label of b Judged before, not seen this time \(103\) HTTP 503 \(103 rules\)$/,
  )
})

test('what a merchant wrote is text, wherever it stands', () => {
  const gap = gapOf(HOSTILE, {
    label: HOSTILE,
    detail: HOSTILE,
    fix: HOSTILE,
    note: HOSTILE,
    fix_url: HOSTILE,
    docs_url: `https://x.example/"onclick="alert(1)`,
  })
  const page = html(
    <>
      <ScoreCard result={resultOf({ domain: HOSTILE, checked_at: HOSTILE, gaps: [gap] })} />
      <GapList result={resultOf()} gaps={[gap]} />
      <PassedList passed={[HOSTILE]} notes={{ [HOSTILE]: HOSTILE }} />
      <JudgedPages pages={[{ url: HOSTILE, found_by: HOSTILE, because: [HOSTILE] }]} />
      <SkippedList skipped={[{ id: HOSTILE, check: 'feed', reason: HOSTILE }]} />
      <ComparisonSummary
        {...comparisonOf({})}
        fixed={[gap]}
        new={[gap]}
        still_open={[gap]}
        not_seen={[{ reason: HOSTILE, rules: 1 }]}
      />
    </>,
  )
  expect(markupOf(page).filter((name) => /^(style|script|img|on\w+)$/.test(name))).toEqual([])
  expect(page).toContain('&lt;script>')
})

test('numbers and dates are those of the locale', () => {
  const page = textOf(
    <LanguageContext.Provider value={{ locale: 'de', dates: 'de' }}>
      <ScoreCard result={resultOf()} />
    </LanguageContext.Provider>,
  )
  expect(page).toContain('21. Nov. 2026')
})

const ITEM = {
  id: 'google_pay',
  state: 'no' as const,
  label: 'Google Pay',
  evidence: 'It is not offered.',
  fix: 'Offer it.',
  source: 'https://vendor.example/pay',
}

test('a surface says how much is in place, and lists only what is left', () => {
  const items = [
    { ...ITEM, id: 'orders', label: 'Orders', state: 'yes' as const },
    { ...ITEM, id: 'account', label: 'The account', state: 'unknown' as const, fix: 'Ask.' },
    ITEM,
  ]
  const lists = <ReadinessLists groups={[{ surface: 'x', label: 'Checkout on X', items }]} newTab />
  expect(textOf(lists)).toMatch(
    /Checkout on X 1 of 2 in place, 1 to check yourself Google Pay missing It is not offered\. Offer it\. Read the requirement The account check yourself Ask\. Read the requirement$/,
  )
  expect(textOf(lists)).not.toContain('Orders')
  expect(count(lists, /target="_blank" rel="noopener"/g)).toBe(2)
})

test('without a surface, and in results of earlier versions, there is nothing', () => {
  expect(html(<ReadinessLists groups={[]} />)).toBe('')
  expect(html(<ReadinessLists groups={undefined} />)).toBe('')
})

test('what a stranger’s result says of a surface is text', () => {
  const item = { ...ITEM, label: HOSTILE, evidence: HOSTILE, source: 'javascript:alert(1)' }
  const group = { surface: 'x', label: HOSTILE, items: [item] }
  const names = markupOf(html(<ReadinessLists groups={[group]} />))
  expect(names).not.toContain('script')
  expect(names).not.toContain('href=')
  expect(count(<ReadinessLists groups={[group]} />, /href/g)).toBe(0)
})
