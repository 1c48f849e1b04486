import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { describeInBrowser } from '../shared/testing/browser.ts'
import { eventually } from '../shared/testing/wait.ts'
import { TAG, useShop } from './testing/shop.ts'

// Stubs that do what the products document: queue until their script has loaded, then take over.
// Real products, where a registry has them, are in trackers.e2e.ts.

const GTAG = `<script>
  window.dataLayer = window.dataLayer || []
  function gtag() { dataLayer.push(arguments) }
  gtag('js', 1); gtag('config', 'G-1')
</script>`
/** What gtag.js and gtm.js do to the layer: read it in order, and then each push. */
const GOOGLE = `
  window.read = []
  window.loadGoogle = () => {
    const push = dataLayer.push
    for (const entry of dataLayer) read.push(entry)
    dataLayer.push = (...entries) => { read.push(...entries); return push.apply(dataLayer, entries) }
  }`
const GTM = `<script>
  window.dataLayer = window.dataLayer || []
  dataLayer.push({ 'gtm.start': 1, event: 'gtm.js' })
</script>`
const LOAD = '<script>loadGoogle()</script>'
const CAMPAIGN = {
  campaign_source: 'chatgpt.com',
  campaign_medium: 'ai-assistant',
  campaign_name: '(ai-assistant)',
}
const SEEN = { ai_surface: 'chatgpt', ai_confidence: 0.85 }

/** What Google's script has read, once it has loaded: commands as arrays, messages as they are. */
const readOf = (page: Page) =>
  page.evaluate<unknown[]>(`(read.length || loadGoogle(), read.map((entry) =>
    Object.prototype.toString.call(entry) === '[object Arguments]' ? [...entry] : entry))`)

