import './testing.ts'
import { afterEach, expect, test, vi } from 'vitest'
import { SURFACES } from '../shared/surfaces.ts'
import { productsOf } from './mark.ts'
import type { Layer } from './page.ts'

afterEach(() => vi.unstubAllGlobals())

const SOURCE = ['utm_source=chatgpt.com']
const PROPERTIES = { ai_surface: 'chatgpt', ai_confidence: 0.95 }
const campaignOf = (campaign_source: string) => ({
  campaign_source,
  campaign_medium: 'ai-assistant',
  campaign_name: '(ai-assistant)',
})

/** A page's layer, with the `gtag` that Google tells to paste. */
function layerWith(entries: object[], isRead = false): Layer {
  const layer = [...entries] as Layer
  vi.stubGlobal('gtag', function gtag() {
    // biome-ignore lint/complexity/noArguments: as Google's does
    layer.push(arguments as unknown as Layer[0])
  })
  if (isRead) layer.push = (...more: Layer) => Array.prototype.push.apply(layer, more)
  return layer
}

const entriesOf = (layer: Layer) =>
  layer.map((entry) =>
    entry?.[0] === undefined ? entry : Array.from(entry as unknown as unknown[]),
  )

function mark(layer: Layer, surface: string, tags: string[]) {
  for (const tell of productsOf(() => layer, surface, 0.95, tags)) {
    try {
      tell()
    } catch {}
  }
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
  ['before config is there', [], false, 'claude', [], [['set', campaignOf('claude.ai')]]],
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
    [...SOURCE, 'utm_medium=cpc'],
    [
      ['config', 'G-1'],
      ['event', 'ai_session', PROPERTIES],
    ],
  ],
  ['when GA4 knows the referrer', [CONFIG], false, 'chatgpt', [], [['config', 'G-1']]],
  ['when GA4 knows the referrer and has run', [CONFIG], true, 'copilot', [], [['config', 'G-1']]],
])('GA4 %s', (_, entries, isRead, surface, tags, expected) => {
  expect(mark(layerWith(entries, isRead), surface, tags)).toEqual(expected)
})

test('only surfaces whose referrers GA4 lists are left to it', () => {
  const left = SURFACES.filter(({ id }) => mark(layerWith([]), id, []).length === 0)
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
    [],
    [{ event: 'ai_session', ...PROPERTIES }, CONTAINER],
  ],
])('Tag Manager %s', (_, isRead, tags, expected) => {
  const layer = layerWith([CONTAINER], isRead)
  vi.stubGlobal('gtag', undefined)
  expect(mark(layer, 'chatgpt', tags)).toEqual(expected)
})

test('Matomo before it counts the visit', () => {
  const _paq: unknown[] = [['trackPageView']]
  vi.stubGlobal('_paq', _paq)
  mark([], 'perplexity', [])
  expect(_paq).toEqual([['setReferrerUrl', 'https://perplexity.ai/'], ['trackPageView']])
})

test('Plausible, PostHog and Umami', () => {
  const plausible = vi.fn()
  const posthog = { register_for_session: vi.fn() }
  const umami = { track: vi.fn() }
  vi.stubGlobal('plausible', plausible)
  vi.stubGlobal('posthog', posthog)
  vi.stubGlobal('umami', umami)
  mark([], 'chatgpt', [])
  expect(plausible.mock.calls).toEqual([['ai_session', { props: PROPERTIES, interactive: false }]])
  expect(posthog.register_for_session.mock.calls).toEqual([[PROPERTIES]])
  expect(umami.track.mock.calls).toEqual([['ai_session', PROPERTIES]])
})

test('a page without any of them hears of nothing, and each is asked again', () => {
  const tells = productsOf(() => [], 'claude', 0.95, [])
  const answers = tells.map((tell) => {
    try {
      return tell()
    } catch {
      return 'missing'
    }
  })
  expect(answers).toEqual(['missing', 'missing', 'missing', false, 'missing', 'missing'])
})
