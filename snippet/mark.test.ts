import './testing/packed.ts'
import { afterEach, expect, test, vi } from 'vitest'
import { SURFACES } from '../shared/attribution/surfaces.ts'
import { productsOf } from './mark.ts'
import { caught, type Layer } from './page.ts'

afterEach(() => vi.unstubAllGlobals())

const SOURCE = 'utm_source=chatgpt.com'
const PROPERTIES = { ai_surface: 'chatgpt', ai_confidence: 0.95 }
const HOSTS: Record<string, string> = {
  chatgpt: 'chatgpt.com',
  claude: 'claude.ai',
  perplexity: 'perplexity.ai',
}
const campaignOf = (campaign_source: string) => ({
  campaign_source,
  campaign_medium: 'ai-assistant',
  campaign_name: '(ai-assistant)',
})

/** A page's layer, with the `gtag` that Google documents. */
function layerWith(entries: object[], isRead = false): Layer {
  const layer = [...entries] as Layer
  vi.stubGlobal('gtag', function gtag() {
    // biome-ignore lint/complexity/noArguments: as Google's does
    layer.push(arguments as object)
  })
  if (isRead) layer.push = (...more: Layer) => Array.prototype.push.apply(layer, more)
  return layer
}

const entriesOf = (layer: Layer) =>
  layer.map((entry) => (Object(entry)[0] === undefined ? entry : Array.from(entry as unknown[])))

/** Calls each product once, and returns how many were not there. */
function tell(layerOf: () => Layer, surface: string, tags: string): number {
  const found = [surface, 0.95, HOSTS[surface] ?? surface] as const
  return productsOf(layerOf, found, tags).filter(caught).length
}

function mark(layer: Layer, surface: string, tags: string) {
  tell(() => layer, surface, tags)
  return entriesOf(layer)
}

const CONFIG = { 0: 'config', 1: 'G-1', length: 2 }
const CONTAINER = { event: 'gtm.js', 'gtm.start': 1 }

test.each([
  [
    'before config has run',
    [CONFIG],
    false,
    'chatgpt',
    SOURCE,
    [
      ['set', campaignOf('chatgpt.com')],
      ['config', 'G-1'],
    ],
  ],
  ['before config is there', [], false, 'claude', '', [['set', campaignOf('claude.ai')]]],
  [
    'when config has run',
    [CONFIG],
    true,
    'chatgpt',
    SOURCE,
    [
      ['config', 'G-1'],
      ['event', 'ai_session', PROPERTIES],
    ],
  ],
  [
    'with a medium of the merchant',
    [CONFIG],
    false,
    'chatgpt',
    `${SOURCE}&utm_medium=cpc`,
    [
      ['config', 'G-1'],
      ['event', 'ai_session', PROPERTIES],
    ],
  ],
  ['when GA4 knows the referrer', [CONFIG], false, 'chatgpt', '', [['config', 'G-1']]],
  ['when GA4 knows the referrer and has run', [CONFIG], true, 'copilot', '', [['config', 'G-1']]],
])('GA4 %s', (_, entries, isRead, surface, tags, expected) => {
  expect(mark(layerWith(entries, isRead), surface, tags)).toEqual(expected)
})

test('only surfaces whose referrers GA4 lists are left to it', () => {
  const left = SURFACES.filter(({ id }) => mark(layerWith([]), id, '').length === 0)
  expect(left.map(({ id }) => id).sort()).toEqual([
    'chatgpt',
    'copilot',
    'deepseek',
    'gemini',
    'grok',
  ])
})

test.each([
  [
    'before it has loaded',
    false,
    SOURCE,
    [{ event: 'ai_session', ...PROPERTIES, ...campaignOf('chatgpt.com') }, CONTAINER],
  ],
  [
    'when it has loaded',
    true,
    SOURCE,
    [CONTAINER, { event: 'ai_session', ...PROPERTIES, ...campaignOf('chatgpt.com') }],
  ],
  [
    'without a campaign where GA4 knows',
    false,
    '',
    [{ event: 'ai_session', ...PROPERTIES }, CONTAINER],
  ],
])('Tag Manager %s', (_, isRead, tags, expected) => {
  const layer = layerWith([CONTAINER], isRead)
  vi.stubGlobal('gtag', undefined)
  expect(mark(layer, 'chatgpt', tags)).toEqual(expected)
})

