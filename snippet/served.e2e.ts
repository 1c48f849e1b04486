import { beforeAll, expect, test } from 'vitest'
import type { createApp } from '../server/app.ts'
import { createProperty } from '../server/attribution/properties.ts'
import { prepareSnippet, snippetTags } from '../server/attribution/snippet/asset.ts'
import { testApp } from '../server/testing/app.ts'
import { describeInBrowser } from '../shared/testing/browser.ts'
import { eventually } from '../shared/testing/wait.ts'
import { DAY_MS } from '../shared/web/moment.ts'
import { buildSnippet } from './build.ts'
import { follow, sessionOf, storedIn, useShop } from './testing/shop.ts'

const PERSON =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'

describeInBrowser('the service behind it', () => {
  let app: ReturnType<typeof createApp>
  let key: string
  let tags: { tag: string; pinned_tag: string }
  const { write, browser } = useShop({
    'aisle.example': (request, env) => app.fetch(request, env as object),
  })

  beforeAll(async () => {
    const snippet = await prepareSnippet((await buildSnippet()).code)
    const service = await testApp({ snippet })
    const property = await createProperty(service.db, { domain: 'shop.example' }, new Date())
    app = service.app
    key = service.key
    tags = snippetTags(snippet, 'https://aisle.example', property.id)
  })

  test.each(['tag', 'pinned_tag'] as const)(
    'the %s of a property counts a session',
    async (kind) => {
      const page = await browser().newPage()
      const devtools = await browser().newCDPSession(page)
      // A headless browser says so, and is taken for a bot.
      await devtools.send('Emulation.setUserAgentOverride', { userAgent: PERSON })
      const answered = page.waitForResponse(/\/sessions\?id=/)
      await follow(
        page,
        'https://chatgpt.com',
        write({ tag: tags[kind], query: '?utm_source=chatgpt.com' }),
      )
      const answer = await answered
      expect(answer.status()).toBe(200)
      expect(await answer.json()).toEqual({
        status: 'recorded',
        session_classified: true,
        ai_source: 'chatgpt',
        // Its tag confirms the referrer, which the page leaves to the service.
        confidence: 0.99,
      })
    },
  )

  test.each([
    ['an advertisement', '?utm_source=chatgpt&utm_medium=cpc'],
    ['an email', '?utm_source=chatgpt.com&utm_medium=email'],
  ])('a visit by %s, which it ignores, is forgotten', async (_, query) => {
    const page = await browser().newPage()
    const devtools = await browser().newCDPSession(page)
    await devtools.send('Emulation.setUserAgentOverride', { userAgent: PERSON })
    const answered = page.waitForResponse(/\/sessions\?id=/)
    await page.goto(write({ tag: tags.tag, query }))
    expect(await (await answered).json()).toEqual({ status: 'ignored', reason: 'not_ai' })
    await eventually(() => sessionOf(page)).toBeNull()
    expect(await storedIn(page)).toEqual({})
    // Nor does it start again on this page.
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await page.evaluate('aisle.consent(true)')
    expect(await sessionOf(page)).toBeNull()
    expect(await storedIn(page)).toEqual({})
    expect(asked).toEqual([])
  })

  test('and the report has them', async () => {
    // They may have come before midnight.
    const [start, end] = [1, 0].map((days) =>
      new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10),
    )
    const url = `/api/report?domain=shop.example&start=${start}&end=${end}`
    const report = await app.request(url, { headers: { Authorization: `Bearer ${key}` } })
    expect(await report.json()).toMatchObject({
      summary: { ai_sessions: 2 },
      by_surface: { chatgpt: { sessions: 2, kind: { referral: 2 } } },
    })
  })
})
