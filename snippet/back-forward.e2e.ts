import { expect, test } from 'vitest'
import { describeInBrowser } from '../shared/testing/browser.ts'
import { eventually } from '../shared/testing/wait.ts'
import { sessionOf, useShop } from './testing/shop.ts'

describeInBrowser('the back-forward cache', () => {
  const { beacons, visit, write, open } = useShop({}, { backForwardCache: true })

  test('a page that comes back as it was says nothing twice', async () => {
    const { page } = await visit({
      from: 'https://chatgpt.com',
      head: '<script>addEventListener("pageshow", (event) => (window.cameBack = event.persisted))</script>',
    })
    const session = await sessionOf(page)
    await open(page, write({ tag: '' }))
    // Playwright waits for a load that does not come.
    await page.evaluate('setTimeout(() => history.back())')
    await eventually(() => page.evaluate('window.cameBack').catch(() => null)).toBe(true)
    expect(await sessionOf(page)).toEqual(session)
    expect(beacons).toHaveLength(1)
  })
})
