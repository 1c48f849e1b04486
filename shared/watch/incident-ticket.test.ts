import { expect, test } from 'vitest'
import type { Incident } from './incident.ts'
import { incidentTicket } from './incident-ticket.ts'

const INCIDENT: Incident = {
  id: '0190a000-0000-7000-8000-000000000000',
  domain: 'shop.example',
  kind: 'gap',
  subject: 'catalog_empty',
  severity: 'critical',
  label: 'The catalog is empty',
  detail: 'The catalog has no product, expected at least one.',
  fix: 'Connect the catalog endpoint to the product data.',
  points: 24,
  changes: [
    {
      request: 'GET https://shop.example/c',
      what: 'status',
      name: null,
      before: '200',
      after: '404',
    },
    { request: 'GET https://shop.example/c', what: 'field', name: '/a', before: 'x', after: null },
  ],
  steps: [{ dialect: 'UCP', intent: 'the cheapest', step: 'Find the product', found: 'A 404.' }],
  known: false,
  well_at: '2026-11-25T12:00:00.000Z',
  first_seen_at: '2026-11-25T13:00:00.000Z',
  last_seen_at: '2026-11-25T15:00:00.000Z',
  opened_at: '2026-11-25T13:01:00.000Z',
  closed_at: null,
}
const URL = 'https://aisle.example/watches/shop.example/incidents/1'
const DOCS = 'https://aisle.example/gaps/catalog_empty'
const ticketOf = (change: Partial<Incident> = {}) =>
  incidentTicket({
    incident: { ...INCIDENT, ...change },
    url: URL,
    docsUrl: DOCS,
    remedy: null,
    cost: [],
  })

test('a ticket says what broke, since when, what to do and what changed', () => {
  expect(ticketOf()).toBe(`## The catalog is empty

critical, 24 points · \`catalog_empty\` at \`shop.example\` · first seen 2026-11-25T13:00:00.000Z, last well 2026-11-25T12:00:00.000Z

**To do:** Connect the catalog endpoint to the product data.

**What changed:**

- \`GET https://shop.example/c\`: status was \`200\`, is \`404\`
- \`GET https://shop.example/c\`: field \`/a\` was \`x\`, is not there

**Steps of a purchase that no longer work:**

- Find the product (UCP): \`A 404.\`

**Found:** \`The catalog has no product, expected at least one.\`

- <${URL}>
- <${DOCS}>
`)
})

test('what is not known is left out', () => {
  const ticket = ticketOf({ points: null, changes: [], steps: [], known: true, well_at: null })
  expect(ticket).toContain('critical · `catalog_empty`')
  expect(ticket).toContain('there before 2026-11-25T13:00:00.000Z')
  expect(ticket).not.toMatch(/What changed|Steps of|last well|null/)
})

test.each([
  '<img src=x onerror=alert(1)>',
  '`` ` ```\n# heading',
  '[a](javascript:alert(1)) @everyone #1',
  '| a | b |\n|---|---|',
])('nothing that a shop wrote is markup: %j', (hostile) => {
  const change = { request: hostile, what: 'field', name: hostile, before: hostile, after: hostile }
  const lines = ticketOf({
    label: hostile,
    detail: hostile,
    changes: [{ ...change, what: 'field' }],
    steps: [{ dialect: hostile, intent: hostile, step: hostile, found: hostile }],
  }).split('\n')
  // Each heading is ours, and a code span closes on its own line.
  expect(lines.filter((line) => /^#/.test(line))).toHaveLength(1)
  expect(lines.filter((line) => /^\|/.test(line))).toEqual([])
  const bare = lines.map((line) => line.replaceAll(/(`+)(?!`).*?(?<!`)\1(?!`)/g, ''))
  expect(bare.join('\n').replaceAll(/\\./g, '')).not.toMatch(/<img|`|\]\(|@every/)
})
