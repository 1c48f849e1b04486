import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { AuditResult } from '../../shared/audit/result/result.ts'
import { DEFAULT_CHECKS } from '../../shared/audit/vocabulary.ts'
import { PATIENCE_MS } from '../../shared/testing/wait.ts'
import type { Fetcher } from './probe/fetch/fetch.ts'
import { fetcherTo } from './probe/testing/fetcher.ts'
import { auditHere } from './testing/audit-here.ts'
import { type LargeCatalog, largeCatalogs } from './testing/large-catalog.ts'

const MANY = 10_080
const DIALECTS = ['spec', 'ucp'] as const

const busy = (retryAfter: string) => (asked: number) =>
  // The first pages of the sample are answered.
  asked === 7 ? new Response('', { status: 429, headers: { 'retry-after': retryAfter } }) : null

const both = (name: string, store: Omit<LargeCatalog, 'dialect'>) =>
  DIALECTS.map((dialect): [string, LargeCatalog] => [
    `${dialect}-${name}.example`,
    { ...store, dialect },
  ])

const { app, pathsOf } = largeCatalogs(
  Object.fromEntries([
    ...both('faultless', { products: MANY }),
    ...both('far', { products: MANY, faultAt: 9_999 }),
    ...both('opaque', { products: MANY, names: 'opaque' }),
    ['tools.example', { dialect: 'ucp', products: 500, faultAt: 499, transport: 'mcp' }],
    ['words.example', { dialect: 'ucp', products: 500, faultAt: 499, wantsWords: true }],
    ...both('copy', { products: 500, copyAt: 400 }),
    ...both('moving', { products: 500, overlap: 1 }),
    ...both('small', { products: 45 }),
    ...both('unsaid', { products: 500, says: undefined }),
    ...both('endless', { products: 500, endless: true }),
    ...both('busy', { products: 500, instead: busy('7') }),
    ...both('patience', { products: 500, instead: busy('86400') }),
    ...both('broken', {
      products: 1_000,
      instead: (asked) => (asked === 9 ? new Response('Gone', { status: 404 }) : null),
    }),
    ...[-1, 0, 12.5, 1e300, '10080', null, {}, Number.MAX_SAFE_INTEGER].flatMap((says, n) =>
      both(`hostile-${n}`, { products: 500, says }),
    ),
  ]),
)

let fetcher: Fetcher
let waited: number[] = []

beforeAll(async () => {
  fetcher = await fetcherTo(app, { clock: () => 0 })
})
beforeEach(() => {
  waited = []
})

const audit = (domain: string, whole?: { ms: number }): Promise<AuditResult> =>
  auditHere(
    { domain, checks: DEFAULT_CHECKS, ...(whole && { whole }) },
    {
      fetcher,
      pause: async (ms) => waited.push(ms),
      pagesWaitMs: PATIENCE_MS,
    },
  )

const DEEP = { ms: 600_000 }
const gapsOf = ({ gaps }: AuditResult) =>
  gaps.filter(({ check }) => check === 'catalog').map(({ id }) => id)

