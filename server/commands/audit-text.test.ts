import { expect, test } from 'vitest'
import type { ReadinessItem } from '../../shared/audit/readiness/groups.ts'
import type { AuditResult } from '../../shared/audit/result/result.ts'
import { formatReport } from './audit-text.ts'
import { painter } from './terminal/paint.ts'

const itemOf = (id: string, state: ReadinessItem['state'], evidence: string): ReadinessItem => ({
  id,
  state,
  label: `Label of ${id}`,
  evidence,
  fix: `Mend ${id}.`,
  source: 'https://vendor.example/',
})

const result: AuditResult = {
  domain: 'shop.example',
  score: 52,
  grade: 'C',
  checked_at: '2026-11-20T10:00:00.000Z',
  gaps: [
    {
      id: 'catalog_empty',
      check: 'catalog',
      severity: 'critical',
      label: 'The catalog is empty',
      detail: `https://shop.example/ucp/products lists \u001b[2J\r\nno products. ${'word '.repeat(40)}`,
      fix: 'Connect the catalog.',
      fix_url: null,
      docs_url: null,
      points: 7,
      held_back: true,
    },
    {
      id: 'price_mismatch',
      check: 'catalog',
      severity: 'high',
      label: 'Prices differ',
      detail: '12 and 13.',
      fix: 'Send one price.',
      fix_url: null,
      docs_url: null,
      points: 5,
      held_back: true,
    },
  ],
  breakdown: { discoverability: 96, catalog: 0 },
  coverage: { judged: 12, applicable: 20, breakdown: { catalog: { judged: 3, applicable: 9 } } },
  cap: { reason: 'critical_gap', at: 59, gaps: ['catalog_empty'] },
  first_steps: { gaps: ['catalog_empty', 'price_mismatch'], scores: [60, 64], score: 64 },
  passed: ['https_enabled'],
  passed_notes: {},
  skipped: [{ id: 'feed_missing', check: 'feed', reason: 'GET … answered 503' }],
  product_pages: [
    { url: 'https://shop.example/p/1', found_by: 'sitemap', because: ['it is sold', 'it is one'] },
  ],
  readiness: [
    {
      surface: 'google_native_checkout',
      label: 'Checkout on Google',
      vendor: 'google',
      shortest: true,
      items: [
        itemOf('seen', 'yes', 'It answers.'),
        itemOf('elsewhere', 'unknown', 'It cannot be seen.'),
        itemOf('absent', 'no', 'The profile lacks it.'),
      ],
    },
  ],
  checks: ['catalog'],
  engine_version: '1',
}

test('a report names score, parts, gaps with evidence and fix, and what was skipped', () => {
  const text = String(formatReport(result, painter(false)))
  for (const part of [
    'shop.example   52 of 100, grade C',
    'Judged 12 of 20 rules.',
    'At most 59 while a critical gap is open or hidden: The catalog is empty.',
    'Close first, together 52 → 64: The catalog is empty; Prices differ.',
    'catalog           0',
    '3 of 9',
    'critical  The catalog is empty  +7  catalog_empty',
    'While this is open, the score is at most 59. Close it first.',
    'high      Prices differ  +5 once not capped  price_mismatch',
    'Fix: Connect the catalog.',
    'Routes to market; not in the score',
    'Checkout on Google  1 of 2 in place, 1 to check yourself; the shortest',
    'Missing: Label of absent.',
    'To check: Label of elsewhere.',
    'What to do about each: --json, or the page of the audit.',
    'Judged as product pages: 1.',
    'https://shop.example/p/1; it is sold; it is one',
    'Passed: 1. Could not be judged: 1.',
    'GET … answered 503: feed_missing',
  ]) {
    expect(text).toContain(part)
  }
  expect(text).not.toContain('Label of seen')
  expect(text.split('\n').every((line) => line.length <= 100)).toBe(true)
})

test.each([
  [{ products: 300, of: 10_080, pages: 3 }, '300 of 10,080 products were read. Catalog checks'],
  [{ products: 45, of: 45, pages: 1 }, '45 of 45 products were read.\n'],
  [{ products: 300, of: null, pages: 3 }, '300 products were read; how many there are is not'],
  [
    { products: 9, of: 45, pages: 1, stopped: 'GET … answered \u001b[2J429' },
    'ended early: GET … answered \\x1b[2J429.',
  ],
])('%j is said', (catalog_seen, sentence) => {
  const text = String(formatReport({ ...result, catalog_seen }, painter(false), 400))
  expect(text).toContain(sentence)
})

test('what to do on the platform of the store stands below what to do anywhere', () => {
  const [gap] = result.gaps
  const gaps = gap === undefined ? [] : [{ ...gap, id: 'dark_traffic_untracked' }]
  const platform = { id: 'shopify' as const, name: 'Shopify', seen_by: ['the header X-ShopId'] }
  const text = String(formatReport({ ...result, gaps, platform }, painter(false), 400))
  expect(text).toContain('This store runs on Shopify, recognised by the header X-ShopId.')
  expect(text).toMatch(/Fix: Connect.*\n +On Shopify: .*theme\.liquid/)
  expect(String(formatReport(result, painter(false), 400))).not.toMatch(/runs on|On \w+:/)
})

test('text of the audited site cannot steer the terminal', () => {
  const text = String(formatReport(result, painter(true)))
  expect(text).toContain('\\x1b[2J')
  expect(text).not.toContain('\u001b[2J')
  expect(text).not.toContain('\r')
})

test('colour is only where it is asked for', () => {
  expect(String(formatReport(result, painter(false)))).not.toContain('\u001b')
  expect(String(formatReport(result, painter(true)))).toContain('\u001b[')
})

test('a store without an agent protocol has one decision below what it can fix without', () => {
  const ids = ['well_known_missing', 'catalog_unreachable', 'checkout_unreachable', 'feed_missing']
  const gaps = ids.map((id) => ({ ...result.gaps[0]!, id, label: `Label of ${id}` }))
  const text = String(formatReport({ ...result, gaps }, painter(false), 400))
  expect(text).toMatch(
    /Label of feed_missing.*speaks no agent protocol.*one decision.*Label of well_known_missing/s,
  )
  const some = String(formatReport({ ...result, gaps: gaps.slice(1) }, painter(false), 400))
  expect(some).not.toContain('speaks no agent protocol')
})

test('the tag of a fix says what its placeholder is', () => {
  const fix = 'Put <script src="{cdn_url}/attribution.js"></script> into the <head>.'
  const gaps = [{ ...result.gaps[0]!, fix }]
  expect(String(formatReport({ ...result, gaps }, painter(false), 400))).toContain(
    '<script src="<address of your Aisle>/attribution.js">',
  )
})

test('what was found in a store on this machine has the addresses that a browser opens', () => {
  const detail = 'GET https://localhost-3000.test/p/1 answered 404.'
  const gaps = [{ ...result.gaps[0]!, detail }]
  const local = { ...result, domain: 'localhost-3000.test', gaps }
  expect(String(formatReport(local, painter(false)))).toContain('http://localhost:3000/p/1')
  expect(String(formatReport({ ...result, gaps }, painter(false)))).toContain(
    'https://localhost-3000.test/p/1',
  )
})
