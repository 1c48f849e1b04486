import { expect, test } from 'vitest'
import { gapOf } from '../../view/testing/markup.ts'
import type { AuditResult } from '../result/result.ts'
import { DEFAULT_CHECKS } from '../vocabulary.ts'
import { splitNoProtocol } from './no-protocol.ts'
import { auditVerdict } from './verdict.ts'

const NO_PROTOCOL = ['well_known_missing', 'catalog_unreachable', 'checkout_unreachable'].map(
  (id) => gapOf(id, { severity: 'critical', cap: 'critical_gap' }),
)
const MARKUP = gapOf('product_schema_missing', { severity: 'high' })
const said = (over: Partial<AuditResult>) =>
  auditVerdict({ gaps: [], cap: null, checks: [...DEFAULT_CHECKS], ...over })

test('what has one cause is taken out of the others, where all of it is there', () => {
  const split = splitNoProtocol([...NO_PROTOCOL, MARKUP])
  expect(split?.cause).toHaveLength(3)
  expect(split?.rest).toEqual([MARKUP])
  expect(splitNoProtocol([...NO_PROTOCOL.slice(1), MARKUP])).toBeNull()
})

test.each<[string, Partial<AuditResult>, RegExp | null]>([
  ['nothing stops them', {}, /read its products and buy\.$/],
  ['no protocol', { gaps: NO_PROTOCOL }, /^AI agents can find and read .* as people do\.$/],
  ['nor markup', { gaps: [...NO_PROTOCOL, MARKUP] }, /have to guess .* as people do\.$/],
  [
    'a checkout without options',
    { gaps: [gapOf('a', { cap: 'cannot_buy' }), gapOf('b', { cap: 'wrong_price' })] },
    /cannot buy/,
  ],
  ['wrong prices', { gaps: [gapOf('a', { cap: 'wrong_price' })] }, /wrong prices/],
  ['kept out', { gaps: [...NO_PROTOCOL, gapOf('a', { cap: 'kept_out' })] }, /kept out/],
  [
    'a checkout that nobody saw',
    { cap: { at: 79, reason: 'checkout_not_judged', gaps: [] } },
    /not known/,
  ],
  ['an audit of the catalog alone', { checks: ['catalog'] }, null],
])('%s', (_, over, words) => {
  if (words === null) expect(said(over)).toBeNull()
  else expect(said(over)).toMatch(words)
})
