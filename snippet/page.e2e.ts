import { expect, test } from 'vitest'
import { describeInBrowser } from '../shared/testing/browser.ts'
import { sessionOf, useShop } from './testing/shop.ts'

describeInBrowser('the page around it', () => {
  const { beacons, requests, visit, write, code, browser, quiet } = useShop()

  test('a page without TLS', async () => {
    const page = await browser().newPage()
    const url = write({ query: '?utm_source=chatgpt.com' }).replace('https:', 'http:')
    await page.goto(url)
    await quiet(page)
    expect(await sessionOf(page)).toMatchObject({
      id: expect.stringMatching(/^[\w-]{8,64}$/),
      surface: 'chatgpt',
    })
    expect(beacons).toHaveLength(1)
    await page.close()
  })

  test('a strict policy that lists nothing but its host', async () => {
    const headers = {
      'Content-Security-Policy':
        "default-src 'none'; script-src https://aisle.example; connect-src https://aisle.example; require-trusted-types-for 'script'",
    }
    const { page, heard } = await visit({ from: 'https://chatgpt.com', headers })
    expect((await sessionOf(page))?.surface).toBe('chatgpt')
    expect(beacons).toHaveLength(1)
    expect(await heard()).toEqual([])
  })

  test.each([
    ['a data layer that is no array', `window.dataLayer = { push: 1 }`],
    ['a data layer of null', `window.dataLayer = [null, undefined, 1]; window.gtag = 1`],
    ['a data layer that is frozen', `window.dataLayer = Object.freeze([{ event: 'gtm.js' }])`],
    [
      'names that throw',
      `for (const name of ['dataLayer', 'gtag', '_paq', 'plausible', 'posthog', 'umami'])
      Object.defineProperty(window, name, { get() { throw new Error(name) } })`,
    ],
    [
      'products that throw',
      `window.gtag = window.plausible = () => { throw new Error() }
      window.posthog = { register_for_session: gtag }; window.umami = { track: gtag }; window._paq = { unshift: gtag }`,
    ],
    ['consent without a state', `window.dataLayer = [{ 0: 'consent', 1: 'default' }]`],
    [
      'an entry that throws',
      `window.dataLayer = [{ get event() { throw new Error() }, get 2() { throw new Error() } }]`,
    ],
  ])('%s', async (_, script) => {
    const { page, heard } = await visit({ from: 'https://claude.ai', init: script })
    expect((await sessionOf(page))?.surface).toBe('claude')
    expect(beacons).toHaveLength(1)
    expect(await heard()).toEqual([])
  })

  test.each([
    ['an element called aisle', '', '<div id="aisle"></div>'],
    [
      'an aisle that is frozen',
      `Object.defineProperty(window, 'aisle', { value: Object.freeze([]) })`,
      '',
    ],
    [
      'an aisle that throws',
      `Object.defineProperty(window, 'aisle', { get() { return [] }, set() { throw new Error() } })`,
      '',
    ],
    ['a queue that throws', `window.aisle = [() => { throw new Error() }, 1, null]`, ''],
  ])('%s', async (_, init, body) => {
    const { heard } = await visit({ from: 'https://claude.ai', init, head: body })
    expect(beacons).toHaveLength(1)
    expect(await heard()).toEqual([])
  })

  test.each([
    ['refuses', () => Promise.reject(new TypeError('blocked'))],
    [
      'throws',
      () => {
        throw new TypeError('no')
      },
    ],
  ])('a fetch that %s', async (_, fetch) => {
    const { page, heard } = await visit({
      from: 'https://claude.ai',
      init: `window.fetch = ${fetch}`,
    })
    expect((await sessionOf(page))?.surface).toBe('claude')
    expect(await heard()).toEqual([])
  })

  test('crypto that is missing, as without TLS: the session is known', async () => {
    const { page, heard } = await visit({
      from: 'https://claude.ai',
      init: `Object.defineProperty(window, 'crypto', { value: undefined })`,
    })
    expect((await sessionOf(page))?.surface).toBe('claude')
    expect(beacons).toHaveLength(1)
    expect(await heard()).toEqual([])
  })

  test('dates that throw: no session, and all that is asked is answered', async () => {
    const { page, heard } = await visit({
      from: 'https://claude.ai',
      init: `Date.now = () => { throw new Error('no') }`,
      head: '<script>(window.aisle = window.aisle || []).push((aisle) => (window.asked = [aisle.session()]))</script>',
    })
    expect(await sessionOf(page)).toBeNull()
    expect(await page.evaluate('asked')).toEqual([null])
    expect(beacons).toEqual([])
    expect(await heard()).toEqual([])
  })

  test('pasted into the page, without a tag, it sends nothing', async () => {
    const { heard } = await visit({
      tag: `<script>${code()}</script>`,
      query: '?utm_source=chatgpt.com',
    })
    expect(beacons).toEqual([])
    expect(requests.filter(({ method }) => method === 'POST')).toEqual([])
    expect(await heard()).toEqual([])
  })

  test('the checkout that asks too early is answered when it has loaded', async () => {
    const { page } = await visit({
      from: 'https://chatgpt.com',
      head: '<script>(window.aisle = window.aisle || []).push((aisle) => (window.asked = aisle.session()))</script>',
    })
    expect(await page.evaluate('asked')).toEqual(await sessionOf(page))
  })
})
