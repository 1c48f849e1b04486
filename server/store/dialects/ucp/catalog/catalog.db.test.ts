import { describe, expect, test, vi } from 'vitest'
import { ARTICLES } from '../../../shop/assortment.ts'
import { testStore } from '../../../testing/store.ts'
import { Detail, Products, ProtocolError, UcpErrorResponse } from '../testing/schemas.ts'

const { send, deps } = await testStore()

async function post(operation: string, body: unknown) {
  const answer = await send('POST', `/ucp/v1/catalog/${operation}`, body, 'ucp.example')
  expect(answer.headers.get('content-type')).toBe('application/json')
  return { status: answer.status, body: JSON.parse(answer.body) }
}
async function search(request: object) {
  const { status, body } = await post('search', request)
  expect(status).toBe(200)
  return Products.parse(body)
}
const lookup = async (...ids: string[]) => Products.parse((await post('lookup', { ids })).body)
const detail = async (request: object) =>
  Detail.parse((await post('product', request)).body).product

describe('search', () => {
  test('following the cursor reaches every product once', async () => {
    const ids: string[] = []
    let cursor: string | undefined
    do {
      const page = await search({
        filters: { price: { min: 0 } },
        pagination: { limit: 7, ...(cursor && { cursor }) },
      })
      ids.push(...page.products.map(({ id }) => id))
      cursor = page.pagination?.cursor
    } while (cursor !== undefined)
    expect(ids).toEqual(ARTICLES.map(({ id }) => id))
  })

  test('a page has ten products, and never more than twenty', async () => {
    const filters = { price: { min: 0 } }
    expect((await search({ filters })).products).toHaveLength(10)
    expect((await search({ filters, pagination: { limit: 9999 } })).products).toHaveLength(20)
    expect((await search({ filters, pagination: { cursor: '999999' } })).products).toEqual([])
  })

  test.each([
    [{}],
    [{ query: '  ' }],
    [{ filters: {} }],
    [{ pagination: { limit: 5 }, context: { currency: 'USD' } }],
  ])('a search for nothing is refused: %o', async (request) => {
    const { status, body } = await post('search', request)
    expect([status, body]).toMatchObject([
      400,
      { code: 'invalid_request', content: expect.stringContaining('query') },
    ])
  })

  test('says which filters it does not know', async () => {
    const known = { price: { min: 0 } }
    const { messages, products } = await search({
      filters: { ...known, color: 'red', toString: 1 },
    })
    expect(products).toHaveLength(10)
    expect(messages).toEqual([
      {
        type: 'info',
        code: 'filter_ignored',
        content:
          'This store filters by categories and price. These filters were ignored: color, toString.',
      },
    ])
    const many = Object.fromEntries(Array.from({ length: 900 }, (_, n) => [`x${n}`, n]))
    const told = (await search({ filters: many })).messages?.[0]?.content
    expect(told).toMatch(/: x0, x1, x2, x3, x4, …\.$/)
    const long = (await search({ filters: { ['y'.repeat(9000)]: 1 } })).messages?.[0]?.content
    expect(long?.length).toBeLessThan(200)
  })

  const priced = (currency: string) => ({
    filters: { price: { min: 28_900, max: 28_900 } },
    context: { currency },
  })
  const [{ category }] = ARTICLES as [(typeof ARTICLES)[0]]
  test.each<[string, object, (article: (typeof ARTICLES)[0]) => boolean]>([
    [
      'words',
      { query: '  MERINO ' },
      ({ name, description, brand }) =>
        `${name} ${description} ${brand}`.toLowerCase().includes('merino'),
    ],
    ['nothing that there is', { query: 'no such thing' }, () => false],
    [
      'a category',
      { filters: { categories: ['none', category.toUpperCase()] } },
      (article) => article.category === category,
    ],
    [
      'a price',
      priced('usd'),
      ({ price, variants }) =>
        (variants.length > 0 ? variants : [{ price }]).some(
          (offer) => offer.price.amount === 28_900,
        ),
    ],
    ['a price in another currency', priced('EUR'), () => true],
  ])('finds by %s', async (_, request, isFound) => {
    const { pagination } = await search(request)
    expect(pagination?.total_count).toBe(ARTICLES.filter(isFound).length)
  })

  test('says that it left a price in another currency aside', async () => {
    expect((await search(priced('EUR'))).messages).toMatchObject([{ code: 'price_filter_ignored' }])
    expect(await search(priced('USD'))).not.toHaveProperty('messages')
  })
})

