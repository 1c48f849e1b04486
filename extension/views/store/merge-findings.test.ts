import { expect, test } from 'vitest'
import type { AuditResult, Gap } from '../../../shared/audit/result/result.ts'
import type { PageAudit } from '../../page/audit/page-audit.ts'
import { mergeFindings } from './merge-findings.ts'

const gap = (id: string, over: Partial<Gap> = {}): Gap => ({
  id,
  check: 'schema',
  severity: 'high',
  label: id,
  detail: '',
  fix: '',
  fix_url: null,
  docs_url: null,
  ...over,
})

const result = (over: Partial<AuditResult> = {}): AuditResult => ({
  domain: 'shop.example',
  score: 70,
  grade: 'B',
  checked_at: '2026-11-21T10:00:00.000Z',
  gaps: [],
  breakdown: {},
  coverage: { judged: 0, applicable: 0, breakdown: {} },
  cap: null,
  first_steps: null,
  passed: [],
  passed_notes: {},
  skipped: [],
  product_pages: [],
  readiness: [],
  checks: ['schema', 'attribution'],
  engine_version: '1',
  ...over,
})

const page = (over: Partial<AuditResult>, rest: Partial<PageAudit> = {}): PageAudit => ({
  url: 'https://shop.example/products/mug',
  origin: 'https://shop.example',
  domain: 'shop.example',
  kind: { is: 'product', because: [] },
  is_scored: true,
  place: 'product',
  title: null,
  at: '2026-11-21T11:00:00.000Z',
  result: result(over),
  found: { products: [], organizations: [], snippet: null, json_ld_blocks: 0, broken_blocks: 0 },
  needs_script: [],
  served: { ok: true, status: 200 },
  targets: {},
  ms: 1,
  ...rest,
})

const MISSING = gap('product_schema_missing')
const passedMissing = { passed: ['product_schema_present'] }
const skippedMissing = {
  skipped: [{ id: MISSING.id, check: 'schema' as const, reason: 'no product page was found' }],
}
const seenAsShown = { served: { ok: false as const, reason: 'status' as const, detail: '403' } }

test.each<[string, PageAudit | null, AuditResult, string, string | undefined]>([
  ['the server alone', null, result({ gaps: [MISSING] }), 'server', undefined],
  ['both', page({ gaps: [MISSING] }), result({ gaps: [MISSING] }), 'both', undefined],
  [
    'the page, and the server said nothing of it',
    page({ gaps: [MISSING] }),
    result(),
    'page',
    undefined,
  ],
  [
    'the page, after the server passed it',
    page({ gaps: [MISSING] }),
    result(passedMissing),
    'page',
    'This passed on the server earlier, or on other pages of the store.',
  ],
  [
    'the page, before the server passed it',
    page({ gaps: [MISSING] }, { at: '2026-11-20T00:00:00.000Z' }),
    result(passedMissing),
    'page',
    'This passes on the server, which reads up to five other pages of the store.',
  ],
  [
    'the page as it is shown',
    page({ gaps: [MISSING] }, seenAsShown),
    result(passedMissing),
    'page',
    'This passes on the server, which reads the HTML as it is sent. Here the page was read as your browser shows it.',
  ],
  [
    'the page, and the server could not judge',
    page({ gaps: [MISSING] }),
    result(skippedMissing),
    'page',
    'The server could not judge this: no product page was found.',
  ],
  [
    'the server, and the page passed',
    page(passedMissing),
    result({ gaps: [MISSING] }),
    'server',
    'It passes on this page. The server found the gap on other pages, or earlier.',
  ],
  [
    'the server, and the shown page passed',
    page(passedMissing, seenAsShown),
    result({ gaps: [MISSING] }),
    'server',
    'It passes on this page as your browser shows it. The server reads the HTML before any script runs.',
  ],
  [
    'the server, and the page cannot tell',
    page(skippedMissing),
    result({ gaps: [MISSING] }),
    'server',
    'This cannot be judged from this page alone: no product page was found.',
  ],
  [
    'the server, of what no page shows',
    page({}),
    result({ gaps: [gap('well_known_missing', { check: 'well_known' })] }),
    'server',
    undefined,
  ],
])('seen by %s', (_, seenHere, seenThere, origin, note) => {
  const [merged, ...others] = mergeFindings(seenHere, seenThere)
  expect(others).toEqual([])
  expect(merged?.origin).toBe(origin)
  expect(merged?.note).toBe(note)
})

test('the list is worst first, whoever found it', () => {
  const merged = mergeFindings(
    page({ gaps: [gap('a', { severity: 'medium' }), gap('b', { severity: 'low' })] }),
    result({ gaps: [gap('c', { severity: 'critical' }), gap('d', { severity: 'medium' })] }),
  )
  expect(merged.map(({ id }) => id)).toEqual(['c', 'a', 'd', 'b'])
})
