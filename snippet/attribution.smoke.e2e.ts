import { expect, test } from 'vitest'
import { describeInBrowser } from '../shared/testing/browser.ts'
import { eventually } from '../shared/testing/wait.ts'
import { sessionOf, storedIn, TAG, useShop } from './testing/shop.ts'

describeInBrowser('attribution.js', () => {
  const { beacons, visit, write, quiet } = useShop()

  test('a plain visit sends nothing, stores nothing and is no session', async () => {
    for (const from of [undefined, 'https://other.example']) {
      const { page, heard } = await visit({
        ...(from && { from }),
        query: '?utm_source=newsletter',
      })
      expect(await sessionOf(page)).toBeNull()
      expect(await storedIn(page)).toEqual({})
      expect(await heard()).toEqual([])
      await page.close()
    }
    expect(beacons).toEqual([])
  })

  test('a visit from an assistant is one session, sent once and kept for the tab', async () => {
    const { page, heard } = await visit({ from: 'https://chatgpt.com' })
    const session = await sessionOf(page)
    expect(session).toEqual({ id: expect.any(String), surface: 'chatgpt', confidence: 0.95 })
    expect(beacons).toHaveLength(1)
    const [{ url, headers, body }] = beacons as [(typeof beacons)[0]]
    expect(url).toBe('https://aisle.example/sessions?id=prop_1')
    expect(headers.get('content-type')).toBe('text/plain;charset=UTF-8')
    expect(headers.get('origin')).toBe('https://shop.example')
    expect(headers.get('cookie')).toBeNull()
    expect(body).toEqual({
      ...session,
      referrer: 'https://chatgpt.com',
      landing: expect.stringMatching(/^https:\/\/shop\.example\?=1&#\/page-\d+$/),
    })
    expect(Object.keys(await storedIn(page))).toEqual(['aisle'])
    expect(await heard()).toEqual([])
  })

  test('what it sends of the URL is the campaign alone', async () => {
    await visit({
      from: 'https://chatgpt.com',
      query: `?utm_source=chatgpt.com&email=a%40b.example&gclid=secret&utm_campaign=${'x'.repeat(3000)}`,
    })
    const landing = String(beacons[0]?.body.landing)
    expect(landing).toMatch(
      /^https:\/\/shop\.example\?gclid=1&utm_source=chatgpt\.com&utm_campaign=x+#\/page-\d+$/,
    )
    expect(landing.length).toBeLessThan(300)
  })

  test('the session goes through the shop: next page, reload, back', async () => {
    const { page } = await visit({ from: 'https://chatgpt.com' })
    const session = await sessionOf(page)
    await page.evaluate(`location.href = ${JSON.stringify(write({ query: '?utm_source=claude' }))}`)
    await page.waitForURL(/utm_source=claude/)
    await quiet(page)
    expect(await sessionOf(page)).toEqual(session)
    await page.reload()
    await quiet(page)
    expect(await sessionOf(page)).toEqual(session)
    await page.goBack()
    await quiet(page)
    expect(await sessionOf(page)).toEqual(session)
    expect(beacons).toHaveLength(1)
  })

  test('another tab is another session', async () => {
    const first = await visit({ from: 'https://chatgpt.com' })
    const second = await visit({ from: 'https://claude.ai' })
    expect((await sessionOf(second.page))?.surface).toBe('claude')
    expect((await sessionOf(first.page))?.id).not.toBe((await sessionOf(second.page))?.id)
    expect(beacons.map(({ body }) => body.surface)).toEqual(['chatgpt', 'claude'])
  })

  test('a reload or the back button, without storage, is not a second session', async () => {
    const { page } = await visit({ from: 'https://chatgpt.com', head: DENIED })
    await page.reload()
    await quiet(page)
    expect(await sessionOf(page)).toBeNull()
    await page.goto(write({ head: DENIED }))
    await page.goBack()
    await quiet(page)
    expect(await sessionOf(page)).toBeNull()
    expect(beacons).toHaveLength(1)
  })

  test('a route change in the page changes nothing', async () => {
    const { page } = await visit({ query: '?utm_source=chatgpt.com' })
    const session = await sessionOf(page)
    await page.evaluate(`history.pushState({}, '', '/cart?utm_source=perplexity')`)
    await page.evaluate(`history.replaceState({}, '', '/checkout')`)
    await page.goBack()
    expect(await sessionOf(page)).toEqual(session)
    expect(beacons).toHaveLength(1)
  })

  test('injected late, after the router took the campaign away', async () => {
    const { page } = await visit({ tag: '', query: '?utm_source=chatgpt.com' })
    await page.evaluate(`history.replaceState({}, '', '/clean')`)
    await page.evaluate(`document.head.append(Object.assign(document.createElement('script'), {
      async: true, src: 'https://aisle.example/attribution.js?id=prop_1' }))`)
    await quiet(page)
    await eventually(() => page.evaluate('window.aisle?.session()')).toMatchObject({
      surface: 'chatgpt',
      confidence: 0.85,
    })
    await eventually(() => beacons).toHaveLength(1)
  })

  test.each([
    [
      'copied out of its HTML',
      `const { content } = Object.assign(document.createElement('template'), { innerHTML: tag })
      const script = document.createElement('script')
      for (const { name, value } of content.firstChild.attributes) script.setAttribute(name, value)
      document.head.append(script)`,
    ],
    ['written', 'document.write(tag)'],
  ])('by a tag manager, %s', async (_, inject) => {
    const tag = JSON.stringify(TAG).replace('</', '<\\/')
    const { page, heard } = await visit({
      tag: '',
      query: '?utm_source=chatgpt.com',
      body: `<script>const tag = ${tag}; ${inject}</script>`,
    })
    expect(await heard()).toEqual([])
    expect((await sessionOf(page))?.surface).toBe('chatgpt')
    expect(beacons.map(({ url }) => url)).toEqual(['https://aisle.example/sessions?id=prop_1'])
  })

  test('twice on one page, it works once', async () => {
    const { page } = await visit({ from: 'https://chatgpt.com', tag: TAG + TAG, head: DENIED })
    expect(await sessionOf(page)).not.toBeNull()
    expect(beacons).toHaveLength(1)
  })

  test("behind the shop's proxy, under another name, it reports beside itself", async () => {
    const tag = '<script async src="/proxy/a.js?id=prop_2"></script>'
    await visit({ from: 'https://chatgpt.com', tag })
    expect(beacons.map(({ url }) => url)).toEqual(['https://shop.example/proxy/sessions?id=prop_2'])
  })

  test('served by the shop, it reports where the tag says', async () => {
    const endpoint = 'https://aisle.example/sessions?id=prop_3'
    const tag = `<script async src="/proxy/a.js" data-endpoint="${endpoint}"></script>`
    await visit({ from: 'https://chatgpt.com', tag })
    expect(beacons.map(({ url }) => url)).toEqual([endpoint])
  })
})

const DENIED = `<script>
  window.dataLayer = window.dataLayer || []
  function gtag() { dataLayer.push(arguments) }
  gtag('consent', 'default', { analytics_storage: 'denied' })
</script>`
