import { expect, test } from 'vitest'
import type { Gap } from '../result/result.ts'
import { gapTicket } from './ticket.ts'

const gap: Gap = {
  id: 'product_schema_gtin_invalid',
  check: 'schema',
  severity: 'medium',
  label: 'A GTIN in the markup is invalid',
  detail: 'gtin13 is "123"',
  fix: 'Use the number below the barcode.',
  fix_url: null,
  docs_url: 'https://aisle.example/gaps/product_schema_gtin_invalid',
  points: 2,
}
const at = { domain: 'shop.example', checked_at: '2026-11-21T09:00:00.000Z' }
const remedy = {
  name: 'Shopify',
  remedy: {
    steps: 'Products > the product: fill in Barcode.',
    who: 'merchant',
    effort: 'hours',
    source: 'https://help.shopify.com/en/manual/products/details',
  },
} as const

test('a ticket says what is wrong, what to do there, by whom, what was found and where to read', () => {
  expect(gapTicket(at, gap, remedy)).toBe(`## A GTIN in the markup is invalid

Medium, +2 · \`product_schema_gtin_invalid\` at \`shop.example\`, found 2026-11-21T09:00:00.000Z

**On Shopify:** Products \\> the product: fill in Barcode.

Who: you, in the admin of the store. Effort: up to a day.

**On any platform:** Use the number below the barcode.

**Found:** \`gtin13 is "123"\`

- <https://aisle.example/gaps/product_schema_gtin_invalid>
- <https://help.shopify.com/en/manual/products/details>
`)
})

test('without a platform it has the words of the rule', () => {
  const ticket = gapTicket(at, { ...gap, docs_url: null, points: undefined }, null)
  expect(ticket).toContain('**To do:** Use the number below the barcode.')
  expect(ticket).not.toMatch(/Who:|\+2|<https/)
})

test('what a store wrote is nothing but text', () => {
  const hostile = '<img src=x>`](javascript:alert(1)) @everyone\n# Heading\n- [ ] task'
  const ticket = gapTicket(
    { ...at, domain: hostile },
    {
      ...gap,
      id: hostile,
      label: hostile,
      detail: hostile,
      fix: hostile,
      docs_url: 'javascript:alert(1)',
      fix_url: 'https://x.example/> <b>',
    },
    null,
  )
  const outside = ticket.replaceAll(/(`+)(?:(?!\1).)*?\1(?!`)/g, '')
  expect(outside).not.toMatch(/(?<!\\)[<@[]/)
  expect(ticket.split('\n').filter((line) => /^#|^- \[/.test(line))).toHaveLength(1)
  expect(ticket).not.toContain('<javascript')
})
