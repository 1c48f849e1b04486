import { expect, test } from 'vitest'
import { describeInBrowser, type Site } from '../shared/testing/browser.ts'
import { eventually } from '../shared/testing/wait.ts'
import { follow, sessionOf, storedIn, TAG, useShop } from './testing/shop.ts'
import { ALL, type Count, collectors } from './testing/trackers.ts'

const DENIED = `<script>
  window.dataLayer = window.dataLayer || []
  function gtag() { dataLayer.push(arguments) }
  gtag('consent', 'default', { analytics_storage: 'denied' })
</script>`

/** With TRACKERS, all of this is so beside the trackers of others. */
const counts: Count[] = []

describeInBrowser('where a visit begins and ends', () => {
  const sites: Record<string, Site> = {
    ...collectors(counts),
    'www.google.com': (request) => {
      const to = new URL(request.url).searchParams.get('to') ?? ''
      const link = `<a href="${to.replaceAll('&', '&amp;')}">shop</a>`
      return new Response(link, { headers: { 'Content-Type': 'text/html' } })
    },
    'www.shop.example': () =>
      new Response(`<!doctype html><head>${ALL}${TAG}</head>`, {
        headers: { 'Content-Type': 'text/html' },
      }),
  }
  const { beacons, visit, write, quiet, browser, code } = useShop(sites, {}, ALL)

  test.each([
    ['that keeps it', 'prop_kept', ''],
    ['that keeps nothing', 'prop_denied', DENIED],
  ])(
    'a page that is reloaded with the tag, after consent, has its visit: one %s',
    async (_, id, head) => {
      // Under an address that this browser has not loaded before.
      const tag = JSON.stringify(TAG.replace('prop_1', id)).replace('</', '<\\/')
      // A consent tool that holds the tag back until there is an answer, and reloads the page.
      const held = `<script>
      if (document.cookie.includes('${id}')) document.write(${tag})
    </script>`
      const page = await browser().newPage()
      const url = write({ head, tag: held })
      await follow(page, 'https://chatgpt.com', url)
      expect(beacons).toEqual([])
      await page.evaluate(`document.cookie = 'agreed=${id}'`)
      await page.reload()
      await quiet(page)
      expect((await sessionOf(page))?.surface).toBe('chatgpt')
      expect(beacons).toHaveLength(1)
      // With the script in its cache, the browser has run it before.
      await page.reload()
      await quiet(page)
      expect(beacons).toHaveLength(1)
      await page.close()
    },
  )

  test('another assistant begins another visit', async () => {
    const { page } = await visit({ from: 'https://chatgpt.com' })
    const first = await sessionOf(page)
    await follow(page, 'https://claude.ai', write({}))
    await quiet(page)
    const second = await sessionOf(page)
    expect(second?.surface).toBe('claude')
    expect(second?.id).not.toBe(first?.id)
    expect(beacons.map(({ body }) => body.surface)).toEqual(['chatgpt', 'claude'])
    expect(JSON.parse((await storedIn(page)).aisle ?? '')).toMatchObject(second ?? {})
  })

  test.each([
    ['an advertisement', 'https://www.google.com', '?gclid=abc'],
    ['a newsletter', null, '?utm_source=newsletter&utm_medium=email'],
    ['what Google found', 'https://www.google.com', ''],
  ])('%s ends it, and takes the cookie of the recipes with it', async (_, from, query) => {
    const { page } = await visit({ from: 'https://chatgpt.com' })
    await page.evaluate(`document.cookie = 'aisle_visit=12345678; path=/'`)
    const url = write({ query })
    await (from === null ? page.goto(url) : follow(page, from, url))
    await quiet(page)
    expect(await sessionOf(page)).toBeNull()
    expect((await storedIn(page)).aisle).toBeUndefined()
    expect(await page.evaluate('document.cookie')).not.toContain('aisle_visit')
    expect(beacons).toHaveLength(1)
  })

  test('a link from elsewhere ends it after half an hour without a page', async () => {
    const { page } = await visit({ from: 'https://chatgpt.com' })
    const session = await sessionOf(page)
    // As long as the visitor stays in the store, the visit stays.
    const away = async (minutes: number, from: string | null) => {
      const url = write({ tag: '' })
      await page.goto(url)
      await page.evaluate(`
        const kept = JSON.parse(sessionStorage.aisle)
        sessionStorage.aisle = JSON.stringify({ ...kept, seen: kept.seen - ${minutes * 60_000} })`)
      const next = write({})
      await (from === null ? page.evaluate(`location.href = '${next}'`) : follow(page, from, next))
      await page.waitForURL(next)
      await quiet(page)
      return sessionOf(page)
    }
    expect(await away(45, null)).toEqual(session)
    expect(await away(25, 'https://other.example')).toEqual(session)
    expect(await away(31, 'https://other.example')).toBeNull()
    expect(beacons).toHaveLength(1)
  })

  test('its id says when it began', async () => {
    const before = Date.now()
    const { page } = await visit({ from: 'https://chatgpt.com' })
    const at = Number(/^\d+/.exec((await sessionOf(page))?.id ?? ''))
    expect(at).toBeGreaterThanOrEqual(before - 1000)
    expect(at).toBeLessThanOrEqual(Date.now() + 1000)
  })

  test('the way back from another site, such as a payment, does not', async () => {
    const { page } = await visit({ from: 'https://chatgpt.com' })
    const session = await sessionOf(page)
    await follow(page, 'https://other.example', write({}))
    await quiet(page)
    expect(await sessionOf(page)).toEqual(session)
    expect(beacons).toHaveLength(1)
  })

  test.each([
    ['a script', (to: string) => `<script>location.replace('${to}' + location.search)</script>`],
    [
      'meta',
      (to: string) => `<meta http-equiv="refresh" content="0;url=${to}?utm_source=chatgpt.com">`,
    ],
  ])('a redirect by %s to another host of the store keeps the visit', async (_, redirect) => {
    const to = 'https://www.shop.example/'
    const page = await browser().newPage()
    const first = write({ tag: '', head: redirect(to), query: '?utm_source=chatgpt.com' })
    await page.goto(first, { waitUntil: 'commit' }).catch(() => {})
    await page.waitForURL(/www\.shop\.example/)
    await quiet(page)
    await eventually(() => sessionOf(page)).toMatchObject({ surface: 'chatgpt' })
    expect(beacons).toHaveLength(1)
    await page.close()
  })

  test('sent on by another site, with its campaign: the server knows whether that is its own', async () => {
    const products = '<script>dataLayer = [{ event: "gtm.js" }]</script>'
    const { page } = await visit({
      from: 'https://other.example',
      query: '?utm_source=chatgpt.com',
      head: products,
    })
    expect(beacons.map(({ body }) => [body.referrer, body.surface])).toEqual([
      ['https://other.example', 'chatgpt'],
    ])
    expect((await sessionOf(page))?.surface).toBe('chatgpt')
    // It may be a link that was copied out of an answer.
    await page.waitForTimeout(500)
    expect(await page.evaluate('dataLayer.length')).toBe(1)
  })

  test('a store in the frame of an assistant was not clicked', async () => {
    const page = await browser().newPage()
    const framed = write({ query: '?utm_source=chatgpt.com' })
    await page.goto(write({ tag: '', body: `<iframe src="${framed}"></iframe>` }))
    await quiet(page)
    expect(page.frames()).toHaveLength(2)
    expect(await page.frames()[1]?.evaluate('aisle.session()')).toBeNull()
    expect(beacons).toEqual([])
    await page.close()
  })

  test.each([
    ['a module', () => TAG.replace('async', 'type="module"')],
    [
      'imported',
      () => `<script type="module">import 'https://aisle.example/attribution.js'</script>`,
    ],
    ['pasted into the page', () => `<script>${code()}</script>`],
  ])('%s, it says in the console that it cannot run', async (_, tag) => {
    const said: string[] = []
    const page = await browser().newPage()
    page.on('console', (message) => {
      if (message.type() === 'warning') said.push(message.text())
    })
    await page.goto(write({ tag: tag(), query: '?utm_source=chatgpt.com' }))
    await quiet(page)
    await eventually(() => said).toEqual(['aisle: no src'])
    expect(beacons).toEqual([])
    await page.close()
  })

  test.skipIf(ALL === '')('the trackers of others have counted these pages', () => {
    const paths = ['$pageview', 'pageview'].map((event) =>
      counts.filter((count) => count.event === event).map(({ page }) => new URL(page).pathname),
    )
    for (const seen of paths) expect(new Set(seen).size).toBeGreaterThan(10)
  })
})
