import { expect, test } from 'vitest'
import { describeInBrowser } from '../shared/testing/browser.ts'
import { follow, sessionOf, storedIn, TAG, useShop } from './testing/shop.ts'

const GTAG = `
  window.dataLayer = window.dataLayer || []
  function gtag() { dataLayer.push(arguments) }`
const DENIED = `<script>${GTAG}
  gtag('consent', 'default', { analytics_storage: 'denied' })</script>`
/** What a consent template of Tag Manager leaves: it pushes no command. */
const TEMPLATE = (state: object) => `<script>
  google_tag_data = { ics: { entries: { analytics_storage: ${JSON.stringify(state)} } } }</script>`
const REQUIRED = TAG.replace('src=', 'data-consent="required" src=')
const CALL = (granted: boolean) => `<script>
  (window.aisle = window.aisle || []).push((aisle) => aisle.consent(${granted}))</script>`
const privacy = (name: string, value: unknown) =>
  `Object.defineProperty(Navigator.prototype, '${name}', { get: () => ${JSON.stringify(value)} })`

describeInBrowser('what is kept in the browser', () => {
  const { beacons, visit, write, open, quiet } = useShop()

  test.each([
    ['Global Privacy Control', { init: privacy('globalPrivacyControl', true) }],
    ['Do Not Track', { init: privacy('doNotTrack', '1') }],
    ['Google consent denied', { head: DENIED }],
    ['denied by a template of Tag Manager', { head: TEMPLATE({ default: false }) }],
    ['refused to a template', { head: TEMPLATE({ default: false, update: false }) }],
    ['consent required', { tag: REQUIRED }],
    ['consent refused', { head: CALL(false) }],
    [
      'Global Privacy Control and consent',
      { init: privacy('globalPrivacyControl', true), head: CALL(true) },
    ],
  ])('%s: nothing, and the session is known on this page', async (_, given) => {
    const { page, heard } = await visit({ from: 'https://chatgpt.com', ...given })
    expect((await sessionOf(page))?.surface).toBe('chatgpt')
    expect(beacons).toHaveLength(1)
    await open(page, write({}))
    expect(await storedIn(page)).toEqual({})
    expect(await sessionOf(page)).toBeNull()
    expect(beacons).toHaveLength(1)
    expect(await heard()).toEqual([])
  })

  test.each([
    ['queued ahead of the script', { tag: CALL(true) + REQUIRED }, ''],
    ['given later', { tag: REQUIRED }, 'aisle.consent(true)'],
    ['pushed later', { tag: REQUIRED }, 'aisle.push((aisle) => aisle.consent(true))'],
    [
      'given to Google later',
      { head: DENIED },
      `gtag('consent', 'update', { analytics_storage: 'granted' })`,
    ],
    [
      'given to a template of Tag Manager later',
      { head: TEMPLATE({ default: false }), tag: REQUIRED },
      'google_tag_data.ics.entries.analytics_storage.update = true',
    ],
    ['asked for by nobody', {}, ''],
    [
      'that no command states, as the data layer is an object',
      { head: '<script>window.dataLayer = { page: {} }</script>' },
      '',
    ],
  ])('consent %s: one key', async (_, given, later) => {
    const { page } = await visit({ from: 'https://chatgpt.com', ...given })
    await page.evaluate(later)
    await open(page, write({}))
    const { id } = JSON.parse((await storedIn(page)).aisle ?? '{}')
    expect(Object.keys(await storedIn(page))).toEqual(['aisle'])
    expect(beacons.map(({ body }) => body.id)).toEqual([id])
    expect((await sessionOf(page))?.id).toBe(id)
  })

  test('on the next page, too, nothing is read before consent comes', async () => {
    const { page } = await visit({ from: 'https://chatgpt.com' })
    const session = await sessionOf(page)
    await open(page, write({ head: DENIED }))
    expect(await sessionOf(page)).toBeNull()
    await page.evaluate(`gtag('consent', 'update', { analytics_storage: 'granted' })`)
    expect(await sessionOf(page)).toEqual(session)
  })

  test('consent that is taken back takes the key with it', async () => {
    const { page } = await visit({ from: 'https://chatgpt.com' })
    await page.evaluate('aisle.consent(false)')
    expect(await storedIn(page)).toEqual({})
  })

  test.each([
    ['taken back', {}, 'aisle.consent(false)'],
    ['refused on each page', { head: CALL(false) }, ''],
  ])('consent %s takes the cookie of another tab with it', async (_, given, later) => {
    const { page } = await visit()
    const cookies = async () =>
      (await page.context().cookies(page.url())).map(({ name, value }) => `${name}=${value}`)
    await page.evaluate(`document.cookie = 'aisle_visit=12345678; path=/; samesite=lax; secure'`)
    await page.evaluate(`document.cookie = 'cart=1; path=/'`)
    expect(await cookies()).toContain('aisle_visit=12345678')
    await visit(given, page)
    await page.evaluate(later)
    expect(await cookies()).toEqual(['cart=1'])
  })

  test.each([
    ['Google', `gtag('consent', 'update', { analytics_storage: 'denied' })`],
    ['Global Privacy Control', privacy('globalPrivacyControl', true)],
    ['Do Not Track', privacy('doNotTrack', '1')],
  ])('taken back by %s as well', async (_, takeBack) => {
    const { page } = await visit({ from: 'https://chatgpt.com', head: `<script>${GTAG}</script>` })
    expect(Object.keys(await storedIn(page))).toEqual(['aisle'])
    await page.evaluate(takeBack)
    await open(page, write({ tag: '' }))
    expect(await storedIn(page)).toEqual({})
  })

  test.each([
    ['denied by default', { head: DENIED }],
    ['required', { tag: REQUIRED }],
  ])('a page where it is %s leaves what an earlier one kept', async (_, given) => {
    const { page } = await visit({ from: 'https://chatgpt.com' })
    const stored = await storedIn(page)
    await open(page, write(given))
    expect(await sessionOf(page)).toBeNull()
    await open(page, write({}))
    const session = JSON.parse(stored.aisle ?? '')
    delete session.seen
    expect(JSON.parse((await storedIn(page)).aisle ?? '')).toMatchObject(session)
    expect(await sessionOf(page)).toEqual(session)
  })

  test('a browser that blocks storage', async () => {
    const init = `Object.defineProperty(window, 'sessionStorage', { get() { throw new DOMException('blocked', 'SecurityError') } })`
    const { page, heard } = await visit({ from: 'https://chatgpt.com', init })
    expect((await sessionOf(page))?.surface).toBe('chatgpt')
    expect(beacons).toHaveLength(1)
    expect(await heard()).toEqual([])
  })

  test.each(['{', '"x"', '1', '{}', '[]', 'null'])(
    'a key that something else wrote: %s',
    async (value) => {
      const init = `try { sessionStorage.aisle ??= '${value}' } catch {}`
      const { page, heard } = await visit({ init })
      expect(await sessionOf(page)).toBeNull()
      await follow(page, 'https://chatgpt.com', write({}))
      await quiet(page)
      const session = await sessionOf(page)
      expect(session?.surface).toBe('chatgpt')
      expect(JSON.parse((await storedIn(page)).aisle ?? '')).toMatchObject(session ?? {})
      expect(await heard()).toEqual([])
    },
  )
})
