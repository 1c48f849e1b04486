import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeInBrowser } from '../../../../shared/testing/browser.ts'
import { eventually } from '../../../../shared/testing/wait.ts'
import { buildSnippet } from '../../../../snippet/build.ts'
import { prepareSnippet } from '../../../attribution/snippet/asset.ts'
import {
  addressOf,
  enableScripts,
  look,
  signIn,
  startWorld,
  type World,
} from '../../testing/world.ts'

const DOMAIN = 'dark-traffic-untracked.example'

/** From a key to a visit in the report, using only pages. */
describeInBrowser.each([true, false])('a property, with JavaScript: %s', (hasScripts) => {
  let world: World
  let page: Page
  let key: string
  beforeAll(async () => {
    world = await startWorld({ snippet: await prepareSnippet((await buildSnippet()).code) })
    page = await world.browser.newPage()
    await enableScripts(page, hasScripts)
    key = (await world.createTestKey({ domains: [DOMAIN] })).key
    await page.clock.install()
    await signIn(page, key, '/properties')
  })
  afterAll(async () => {
    expect(world?.complaints() ?? []).toEqual([])
    await world?.stop()
  })

  test('is created, put into the shop, and hears of the first visit', async () => {
    await page.getByText('Create the first property').waitFor()
    if (hasScripts) await look(page, 'properties-none')
    await page.getByText('Its pages, currency, time zone and days').click()
    await page.getByLabel('Currency').fill('euro')
    await page.getByRole('button', { name: 'Create it' }).click()
    await page.getByText('Send an ISO 4217 code').waitFor()
    if (hasScripts) await look(page, 'properties-wrong')
    await page.getByLabel('Currency').fill('USD')
    await page.getByRole('button', { name: 'Create it' }).click()
    await page.getByText('Waiting for the first visit').waitFor()
    if (hasScripts) {
      // The tag is not in the store yet; after a while the page says so by itself.
      await page.waitForLoadState()
      await page.clock.fastForward(25_000)
      await page.getByText(`The tag on https://${DOMAIN}/ does not work correctly`).waitFor()
      await look(page, 'properties-waiting')
    }

    const tag = await page
      .locator('.code-block', { hasText: 'Its tag' })
      .locator('code')
      .innerText()
    world.mend(DOMAIN, async (_, answer) =>
      /html/.test(answer.headers.get('content-type') ?? '')
        ? new Response((await answer.text()).replace('</head>', `${tag}</head>`), answer)
        : answer,
    )
    const visit = await page
      .getByRole('link', { name: 'your store as if from ChatGPT' })
      .getAttribute('href')
    const visitor = await world.browser.newPage()
    // The user agent of a browser with a window: a headless one counts as a robot.
    const userAgent = (await visitor.evaluate(() => navigator.userAgent)).replace('Headless', '')
    const driver = await visitor.context().newCDPSession(visitor)
    await driver.send('Network.setUserAgentOverride', { userAgent })
    const [told] = await Promise.all([
      visitor.waitForResponse((answer) => answer.url().includes('/sessions') && answer.ok()),
      visitor.goto(visit ?? ''),
    ])
    expect(await told.json()).toMatchObject({ status: 'recorded', ai_source: 'chatgpt' })
    await visitor.close()
    if (hasScripts) {
      await page.getByText('the first visit was reported').waitFor()
      expect(await page.getByText('Waiting for the first visit').count()).toBe(0)
      await look(page, 'properties-arrived')
      await page.getByRole('link', { name: 'the report', exact: true }).click()
      await page.getByRole('heading', { name: `AI commerce on ${DOMAIN}` }).waitFor()
      await eventually(async () => {
        await page.reload()
        return page.locator('main').innerText()
      }).toContain('ChatGPT')
    } else {
      await eventually(async () => {
        await page.getByRole('link', { name: 'Check again' }).click()
        await page.waitForLoadState()
        return page.getByText('it has reported visits since').count()
      }).toBe(1)
    }
  })

  test('is reported by a key of its own', async () => {
    await page.goto(addressOf('/keys'))
    if (hasScripts) await look(page, 'keys-none')
    await page.getByLabel('Name').fill('store server')
    await page.getByLabel('For the server of a store').check()
    await page.getByRole('button', { name: 'Create the key' }).click()
    await page.getByText('Copy it now').waitFor()
    if (hasScripts) await look(page, 'keys-made')
  })

  test('loses nothing that was typed when the sign-in has ended', async () => {
    await page.goto(addressOf('/keys'))
    await page.getByLabel('Name').fill('agency')
    await page.getByLabel('For the server of a store').check()
    await page.getByLabel('It ends after').selectOption('One year')
    await page.context().clearCookies()
    await page.getByRole('button', { name: 'Create the key' }).click()
    await page.getByText('You were signed out').waitFor()
    if (hasScripts) await look(page, 'typed-again')
    const [tab] = await Promise.all([
      page.waitForEvent('popup'),
      page.getByRole('link', { name: 'Sign in in a new tab' }).click(),
    ])
    await tab.getByLabel('API key').fill(key)
    await tab.getByRole('button', { name: 'Sign in' }).click()
    await tab.getByRole('heading', { name: 'Keys' }).waitFor()
    await tab.close()
    await page.getByRole('button', { name: 'Send it again' }).click()
    await page.getByText('The key “agency” was created').waitFor()
  })

  test('is changed, and deleted', async () => {
    await page.goto(addressOf(`/properties?domain=${DOMAIN}`))
    await page.getByText('Change it').click()
    await page.getByLabel('Where its pages are').first().fill('https://www.own.example')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Pages of https://www.own.example may report.').waitFor()
    await page.getByText('Delete it').click()
    await page.getByRole('button', { name: 'Delete this property' }).click()
    await page.getByText('Create the first property').waitFor()
  })
})
