import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { describeInBrowser } from './browser/testing.ts'
import { TAG, useShop } from './shop/testing.ts'

// Stubs that do what the products document: queue until their script has loaded, then take over.

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
  const { visit } = useShop()
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

  const PLAUSIBLE = `<script>
    window.plausible = window.plausible || function () { (plausible.q = plausible.q || []).push(arguments) }
    plausible.init = plausible.init || function (i) { plausible.o = i || {} }; plausible.init()
  </script>`
  const POSTHOG = `<script>
    window.posthog = []
    posthog.register_for_session = (...given) => { posthog.push(['register_for_session', ...given]) }
  </script>`
  const UMAMI = `setTimeout(() => {
    window.tracked = []
    window.umami = { track: (...given) => { tracked.push(given) } }
  }, 400)`

  test('Plausible, PostHog and Umami, which comes late: each once', async () => {
    const { page, heard } = await visit({ head: PLAUSIBLE + POSTHOG, init: UMAMI, query })
    await page.waitForTimeout(2000)
    expect(await page.evaluate('plausible.q.map((given) => [...given])')).toEqual([
      ['ai_session', { props: SEEN, interactive: false }],
    ])
    expect(await page.evaluate('[...posthog]')).toEqual([['register_for_session', SEEN]])
    expect(await page.evaluate('tracked')).toEqual([['ai_session', SEEN]])
    expect(await heard()).toEqual([])
  })

  test('on the pages after the landing, nobody is told again', async () => {
    const { page } = await visit({ query })
    const next = await visit({ init: GOOGLE, head: GTAG + PLAUSIBLE + POSTHOG }, page)
    await next.page.waitForTimeout(1000)
    expect(await page.evaluate('[plausible.q || [], [...posthog], dataLayer.length]')).toEqual([
      [],
      [],
      2,
    ])
  })
})
