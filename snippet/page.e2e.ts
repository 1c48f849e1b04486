import { expect, test } from 'vitest'
import { describeInBrowser } from './browser/testing.ts'
import { sessionOf, TAG, useShop } from './shop/testing.ts'

describeInBrowser('the page around it', () => {
  const { beacons, visit, code, browser } = useShop()

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
      `window.dataLayer = [{ get event() { throw new Error() }, get 0() { throw new Error() } }]`,
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

  test('evaluated in the page, without a tag, it does nothing', async () => {
    const { page, heard } = await visit({
      tag: `<script>${code()}</script>`,
      query: '?utm_source=chatgpt.com',
    })
    expect(beacons).toEqual([])
    expect(await heard()).toEqual([])
    await page.close()
  })

  test('the checkout that asks too early is answered when it has loaded', async () => {
    const { page } = await visit({
      from: 'https://chatgpt.com',
      head: '<script>(window.aisle = window.aisle || []).push((aisle) => (window.asked = aisle.session()))</script>',
    })
    expect(await page.evaluate('asked')).toEqual(await sessionOf(page))
  })

  test('main-thread time at a quarter of the speed, in ms (median of 15)', async () => {
    const tag = TAG.replace('<script', '<script type="text/plain"')
    const medians: Record<string, number> = {}
    for (const [kind, query] of [
      ['plain visit', ''],
      ['AI session', '?utm_source=chatgpt.com'],
    ] as const) {
      const times: number[] = []
      for (let round = 0; round < 15; round++) {
        const { page } = await visit({ tag, query })
        const devtools = await browser().newCDPSession(page)
        await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 })
        times.push(
          await page.evaluate<number, string>((text) => {
            const script = document.createElement('script')
            script.textContent = text
            const before = performance.now()
            document.head.append(script)
            return performance.now() - before
          }, code()),
        )
        await page.close()
      }
      medians[kind] = times.toSorted((a, b) => a - b)[7] ?? 0
    }
    process.stdout.write(
      `attribution.js, main thread at 4× throttle: ${JSON.stringify(medians)} ms\n`,
    )
    expect(Object.values(medians).every((time) => time > 0)).toBe(true)
  })
})
