import { expect, test } from 'vitest'
import { checkTools } from './check-tools.ts'
import type { CalledTool, ReadPage, ReadTool } from './page-answers.ts'
import { inputFor } from './tool-input.ts'

const URL = 'https://shop.example/products/boot'
const MARKUP = {
  '@type': 'Product',
  name: 'Ridge Boot',
  sku: 'rb-1',
  offers: { '@type': 'Offer', price: '120.00', priceCurrency: 'USD' },
}
const STATE = { url: URL, basketLink: 'Basket', basket: 'It is empty', stored: '' }
const QUERY = { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] }

const tool = (change: Partial<ReadTool> = {}): ReadTool => ({
  ...{ name: 'find_products', title: '', description: 'Finds products', isReadOnly: true },
  schema: JSON.stringify(QUERY),
  ...change,
})

/** What is found where this tool answers so. */
async function findingsOf(change: Partial<ReadTool>, called: Partial<CalledTool> = {}) {
  const page: ReadPage = {
    tools: [tool(change)],
    heading: 'Ridge Boot',
    text: 'Ridge Boot $120.00',
    jsonLd: [JSON.stringify(MARKUP)],
  }
  const { findings } = await checkTools(page, URL, async ({ name, input }) => ({
    ...{ name, input, answer: '[]', failed: null, before: STATE, after: STATE },
    ...called,
  }))
  return findings.map(({ id }) => id)
}
const answered = (value: unknown) => findingsOf({}, { answer: JSON.stringify(value) })

test.each([
  ['its own form, in decimals', [{ name: 'Ridge Boot', price: 120 }]],
  ['a sign', { items: [{ title: 'Ridge Boot', price: '$120.00' }] }],
  ['UCP, in the smallest unit', { id: 'rb-1', price: { amount: 12_000, currency: 'USD' } }],
  ['MCP’s form', { content: [{ type: 'text', text: '{"name":"Ridge Boot","price":"120.00"}' }] }],
  ['another product alone', [{ name: 'Ridge Sandal', price: 60 }]],
  ['an old price beside', [{ name: 'Ridge Boot', price: 120, min: 150 }]],
])('an answer in %s is no finding', async (_, value) => {
  expect(await answered(value)).toEqual([])
})

test.each([
  ['price_differs', [{ name: 'Ridge Boot', price: 99 }]],
  ['price_differs', { id: 'rb-1', price: { amount: 9900, currency: 'USD' } }],
  ['currency_differs', [{ name: 'Ridge Boot', price: 120, currency: 'EUR' }]],
  ['call_fails', { isError: true, content: [{ type: 'text', text: 'No.' }] }],
  ['answer_unreadable', ''],
])('%s', async (id, value) => {
  expect(await findingsOf({}, { answer: value === '' ? '' : JSON.stringify(value) })).toEqual([id])
})

test('words for a model are an answer', async () => {
  expect(await findingsOf({}, { answer: 'The Ridge Boot is in stock.' })).toEqual([])
})

test('what changes is seen, whatever is answered', async () => {
  for (const change of [
    { url: `${URL}?added` },
    { basketLink: 'Basket (1)' },
    { basket: '1 Ridge Boot' },
    { stored: 'cart=1' },
  ]) {
    expect(await findingsOf({}, { after: { ...STATE, ...change } })).toEqual(['changes_silently'])
  }
  // A basket that could not be read after the call says nothing.
  expect(await findingsOf({}, { after: { ...STATE, basket: '' } })).toEqual([])
})

test('what a tool says of itself', async () => {
  expect(await findingsOf({ schema: null })).toEqual(['schema_missing'])
  expect(await findingsOf({ description: ' ' })).toEqual(['description_missing'])
  expect(await findingsOf({ name: 'search_catalog' })).toEqual(['schema_misshapen'])
})

test('a tool that may change something is never called', async () => {
  const page = { tools: [tool({ isReadOnly: false })], heading: '', text: '', jsonLd: [] }
  const { calls, left } = await checkTools(page, URL, () => Promise.reject(new Error('called')))
  expect([calls, left]).toEqual([
    [],
    [{ tool: 'find_products', why: 'It does not say that it only reads.' }],
  ])
})

test('only what a page says is sent', () => {
  const facts = { name: 'Ridge Boot', ids: ['rb-1'] }
  expect(inputFor(QUERY, facts)).toEqual({ query: 'Ridge Boot' })
  expect(inputFor({ type: 'object' }, facts)).toEqual({})
  const inner = { type: 'object', properties: { ids: { type: 'array' } }, required: ['ids'] }
  const catalog = { type: 'object', properties: { catalog: inner, page: { type: 'integer' } } }
  expect(inputFor(catalog, facts)).toEqual({ catalog: { ids: ['rb-1'] } })
  expect(inputFor({ ...QUERY, required: ['query', 'email'] }, facts)).toBeNull()
  const email = { ...QUERY.properties, email: { type: 'string' } }
  expect(inputFor({ properties: email, required: ['email'] }, facts)).toBeNull()
})
