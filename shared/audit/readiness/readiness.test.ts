import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { WalkSeen } from '../../walk/seen.ts'
import { rulesOf } from '../checks/index.ts'
import { narrowResult } from '../result/narrow.ts'
import { AuditResult, NO_LINKS, toResult } from '../result/result.ts'
import { gap, notApplicable, pass, skip } from '../rule.ts'
import { CHECK_NAMES } from '../vocabulary.ts'
import type { ReadinessItem } from './groups.ts'
import { readinessOf } from './readiness.ts'
import { ROUTES } from './routes.ts'
import { inPlaceText, openItems } from './summary.ts'
import { VENDOR_PAGES } from './vendor-pages.ts'
import { ROUTE_VENDORS } from './vendors.ts'

const AT = new Date('2026-11-20T10:00:00Z')

const itemOf = (id: string, state: ReadinessItem['state']): ReadinessItem => ({
  id,
  state,
  label: id,
  evidence: 'It is so.',
  fix: 'Change it.',
  source: 'https://vendor.example/',
})

/** What a store may have of each surface. */
const groups = fc.tuple(
  ...ROUTES.map(({ surface, label, requirements }) =>
    fc.tuple(...requirements.map(() => fc.constantFrom('yes', 'no', 'unknown'))).map((states) => ({
      surface,
      label,
      items: requirements.map(({ id }, index) => itemOf(id, states[index] ?? 'no')),
    })),
  ),
)

test('nothing of it ever changes the score, of the whole or of a part', () => {
  const rules = rulesOf(CHECK_NAMES)
  const verdict = fc.constantFrom(gap('x'), pass(), skip('x'), notApplicable('x'))
  fc.assert(
    fc.property(
      groups,
      fc.array(verdict, { minLength: rules.length, maxLength: rules.length }),
      fc.subarray([...CHECK_NAMES], { minLength: 4 }),
      (readiness, verdicts, checks) => {
        const outcomes = rules.map((rule, index) => ({ rule, verdict: verdicts[index]! }))
        const resultOf = (lists: typeof readiness | []) =>
          toResult('shop.example', CHECK_NAMES, outcomes, AT, NO_LINKS, { readiness: lists })
        const [without, having] = [resultOf([]), resultOf(readiness)]
        expect({ ...having, readiness: [] }).toEqual(without)
        expect(AuditResult.parse(having)).toEqual(having)
        expect({ ...narrowResult(having, checks), readiness: [] }).toEqual(
          narrowResult(without, checks),
        )
      },
    ),
  )
})

test('each requirement has an id of its own on its route, words, and a page with its day', () => {
  expect(new Set(ROUTES.map(({ surface }) => surface)).size).toBe(ROUTES.length)
  for (const { requirements, vendor } of ROUTES) {
    expect(ROUTE_VENDORS.map(({ id }) => id)).toContain(vendor)
    expect(new Set(requirements.map(({ id }) => id)).size).toBe(requirements.length)
    for (const { id, label, fix, page, check, where } of requirements) {
      expect(id).toMatch(/^[a-z][a-z0-9_]+$/)
      expect(page.url).toMatch(/^https:\/\//)
      expect(page.read).toMatch(/^20\d\d-\d\d-\d\d$/)
      expect(label).toMatch(/^[A-Za-z]/)
      expect(fix).toMatch(/^[A-Z].*\.$/)
      expect(where === undefined, id).toBe(check !== null)
    }
  }
})

test('each vendor has a route, and each page is asked for by one', () => {
  const used = ROUTES.flatMap(({ requirements }) => requirements.map(({ page }) => page.url))
  expect(Object.values(VENDOR_PAGES).filter(({ url }) => !used.includes(url))).toEqual([])
  for (const { id } of ROUTE_VENDORS) {
    expect(ROUTES.some(({ vendor, ended }) => vendor === id && ended === undefined)).toBe(true)
  }
})

test('what is missing stands before what cannot be seen', () => {
  const items = [itemOf('a', 'unknown'), itemOf('b', 'yes'), itemOf('c', 'no')]
  const open = openItems({ items })
  expect(open.map(({ id }) => id)).toEqual(['c', 'a'])
  // Both say the same.
  expect(open.map(({ evidence }) => evidence)).toEqual(['It is so.', null])
  expect(inPlaceText({ items })).toBe('1 of 2 in place, 1 to check yourself')
  expect(inPlaceText({ items: [itemOf('a', 'unknown')] })).toBe('1 to check yourself')
})

const judged = (failure: WalkSeen['judged'][number]['failure']): WalkSeen => ({
  started_at: AT.toISOString(),
  mode: 'look',
  whole: true,
  judged: [
    {
      expectation: 'link_leads_on',
      protocol: 'ucp',
      label: 'UCP over REST',
      held: failure === null,
      failure,
    },
  ],
})
const EMPTY = { party: 'store', found: 'The page names none.', intent: 'x', step: 'x' } as const

test.each([
  ['no walk', null, 'unknown'],
  ['a link to the goods', judged(null), 'yes'],
  ['a link to an empty basket', judged(EMPTY), 'no'],
])('the link of a cart that is handed over, by %s', (_, walk, state) => {
  const groups = readinessOf(['checkout'], { walk })
  const cart = groups.find(({ surface }) => surface === 'google_cart_transfer')
  expect(cart?.items.find(({ id }) => id === 'cart_link')?.state).toBe(state)
})