test('Tag Manager hears what the page says first, such as its consent, before it hears of the session', () => {
  const consent = { 0: 'consent', 1: 'default', length: 2 }
  expect(mark(layerWith([consent, { sku: 'A' }, CONTAINER, CONFIG]), 'chatgpt', SOURCE)).toEqual([
    // No event to the container.
    ['set', campaignOf('chatgpt.com')],
    ['consent', 'default'],
    { sku: 'A' },
    { event: 'ai_session', ...PROPERTIES, ...campaignOf('chatgpt.com') },
    CONTAINER,
    ['config', 'G-1'],
  ])
})

test.each([
  ['has loaded', true, SOURCE],
  ['has loaded, with a medium of the merchant', true, `${SOURCE}&utm_medium=referral`],
  ['has not loaded, with a medium of the merchant', false, `${SOURCE}&utm_medium=referral`],
])('Tag Manager that %s, and gtag for consent alone: one event', (_, isRead, tags) => {
  const consent = { 0: 'consent', 1: 'default', length: 2 }
  const heard = mark(layerWith([consent, CONTAINER], isRead), 'chatgpt', tags)
  expect(heard.filter((entry) => JSON.stringify(entry).includes('ai_session'))).toEqual([
    expect.objectContaining({ event: 'ai_session', ...PROPERTIES }),
  ])
  expect(heard).toHaveLength(3)
})

test('Matomo before it counts the visit', () => {
  const _paq: unknown[] = [['trackPageView']]
  vi.stubGlobal('_paq', _paq)
  mark([], 'perplexity', '')
  expect(_paq).toEqual([['setReferrerUrl', 'https://perplexity.ai/'], ['trackPageView']])
})

test.each([
  ['a campaign', 'utm_campaign=spring'],
  ['a medium', 'utm_medium=social'],
  ['a medium that is named like an assistant', 'utm_medium=chatgpt'],
  ['a source that is no assistant', 'utm_source=newsletter'],
  ['an assistant and more', 'utm_source=chatgpt.com&utm_campaign=spring'],
])('%s of the merchant stays, and an event is added', (_, tags) => {
  expect(mark(layerWith([CONFIG]), 'chatgpt', tags)).toEqual([
    ['config', 'G-1'],
    ['event', 'ai_session', PROPERTIES],
  ])
  vi.stubGlobal('gtag', undefined)
  expect(mark([CONTAINER], 'chatgpt', tags)[0]).toEqual({ event: 'ai_session', ...PROPERTIES })
})

test.each(['chatgpt', 'openai', 'chatgpt.com'])('the lone source %s is complemented', (source) => {
  const [first] = mark(layerWith([CONFIG]), 'chatgpt', `utm_source=${source}`)
  expect(first).toEqual(['set', campaignOf('chatgpt.com')])
})

test('what is set ahead of config is a command, as Google wants it', () => {
  const layer = layerWith([CONFIG])
  mark(layer, 'chatgpt', SOURCE)
  expect(Object.prototype.toString.call(layer[0])).toBe('[object Arguments]')
})

test('a gtag that pushes elsewhere: its layer keeps its order', () => {
  const elsewhere = layerWith([CONFIG, CONTAINER])
  const layer = [CONFIG] as Layer
  mark(layer, 'chatgpt', SOURCE)
  expect(entriesOf(layer)).toEqual([
    ['set', campaignOf('chatgpt.com')],
    ['config', 'G-1'],
  ])
  expect(elsewhere).toEqual([CONFIG, CONTAINER])
})

test('no layer of that name: the one that gtag pushes to stays as it was', () => {
  const elsewhere = layerWith([CONFIG])
  tell(() => [], 'chatgpt', SOURCE)
  expect(elsewhere).toEqual([CONFIG])
})

test('PostHog', () => {
  const posthog = { register_for_session: vi.fn() }
  vi.stubGlobal('posthog', posthog)
  mark([], 'chatgpt', '')
  expect(posthog.register_for_session.mock.calls).toEqual([[PROPERTIES]])
})

test('Umami: an event with a tag, of what it knows of the page', () => {
  const sent: object[] = []
  const payload = { website: 'w', url: '/p', tag: 'summer' }
  // As its tracker does: a function gets the payload of a page view.
  vi.stubGlobal('umami', {
    track: (event: (given: object) => object) => sent.push(event({ ...payload })),
  })
  mark([], 'chatgpt', '')
  expect(sent).toEqual([{ ...payload, name: 'ai_session', data: PROPERTIES, tag: 'ai:chatgpt' }])
})

test('a page without any of them hears of nothing, and each is asked again', () => {
  expect(tell(() => [], 'claude', '')).toBe(6)
})