describeInBrowser('what analytics products are told', () => {
  const shop = useShop()
  /** Some of them are called a little later, and reading too soon would change what they get. */
  const visit: typeof shop.visit = async (...given) => {
    const visited = await shop.visit(...given)
    await visited.page.waitForLoadState('networkidle')
    return visited
  }
  const query = '?utm_source=chatgpt.com'

  test.each([
    [
      'ahead of its config',
      GTAG,
      TAG,
      query,
      [
        ['set', CAMPAIGN],
        ['js', 1],
        ['config', 'G-1'],
      ],
    ],
    [
      'behind this script',
      '',
      TAG + GTAG,
      query,
      [
        ['set', CAMPAIGN],
        ['js', 1],
        ['config', 'G-1'],
      ],
    ],
    [
      'when it has loaded',
      GTAG + LOAD,
      TAG,
      query,
      [
        ['js', 1],
        ['config', 'G-1'],
        ['event', 'ai_session', SEEN],
      ],
    ],
    [
      'of nothing on a plain visit',
      GTAG,
      TAG,
      '',
      [
        ['js', 1],
        ['config', 'G-1'],
      ],
    ],
  ])('GA4 %s', async (_, head, tag, search, expected) => {
    const { page, heard } = await visit({ init: GOOGLE, head, tag, query: search })
    expect(await readOf(page)).toEqual(expected)
    expect(await heard()).toEqual([])
  })

  test('GA4 of nothing where it has classified the referrer itself', async () => {
    const { page } = await visit({ init: GOOGLE, head: GTAG, from: 'https://chatgpt.com' })
    await page.waitForTimeout(1000)
    expect(await readOf(page)).toEqual([
      ['js', 1],
      ['config', 'G-1'],
    ])
  })

  test.each([
    [
      'before it has loaded',
      GTM,
      [{ event: 'ai_session', ...SEEN, ...CAMPAIGN }, expect.objectContaining({ event: 'gtm.js' })],
    ],
    [
      'when it has loaded',
      GTM + LOAD,
      [expect.objectContaining({ event: 'gtm.js' }), { event: 'ai_session', ...SEEN, ...CAMPAIGN }],
    ],
  ])('Tag Manager %s', async (_, head, expected) => {
    const { page } = await visit({ init: GOOGLE, head, query })
    expect(await readOf(page)).toEqual(expected)
  })

  test('Tag Manager with a layer of another name', async () => {
    const tag = TAG.replace('src=', 'data-layer="shopLayer" src=')
    const { page } = await visit({ head: GTM.replaceAll('dataLayer', 'shopLayer'), tag, query })
    expect(await page.evaluate('shopLayer.map(({ event }) => event)')).toEqual([
      'ai_session',
      'gtm.js',
    ])
  })

  test('Matomo, whose queue is read in order', async () => {
    const head = `<script>window._paq = [['trackPageView'], ['enableLinkTracking']]</script>`
    const { page } = await visit({ head, query })
    expect(await page.evaluate('_paq')).toEqual([
      ['setReferrerUrl', 'https://chatgpt.com/'],
      ['trackPageView'],
      ['enableLinkTracking'],
    ])
  })

  // As its documents say to paste it, and what its script does first.
  const PLAUSIBLE = `<script>
    window.plausible = window.plausible || function () { (plausible.q = plausible.q || []).push(arguments) }
    plausible.init = plausible.init || function (i) { plausible.o = i || {} }
    plausible.init({ customProperties: { author: 'Ada' } })
  </script>`
  const BEGIN = `
    window.sent = []
    window.beginPlausible = () => {
      const { q = [], o: options } = plausible
      window.plausible = (n, { props } = {}) => {
        const payload = { n, u: location.href, p: { ...options.customProperties, ...props } }
        sent.push((options.transformRequest ?? ((same) => same))(payload))
      }
      plausible.l = true
      plausible.init = () => {}
      plausible('pageview')
      for (const given of q) plausible(...given)
    }`
  const POSTHOG = `<script>
    window.posthog = []
    posthog.register_for_session = (...given) => { posthog.push(['register_for_session', ...given]) }
  </script>`
  const UMAMI = `
    window.tracked = []
    setTimeout(() => {
      const payload = { website: 'w', url: location.href }
      window.umami = {
        track: async (name) => { tracked.push(typeof name === 'function' ? name(payload) : name) },
      }
    }, 400)`

  test('Plausible that has not begun: its page view is in its channel', async () => {
    const { page, url, heard } = await visit({
      init: BEGIN,
      head: PLAUSIBLE,
      from: 'https://chatgpt.com',
    })
    await page.waitForTimeout(1000)
    await page.evaluate('beginPlausible()')
    const p = { author: 'Ada', ai_surface: 'chatgpt', ai_confidence: 0.95 }
    expect(await page.evaluate('sent')).toEqual([
      { n: 'pageview', u: `${url}?ref=chatgpt.com&`, p },
    ])
    expect(await heard()).toEqual([])
  })

  test('Plausible that has begun: an event', async () => {
    const { page, url, heard } = await visit({
      init: BEGIN,
      head: `${PLAUSIBLE}<script>beginPlausible()</script>`,
      query,
    })
    const sent = [
      { n: 'pageview', u: url, p: { author: 'Ada' } },
      { n: 'ai_session', u: url, p: { author: 'Ada', ...SEEN } },
    ]
    await eventually(() => page.evaluate('sent')).toEqual(sent)
    // Nor is it called again later.
    await page.waitForTimeout(1000)
    expect(await page.evaluate('sent')).toEqual(sent)
    expect(await heard()).toEqual([])
  })

  test('PostHog, and Umami, which comes late: each once', async () => {
    const { page, url, heard } = await visit({ head: POSTHOG, init: UMAMI, query })
    const tracked = [{ website: 'w', url, name: 'ai_session', data: SEEN, tag: 'ai:chatgpt' }]
    await eventually(() => page.evaluate('tracked')).toEqual(tracked)
    // Nor is any product called again later.
    await page.waitForTimeout(1500)
    expect(await page.evaluate('[...posthog]')).toEqual([['register_for_session', SEEN]])
    expect(await page.evaluate('tracked')).toEqual(tracked)
    expect(await heard()).toEqual([])
  })

  test('on the pages after the landing, nobody is told again', async () => {
    const { page } = await visit({ query })
    const next = await visit({ init: GOOGLE, head: GTAG + PLAUSIBLE + POSTHOG }, page)
    await next.page.waitForTimeout(1000)
    expect(
      await page.evaluate(
        '[plausible.q || [], Object.keys(plausible.o), [...posthog], dataLayer.length]',
      ),
    ).toEqual([[], ['customProperties'], [], 2])
  })
})
