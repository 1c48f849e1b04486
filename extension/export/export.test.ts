import { expect, test } from 'vitest'
import { readPage } from '../../shared/markup/page.ts'
import { type ExportedAudit, exportName, toJson } from './exported-audit.ts'
import { toHtml } from './html.ts'
import { toMarkdown } from './markdown.ts'

const audit = (over: Partial<ExportedAudit['gaps'][number]> = {}): ExportedAudit => ({
  of: 'store',
  subject: 'https://shop.example/products/mug',
  result: {
    domain: 'shop.example',
    score: 62,
    grade: 'B',
    checked_at: '2026-11-21T10:00:00.000Z',
    gaps: [],
    breakdown: { discoverability: 70 },
    coverage: { judged: 12, applicable: 20, breakdown: {} },
    cap: { reason: 'checkout_not_judged', at: 79, gaps: [] },
    first_steps: null,
    passed: ['snippet_present'],
    passed_notes: {},
    skipped: [{ id: 'organization_missing', check: 'entity', reason: 'not asked' }],
    product_pages: [],
    readiness: [],
    checks: ['schema'],
    engine_version: '1',
  },
  gaps: [
    {
      id: 'product_schema_missing',
      check: 'schema',
      severity: 'high',
      label: 'Product pages have no Product markup',
      detail: 'https://shop.example/products/mug: no Product.',
      fix: 'Put it into the HTML.',
      fix_url: 'https://aisle.example/tools/schema?domain=shop.example',
      docs_url: null,
      origin: 'page',
      note: 'The check passes on the server.',
      points: 4,
      held_back: false,
      ...over,
    },
  ],
})

test('Markdown is a task list that says what to do', () => {
  expect(toMarkdown(audit())).toBe(`# Aisle: \`https://shop.example/products/mug\`

Score 62 of 100, grade B  
Judged 12 of 20 rules  
At most 79 until an agent’s checkout is seen to work.  
Audited 2026-11-21T10:00:00.000Z

## To fix

- [ ] **High: Product pages have no Product markup** \`product_schema_missing\` (+4)
  - seen on this page
  - Seen: \`https://shop.example/products/mug: no Product.\`
  - The check passes on the server.
  - Fix: Put it into the HTML.
  - <https://aisle.example/tools/schema?domain=shop.example>

## Passed

- \`snippet_present\`

## Could not be judged

- \`organization_missing\`: \`not asked\`
`)
})

test('a page has a number and no grade, and an older result no points', () => {
  const page: ExportedAudit = { ...audit({ points: undefined }), of: 'page' }
  for (const exported of [toMarkdown(page), toHtml(page)]) {
    expect(exported).toContain('This page: 62 of 100')
    expect(exported).not.toContain('grade B')
    expect(exported).not.toContain('(+')
  }
  expect(toHtml(audit())).toContain('no Product markup (+4)</h3>')
  expect(toHtml(page)).not.toContain('<strong>B</strong>')
})

test('an audit without a gap says so', () => {
  const clean = { ...audit(), gaps: [] }
  expect(toMarkdown(clean)).toContain('Nothing to fix was found.')
  expect(toHtml(clean)).toContain('Nothing to fix was found.')
})

const HOSTILE = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  '](javascript:alert(1)) ![x](https://evil.example/pixel.png)',
  '\n# Heading\n- [x] done\n```\n',
  '` @everyone #1 <https://evil.example>',
]

test.each(HOSTILE)('%j is text in Markdown', (hostile) => {
  const lines = toMarkdown(audit({ detail: hostile, label: hostile, note: hostile })).split('\n')
  expect(lines.filter((line) => line.startsWith('# '))).toHaveLength(1)
  expect(lines.filter((line) => /^\s*- \[[ x]\]/.test(line))).toHaveLength(1)
  expect(lines).toHaveLength(toMarkdown(audit()).split('\n').length)
  const outside = lines.join('\n').replace(/(`+)(?!`).*?(?<!`)\1(?!`)/g, '')
  const own = '<https://aisle.example/tools/schema?domain=shop.example>'
  expect(outside.replace(own, '')).not.toMatch(/(?<!\\)[<@]|(?<!\\)\]\(/)
})

test.each(HOSTILE)('%j is text in HTML', (hostile) => {
  const page = toHtml({
    ...audit({ detail: hostile, label: hostile, note: hostile, fix: hostile }),
    subject: hostile,
  })
  const read = readPage(page, 'https://shop.example/')
  expect(read.scripts).toEqual([])
  expect(read.anchors).toEqual(['https://aisle.example/tools/schema?domain=shop.example'])
  expect(page).not.toMatch(/<img|<script/i)
  expect(page.match(/<pre>/g)).toHaveLength(1)
})

test.each(['javascript:alert(1)', 'data:text/html,x', ' https://x', 'https://x"><script>'])(
  '%j is no link',
  (fix_url) => {
    const page = readPage(toHtml(audit({ fix_url })), 'https://shop.example/')
    expect(page.scripts).toEqual([])
    expect(page.anchors.every((href) => href.startsWith('https://x'))).toBe(true)
  },
)

test('the HTML loads nothing and runs nothing', () => {
  const page = toHtml(audit())
  expect(page).toContain(`content="default-src 'none'; style-src 'unsafe-inline'"`)
  expect(page).not.toMatch(/ src=|@import|url\(/)
})

test('JSON can be read back', () => {
  expect(JSON.parse(toJson(audit()))).toMatchObject({
    subject: 'https://shop.example/products/mug',
    score: 62,
    gaps: [{ id: 'product_schema_missing', origin: 'page' }],
  })
})

test('the file name is one on every system', () => {
  expect(exportName(audit(), 'md')).toBe('aisle-shop.example-2026-11-21.md')
  const odd = audit()
  odd.result.domain = '../../[::1]:80'
  expect(exportName(odd, 'html')).toBe('aisle-..-..----1--80-2026-11-21.html')
})

test('as JSON and as a file, a page is not dressed as its store', () => {
  const page: ExportedAudit = { ...audit(), of: 'page' }
  const exported = JSON.parse(toJson(page))
  expect(exported).toMatchObject({ of: 'page', subject: page.subject, score: 62 })
  expect(exported).not.toHaveProperty('grade')
  expect(JSON.parse(toJson(audit()))).toHaveProperty('grade', 'B')
  expect(exportName(page, 'json')).toBe('aisle-shop.example-page-2026-11-21.json')
})
