import { expect, test } from 'vitest'
import { GAP_RULES } from '../checks/index.ts'
import { findRemedy, REMEDIES, remediesOf } from './remedies.ts'
import { SHOP_PLATFORMS } from './signs.ts'

const GAPS = new Set(GAP_RULES.map(({ gap }) => gap))

test.each(SHOP_PLATFORMS)(
  'what to do on %s is about gaps that there are, each once',
  (platform) => {
    const named = REMEDIES[platform].flatMap(({ gaps }) => gaps)
    expect(named.filter((gap) => !GAPS.has(gap))).toEqual([])
    expect(new Set(named).size).toBe(named.length)
    expect(named.length).toBeGreaterThan(0)
  },
)

test.each(SHOP_PLATFORMS)('what to do on %s has its steps and a page to read on', (platform) => {
  for (const { steps, source } of REMEDIES[platform]) {
    expect(steps).toMatch(/^[A-Zr].{40,}\.$/)
    expect(new URL(source).protocol).toBe('https:')
  }
})

test('a remedy is found by platform and gap, and by gap alone', () => {
  expect(findRemedy('shopify', 'dark_traffic_untracked')?.steps).toContain('theme.liquid')
  expect(findRemedy('shopify', 'checkout_slow')).toBeNull()
  expect(findRemedy('shopify', 'constructor')).toBeNull()
  expect(remediesOf('robots_blocks_ai_agents').map(({ name }) => name)).toContain('PrestaShop')
  expect(remediesOf('checkout_slow')).toEqual([])
})