describe.each(DIALECTS)('a large catalog of %s', (dialect) => {
  test('a sample says of how many it is, and a fault far away is not in it', async () => {
    const result = await audit(`${dialect}-far.example`)
    const seen = result.catalog_seen
    expect(seen).toMatchObject({ of: MANY })
    expect(seen?.products).toBeGreaterThan(100)
    expect(seen?.products).toBeLessThan(600)
    expect(gapsOf(result)).toEqual([])
    expect(result.passed_notes.catalog_price_integer).toBe(
      `Seen on ${seen?.products} of 10,080 products.`,
    )
  })

  test('it is judged from more than its beginning, with no more requests than before', async () => {
    const domain = `${dialect}-faultless.example`
    const { product_pages = [] } = await audit(domain)
    const paths = pathsOf(domain)
    expect(paths.length).toBeLessThanOrEqual(dialect === 'spec' ? 21 : 19)
    const pages = product_pages.map(({ url }) => Number(/\d+$/.exec(url)?.[0]))
    const beyondFirst = dialect === 'spec' ? 100 : 50
    expect(pages.some((n) => n >= beyondFirst)).toBe(true)
    expect(paths.includes('/ucp/products?page=51')).toBe(dialect === 'spec')
    if (dialect === 'spec') expect(pages.some((n) => n >= 5_000)).toBe(true)
  })

  test('the whole shows what is wrong far away', async () => {
    const result = await audit(`${dialect}-far.example`, DEEP)
    expect(result.catalog_seen).toEqual({
      products: MANY,
      of: MANY,
      pages: dialect === 'spec' ? 101 : 202,
    })
    expect(gapsOf(result)).toEqual(['catalog_price_not_integer'])
    const [gap] = result.gaps.filter(({ id }) => id === 'catalog_price_not_integer')
    expect(gap?.detail).toContain('19.99')
    expect(gap?.detail).toContain(dialect === 'spec' ? '?page=100' : '(id "p-9999") on page 200')
    expect(result.passed_notes.catalog_currency).toBeUndefined()
  })

  test('products that share an id are found over all pages', async () => {
    expect(gapsOf(await audit(`${dialect}-copy.example`))).toEqual([])
    const result = await audit(`${dialect}-copy.example`, DEEP)
    expect(gapsOf(result)).toEqual(['catalog_ids_duplicate'])
    expect(result.gaps.find(({ id }) => id === 'catalog_ids_duplicate')?.detail).toMatch(
      /^"p-399" is the id of a product on page \d+ and of products\[0\]/,
    )
  })

  test('a product that moves while the pages are read shares no id', async () => {
    const result = await audit(`${dialect}-moving.example`, DEEP)
    expect(result.catalog_seen).toMatchObject({ products: 500, of: 500 })
    expect(gapsOf(result)).not.toContain('catalog_ids_duplicate')
  })

  test('a small catalog is all seen', async () => {
    const result = await audit(`${dialect}-small.example`)
    expect(result.catalog_seen).toMatchObject({ products: 45, of: 45 })
    expect(result.passed_notes.catalog_price_integer).toBeUndefined()
  })

  test('without a total nobody knows of how many, until all were read', async () => {
    const domain = `${dialect}-unsaid.example`
    expect((await audit(domain)).catalog_seen?.of).toBe(null)
    expect((await audit(domain, DEEP)).catalog_seen).toMatchObject({ products: 500, of: 500 })
  })

  test('cursors that never end are left when they lead to nothing new', async () => {
    const { catalog_seen } = await audit(`${dialect}-endless.example`, DEEP)
    expect(catalog_seen).toMatchObject({
      stopped: 'its last 3 pages listed nothing that is new',
    })
    expect(catalog_seen?.products).toBeLessThanOrEqual(130)
  })

  test('a busy store is asked again when it says', async () => {
    const { catalog_seen } = await audit(`${dialect}-busy.example`, DEEP)
    expect(waited).toContain(7_000)
    expect(catalog_seen).toMatchObject({ products: 500, of: 500 })
    expect(catalog_seen?.stopped).toBeUndefined()
  })

  test('a store is not waited for beyond the deadline', async () => {
    const { catalog_seen } = await audit(`${dialect}-patience.example`, DEEP)
    expect(Math.max(0, ...waited)).toBeLessThan(10_000)
    expect(catalog_seen?.stopped).toMatch(/answered 429, and waiting 86400 s for it/)
    expect(catalog_seen?.products).toBeLessThan(500)
  })

  test('a page that is gone breaks the chain, wherever it is', async () => {
    const result = await audit(`${dialect}-broken.example`, DEEP)
    expect(gapsOf(result)).toContain('catalog_next_broken')
    expect(result.catalog_seen?.stopped).toMatch(/answered 404, not a page of products/)
  })

  test.each([0, 1, 2, 3, 4, 5, 6])('total %i cannot be true, and is not repeated', async (n) => {
    const { catalog_seen } = await audit(`${dialect}-hostile-${n}.example`)
    expect(catalog_seen?.of).toBe(null)
  })

  test('a total that could be true is the word of the store', async () => {
    const { catalog_seen } = await audit(`${dialect}-hostile-7.example`)
    expect(catalog_seen?.of).toBe(Number.MAX_SAFE_INTEGER)
  })
})

test('the whole is read over MCP too', async () => {
  expect(gapsOf(await audit('tools.example'))).toEqual([])
  const result = await audit('tools.example', DEEP)
  expect(result.catalog_seen).toEqual({ products: 500, of: 500, pages: 10 })
  expect(gapsOf(result)).toEqual(['catalog_price_not_integer'])
})

test('what a word finds is not called the whole', async () => {
  const sample = await audit('words.example')
  expect(sample.catalog_seen).toMatchObject({ of: null })
  const { catalog_seen, gaps } = await audit('words.example', DEEP)
  expect(catalog_seen).toEqual({
    products: 500,
    of: null,
    pages: 10,
    stopped: 'the store lists products only for a word, and these are what one finds',
  })
  expect(gaps.map(({ id }) => id)).toContain('catalog_price_not_integer')
})

test('a store may rest after each page', async () => {
  await audit('spec-faultless.example', DEEP)
  // Each page but the last is followed by a wait.
  expect(waited).toHaveLength(100)
})

test('an address of a form that does not count pages is not made up', async () => {
  await audit('spec-opaque.example')
  expect(pathsOf('spec-opaque.example').filter((path) => /[?&](?:after|page)=/.test(path))).toEqual(
    ['/ucp/products?after=x2', '/ucp/products?after=x3'],
  )
})
