import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { eventually } from '../shared/testing/wait.ts'
import { findFirefox, shootFirefox, startFirefox } from './testing/firefox.ts'
import { auditShop, seeFaultlessPage, seeFixesFirst } from './testing/scenarios.ts'
import { FAULTY_PRODUCT, PRODUCT, SHOP_HOME, startShop } from './testing/world.ts'

/*
 * The build for Firefox in Firefox, over WebDriver BiDi. That protocol cannot click the toolbar's
 * button, see the popup or the sidebar, or answer a prompt: their pages are opened in tabs, a grant
 * for *.example stands for the click, and a preference grants the consent to send data.
 */
const path = findFirefox()
const how =
  path === null ? ': none is here. apt-get install firefox-esr, or set FIREFOX to one' : ''

describe.skipIf(path === null)(`the extension in Firefox${how}`, () => {
  let shop: Awaited<ReturnType<typeof startShop>>
  let firefox: Awaited<ReturnType<typeof startFirefox>>
  beforeAll(async () => {
    shop = await startShop()
    firefox = await startFirefox(path ?? '', shop.hosts)
  })
  afterAll(async () => {
    await firefox?.stop()
    await shop?.stop()
  })
  beforeEach(() => firefox.reset())

  test('a faultless product page has all points, on the badge as well', async () => {
    const { view, tabId, app } = await firefox.openApp(PRODUCT)
    await seeFaultlessPage(view)
    await eventually(() => firefox.badge(tabId)).toBe('100')
    await shootFirefox(app, 'page')
  })

  test('faults are listed worst first, and shown on the page', async () => {
    const { view, page, app } = await firefox.openApp(FAULTY_PRODUCT)
    await seeFixesFirst(view)
    await shootFirefox(app, 'gaps')
    await view.press('Show on page')
    await view.text('Shown on the page')
    await page.bringToFront()
    const overlays = () => page.evaluate('document.querySelectorAll("html > div").length')
    expect(await overlays()).toBe(1)
    await shootFirefox(page, 'highlight')
    await page.keyboard.press('Escape')
    await eventually(overlays).toBe(0)
  })

  test('a server is connected with consent, and audits the shop', async () => {
    const { url, key } = shop.server
    const { view, app } = await firefox.openApp(SHOP_HOME)
    await view.press('Options')
    await app.type('::-p-aria(Server address)', url)
    await app.type('::-p-aria(Key)', key)
    await view.press('Save and test the connection')
    await view.text(/Connected to localhost:\d+/)
    expect(await firefox.granted()).toMatchObject({
      data_collection: expect.arrayContaining(['browsingActivity', 'authenticationInfo']),
    })
    expect(await firefox.kept()).toMatchObject({ connection: { url, key } })
    await view.press('Store')
    await auditShop(view)
    await shootFirefox(app, 'store')
  })
  test.each(['popup', 'app', 'options'])('its page %s opens', async (file) => {
    const { view, app } = await firefox.openApp(SHOP_HOME, { file })
    await view.text(file === 'options' ? 'Server address' : SHOP_HOME)
    await shootFirefox(app, file)
  })

  test('the page is checked again where it leads elsewhere', async () => {
    const { view, page } = await firefox.openApp(SHOP_HOME)
    await view.text(SHOP_HOME)
    await page.goto(PRODUCT)
    await view.text(PRODUCT)
  })
})
