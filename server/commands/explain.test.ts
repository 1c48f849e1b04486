import { expect, test } from 'vitest'
import { GAP_RULES } from '../../shared/audit/checks/index.ts'
import { gapWords } from '../../shared/audit/words.ts'
import { explainCommand } from './explain.ts'
import { readTerminal } from './testing/read-terminal.ts'

function explain(id: string | undefined, flags: { json?: boolean } = {}, width = 80): string {
  const { terminal, read } = readTerminal({ width })
  explainCommand(id, flags, terminal)
  return read()
}

test.each(GAP_RULES.map(({ gap }) => gap))('%s has its page in the terminal', (gap) => {
  const { label, fix, meaning, why, before } = gapWords(gap)
  const page = explain(gap).replace(/\s+/g, ' ')
  for (const part of [label, meaning, why, fix]) expect(page).toContain(part.replace(/\s+/g, ' '))
  expect(JSON.parse(explain(gap, { json: true }))).toMatchObject({ id: gap, before })
})

test('what to do on each platform is part of the page', () => {
  const page = explain('dark_traffic_untracked', {}, 400)
  expect(page).toMatch(/On Shopify: .*theme\.liquid/)
  const { platforms } = JSON.parse(explain('dark_traffic_untracked', { json: true }))
  expect(platforms[0]).toMatchObject({ name: 'Shopify', who: 'developer', effort: 'minutes' })
})

test('without an id all are listed', () => {
  const listed = explain(undefined).split('\n')
  expect(listed).toHaveLength(GAP_RULES.length)
  expect(JSON.parse(explain(undefined, { json: true }))).toHaveLength(GAP_RULES.length)
})

test.each([
  ['checkout-price-mismatch', 'Did you mean checkout_price_mismatch?'],
  ['price', 'Did you mean '],
  ['qqq', 'List them all with: aisle explain'],
  ['__proto__', 'is not a gap'],
  ['', 'is not a gap'],
])('%j is no gap, and the error says which there are', (typed, said) => {
  expect(() => explain(typed)).toThrow(said)
})
