import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { describeInBrowser } from '../shared/testing/browser.ts'
import { eventually } from '../shared/testing/wait.ts'
import { useShop } from './testing/shop.ts'
import {
  type Count,
  collectors,
  HAS,
  MATOMO_TAG,
  PLAUSIBLE,
  POSTHOG,
  UMAMI_TAG,
} from './testing/trackers.ts'

const AI = { ai_surface: 'chatgpt', ai_confidence: 0.85 }
const TAGGED = '?utm_source=chatgpt.com'

describeInBrowser('trackers as people run them count', () => {
  const counts: Count[] = []
  const shop = useShop(collectors(counts))

  /** The counts of that event on that page: a page that was left may still send. */
  const countsOf = (url: string, event: string) =>
    counts
      .filter((count) => count.page === url && count.event === event)
      .map((count) => count.details)
  const eventsOf = (url: string) =>
    counts.filter((count) => count.page === url).map((count) => count.event)
  const marked = (details: Record<string, unknown>) =>
    Object.keys(details).filter((name) => name.startsWith('ai_'))

  /** Adds a script that comes after this one has finished. */
  const add = (page: Page, script: string) =>
    page.evaluate(
      `document.head.append(document.createRange().createContextualFragment(\`${script}\`))`,
    )
  /** The tag's script tries products after 0.1, 0.3 and 0.7 s, and more rarely from then on. */
  const toldAll = (page: Page) => page.waitForTimeout(1000)

  const buyOn = async (page: Page, url: string) => {
    await page.evaluate(`posthog.capture('added_to_cart')`)
    await eventually(() => eventsOf(url)).toEqual(
      expect.arrayContaining(['$pageview', 'added_to_cart']),
    )
  }

  const withPostHog = test.skipIf(!HAS.posthog)

  withPostHog(
    'PostHog that comes later: its page view and each event have the assistant',
    async () => {
      const { page, url, heard } = await shop.visit({ head: POSTHOG.queue, query: TAGGED })
      await eventually(() => page.evaluate('posthog.length')).toBe(1)
      await add(page, POSTHOG.script)
      await buyOn(page, url)
      expect(countsOf(url, '$pageview')).toEqual([expect.objectContaining(AI)])
      expect(countsOf(url, 'added_to_cart')).toEqual([expect.objectContaining(AI)])
      expect(await heard()).toEqual([])
    },
  )

  withPostHog('PostHog that has begun: events from then on have it', async () => {
    const { page, url, heard } = await shop.visit({
      head: POSTHOG.queue + POSTHOG.script,
      query: TAGGED,
    })
    await toldAll(page)
    await buyOn(page, url)
    expect(countsOf(url, 'added_to_cart')).toEqual([expect.objectContaining(AI)])
    expect(await heard()).toEqual([])
  })

  withPostHog('PostHog on a plain visit: nothing of an assistant', async () => {
    const { page, url, heard } = await shop.visit({ head: POSTHOG.queue + POSTHOG.script })
    await buyOn(page, url)
    expect(countsOf(url, '$pageview').flatMap(marked)).toEqual([])
    expect(countsOf(url, 'added_to_cart').flatMap(marked)).toEqual([])
    expect(await heard()).toEqual([])
  })

  test('Plausible of npm: an event with the properties, and no second page view', async () => {
    const { url, heard } = await shop.visit({ head: PLAUSIBLE, query: TAGGED })
    // Each over a connection of its own.
    await eventually(() => eventsOf(url).toSorted()).toEqual(['ai_session', 'pageview'])
    expect(countsOf(url, 'ai_session')).toEqual([
      expect.objectContaining({ d: 'shop.example', i: false, p: { author: 'Ada', ...AI } }),
    ])
    expect(await heard()).toEqual([])
  })

  test('Plausible on a plain visit: the page view alone', async () => {
    const { page, url } = await shop.visit({ head: PLAUSIBLE })
    await eventually(() => eventsOf(url)).toEqual(['pageview'])
    await toldAll(page)
    expect(eventsOf(url)).toEqual(['pageview'])
    expect(marked(Object(countsOf(url, 'pageview')[0]?.p))).toEqual([])
  })

  const withUmami = test.skipIf(!HAS.umami)
  withUmami('Umami of TRACKERS: an event with data and a tag, and one page view', async () => {
    const { url, heard } = await shop.visit({ head: UMAMI_TAG, query: TAGGED })
    await eventually(() => eventsOf(url).toSorted()).toEqual(['ai_session', 'pageview'])
    expect(countsOf(url, 'ai_session')).toEqual([
      expect.objectContaining({ website: 'w', data: AI, tag: 'ai:chatgpt' }),
    ])
    expect(await heard()).toEqual([])
  })

  withUmami('Umami of TRACKERS on a plain visit: the page view alone', async () => {
    const { page, url } = await shop.visit({ head: UMAMI_TAG })
    await eventually(() => eventsOf(url)).toEqual(['pageview'])
    await toldAll(page)
    expect(eventsOf(url)).toEqual(['pageview'])
    expect(countsOf(url, 'pageview')[0]).not.toHaveProperty('tag')
  })

  const withMatomo = test.skipIf(!HAS.matomo)
  withMatomo('Matomo of TRACKERS that comes later: its page view has the assistant', async () => {
    const { page, url, heard } = await shop.visit({ head: MATOMO_TAG.queue, query: TAGGED })
    await eventually(() => page.evaluate('_paq[0][0]')).toBe('setReferrerUrl')
    await add(page, MATOMO_TAG.script)
    await eventually(() => eventsOf(url)).toEqual(['pageview'])
    expect(countsOf(url, 'pageview')[0]).toMatchObject({ urlref: 'https://chatgpt.com/' })
    expect(await heard()).toEqual([])
  })

  withMatomo('Matomo of TRACKERS that has begun: what it counts stays as it was', async () => {
    const head = MATOMO_TAG.queue + MATOMO_TAG.script
    const { page, url, heard } = await shop.visit({ head, query: TAGGED })
    await toldAll(page)
    await eventually(() => eventsOf(url)).toEqual(['pageview'])
    expect(countsOf(url, 'pageview')[0]).not.toHaveProperty('urlref')
    expect(await heard()).toEqual([])
  })

  withMatomo('Matomo of TRACKERS on a plain visit: nothing of an assistant', async () => {
    const { page, url } = await shop.visit({ head: MATOMO_TAG.queue })
    await toldAll(page)
    await add(page, MATOMO_TAG.script)
    await eventually(() => eventsOf(url)).toEqual(['pageview'])
    expect(countsOf(url, 'pageview')[0]).not.toHaveProperty('urlref')
  })
})