describe('lookup', () => {
  test('groups what it finds by product, and says by which id each variant was found', async () => {
    const { products, messages } = await lookup('ao-1001', 'ao-1001-m-pine', 'ao-1101', 'x', 'x')
    expect(
      products.map(({ id, variants }) => [id, variants.map((each) => [each.id, each.inputs])]),
    ).toEqual([
      [
        'ao-1001',
        [
          ['ao-1001-s-pine', [{ id: 'ao-1001', match: 'featured' }]],
          ['ao-1001-m-pine', [{ id: 'ao-1001-m-pine', match: 'exact' }]],
        ],
      ],
      ['ao-1101', [['ao-1101', [{ id: 'ao-1101', match: 'exact' }]]]],
    ])
    expect(messages).toEqual([
      { type: 'info', code: 'not_found', content: 'There is no product x.' },
    ])
  })

  test('twenty different ids are looked up, and no more', async () => {
    const ids = ARTICLES.slice(0, 21).map(({ id }) => id)
    const most = ids.slice(0, 20)
    expect((await lookup(...most, ...most, ...most)).products).toHaveLength(20)
    const asked = vi.spyOn(deps.db, 'select')
    const { status, body } = await post('lookup', { ids })
    expect([status, body]).toMatchObject([
      400,
      { code: 'request_too_large', content: 'Send at most 20 ids in each request.' },
    ])
    expect(asked).not.toHaveBeenCalled()
    await lookup(...most)
    expect(asked).toHaveBeenCalled()
    asked.mockRestore()
  })

  test('prices and availability are those of the shop', async () => {
    const [jacket] = (await lookup('ao-1003-l-ink')).products
    expect(jacket?.variants[0]).toMatchObject({
      availability: { available: false, status: 'out_of_stock' },
      options: [
        { name: 'size', label: 'L' },
        { name: 'color', label: 'Ink' },
      ],
    })
  })
})

describe('product', () => {
  const ids = ({ variants }: Awaited<ReturnType<typeof detail>>) => variants.map(({ id }) => id)
  const select = (size: string, color: string) => [
    { name: 'size', label: size },
    { name: 'color', label: color },
  ]

  test('a product without options has itself for a variant', async () => {
    const tent = await detail({ id: 'ao-1101' })
    expect(ids(tent)).toEqual(['ao-1101'])
    expect(tent).not.toHaveProperty('options')
  })

  test('without a selection all variants are there, the featured one first', async () => {
    const jacket = await detail({ id: 'ao-1003' })
    expect(ids(jacket)).toHaveLength(6)
    expect(jacket.selected).toEqual(jacket.variants[0]?.options)
  })

  test.each<[string, object, string[]]>([
    ['a variant', { id: 'ao-1003-m-ink' }, ['ao-1003-m-ink']],
    [
      'a variant with one of its options, itself first',
      { id: 'ao-1003-l-ink', selected: [{ name: 'size', label: 'L' }] },
      ['ao-1003-l-ink', 'ao-1003-l-moss'],
    ],
    ['a full selection', { selected: select('M', 'Ink') }, ['ao-1003-m-ink']],
    [
      'one option',
      { selected: [{ name: 'size', label: 'L' }] },
      ['ao-1003-l-moss', 'ao-1003-l-ink'],
    ],
    [
      'what no variant has, size preferred',
      { selected: select('L', 'Pink'), preferences: ['size', 'color'] },
      ['ao-1003-l-moss', 'ao-1003-l-ink'],
    ],
    [
      'what no variant has, color preferred',
      { selected: select('XXL', 'Ink'), preferences: ['color'] },
      ['ao-1003-s-ink', 'ao-1003-m-ink', 'ao-1003-l-ink'],
    ],
  ])('%s narrows the variants', async (_, request, expected) => {
    expect(ids(await detail({ id: 'ao-1003', ...request }))).toEqual(expected)
  })

  test.each(['constructor', '__proto__', 'fit'])(
    '%s is no option, and narrows nothing',
    async (name) => {
      const jacket = await detail({ id: 'ao-1003', selected: [{ name, label: 'x' }] })
      expect(ids(jacket)).toHaveLength(6)
    },
  )

  test('a value that leads to nothing in stock exists and is not available', async () => {
    const { options } = await detail({ id: 'ao-1003', selected: [{ name: 'size', label: 'L' }] })
    expect(options?.find(({ name }) => name === 'color')?.values).toEqual([
      { label: 'Moss', exists: true, available: true },
      { label: 'Ink', exists: true, available: false },
    ])
  })

  test.each([
    [{ id: 'x' }],
    [{ id: '__proto__' }],
    [{ id: 'ao-1003', filters: { price: { max: 1 } } }],
    [{ id: 'ao-1003', filters: { categories: ['none'] } }],
  ])('%o is not found', async (request) => {
    const { status, body } = await post('product', request)
    expect(status).toBe(200)
    expect(UcpErrorResponse.parse(body).messages).toMatchObject([{ code: 'not_found' }])
  })
})

test.each([
  ['search', '', 'the body'],
  ['search', '[]', 'the body'],
  ['search', { query: 7 }, 'query'],
  ['search', { query: 'x'.repeat(201) }, 'query'],
  ['search', { pagination: { cursor: '-1' } }, 'pagination.cursor'],
  ['search', { pagination: { limit: 0 } }, 'pagination.limit'],
  ['search', { filters: { price: { min: 1.5 } } }, 'filters.price.min'],
  ['lookup', {}, 'ids'],
  ['lookup', { ids: [] }, 'ids'],
  ['product', { id: ['x'] }, 'id'],
])('%s of %o is refused by the field %s', async (operation, request, field) => {
  const { status, body } = await post(operation, request)
  expect(status).toBe(400)
  expect(body).toMatchObject({
    code: 'invalid_request',
    content: expect.stringContaining(` ${field}: `),
  })
  expect(ProtocolError.parse(body).code).toBe('invalid_request')
})
