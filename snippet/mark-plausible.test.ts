import './testing/packed.ts'
import { afterEach, expect, test, vi } from 'vitest'
import { productsOf } from './mark.ts'
import { caught } from './page.ts'

afterEach(() => vi.unstubAllGlobals())

/** Calls each product once; only Plausible is on the page. */
function mark(surface: string, host: string) {
  for (const tell of productsOf(() => [], [surface, 0.95, host], '')) caught(tell)
}

interface Plausible {
  (...given: unknown[]): void
  q?: unknown[][]
  o?: PlausibleOptions
  init?: (options?: PlausibleOptions) => void
}
interface PlausibleOptions {
  customProperties?: object | ((event: string) => object)
  transformRequest?: (payload: Payload) => Payload | null
}
interface Payload {
  n: string
  u: string
  p?: object
}

/** The stub that Plausible documents, with or without the `init` of its newer script. */
function stubPlausible(options?: PlausibleOptions): Plausible {
  const stub: Plausible = (...given) => {
    stub.q = [...(stub.q ?? []), given]
  }
  if (options) {
    stub.init = (given) => {
      stub.o = given ?? {}
    }
    stub.init(options)
  }
  vi.stubGlobal('plausible', stub)
  return stub
}

/** What its newer script does first: a page view with these options, then the queue. */
function beginPlausible(stub: Plausible, u: string): Payload[] {
  const { customProperties, transformRequest } = stub.o ?? {}
  return [['pageview'], ...(stub.q ?? [])].flatMap(([name, options]) => {
    const n = String(name)
    const props = typeof customProperties === 'function' ? customProperties(n) : customProperties
    const payload = { n, u, p: { ...props, ...(options as { props?: object })?.props } }
    return (transformRequest ? transformRequest(payload) : payload) ?? []
  })
}

const PAGE = 'https://shop.example/p'
const CHATGPT = { ai_surface: 'chatgpt', ai_confidence: 0.95 }
const CLAUDE = { ai_surface: 'claude', ai_confidence: 0.95 }

test('Plausible that has not begun: its own page view is of the assistant', () => {
  const stub = stubPlausible({})
  mark('chatgpt', 'chatgpt.com')
  expect(beginPlausible(stub, PAGE)).toEqual([
    { n: 'pageview', u: `${PAGE}?ref=chatgpt.com&`, p: CHATGPT },
  ])
})

// Of two parameters with one name, Plausible takes the last, and `utm_source` and `source` before
// `ref`.
test.each([
  ['', '?ref=claude.ai&'],
  ['?a=1', '?ref=claude.ai&a=1'],
  ['#part', '?ref=claude.ai&#part'],
  ['?a=1#part?', '?ref=claude.ai&a=1#part?'],
  ['?utm_medium=x', '?ref=claude.ai&utm_medium=x'],
  ['?utm_source=x', '?ref=claude.ai&utm_source=x'],
  ['?a=1&ref=x', '?ref=claude.ai&a=1&ref=x'],
  ['?source=x', '?ref=claude.ai&source=x'],
])('Plausible at %j says %j', (given, expected) => {
  const stub = stubPlausible({})
  mark('claude', 'claude.ai')
  expect(beginPlausible(stub, PAGE + given)[0]?.u).toBe(PAGE + expected)
})

test.each<[string, PlausibleOptions, Payload[]]>([
  [
    'properties',
    { customProperties: { author: 'Ada' } },
    [{ n: 'pageview', u: `${PAGE}?ref=claude.ai&`, p: { author: 'Ada', ...CLAUDE } }],
  ],
  [
    'a function for properties',
    { customProperties: (event) => ({ event }) },
    [{ n: 'pageview', u: `${PAGE}?ref=claude.ai&`, p: { event: 'pageview', ...CLAUDE } }],
  ],
  [
    'a transformation',
    { transformRequest: (payload) => ({ ...payload, u: 'https://shop.example/' }) },
    [{ n: 'pageview', u: 'https://shop.example/?ref=claude.ai&', p: CLAUDE }],
  ],
  ['a transformation that drops everything', { transformRequest: () => null }, []],
])("Plausible keeps the page's %s", (_, options, expected) => {
  const stub = stubPlausible(options)
  mark('claude', 'claude.ai')
  expect(beginPlausible(stub, PAGE)).toEqual(expected)
})

test('Plausible that has begun, and its older script: an event and nothing else', () => {
  const event = ['ai_session', { props: CHATGPT, interactive: false }]
  const begun = Object.assign(vi.fn(), { init: () => {}, l: true })
  vi.stubGlobal('plausible', begun)
  mark('chatgpt', 'chatgpt.com')
  expect(begun.mock.calls).toEqual([event])
  const older = stubPlausible()
  mark('chatgpt', 'chatgpt.com')
  expect(older.q).toEqual([event])
  expect(older.o).toBeUndefined()
})
