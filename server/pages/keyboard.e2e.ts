import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeInBrowser } from '../../shared/testing/browser.ts'
import { tabTo } from '../../shared/testing/keyboard.ts'
import { addressOf, startWorld, type World } from './testing/world.ts'

const DOMAIN = 'well-known-missing.example'

/** A visit that began a checkout, which failed. */
const FAILED = ['ai_product_viewed', 'ai_checkout_initiated', 'ai_checkout_failed'].map(
  (event) => ({
    event,
    domain: DOMAIN,
    session_id: 'order-1',
    source: 'ucp',
    ai_surface: 'chatgpt',
    timestamp: new Date().toISOString(),
    properties: { value: 2900, currency: 'USD' },
  }),
)

describeInBrowser('by keyboard alone', () => {
  let world: World
  let page: Page
  beforeAll(async () => {
    world = await startWorld()
    page = await world.browser.newPage()
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await world.app.request('/api/report', {
      method: 'POST',
      headers: { Authorization: `Bearer ${world.key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(FAILED),
    })
  })
  afterAll(() => world?.stop())

  const press = async (name: string | RegExp) => {
    await tabTo(page, name)
    await page.keyboard.press('Enter')
  }
  const copied = () => page.evaluate(() => navigator.clipboard.readText())

  test('from sign-in over the audit and "Fix it" to the copied manifest', async () => {
    const { key } = await world.createTestKey({ domains: [DOMAIN] })
    await page.goto(addressOf('/'))
    await press('Sign in')
    await page.getByLabel('API key').waitFor()
    await tabTo(page, /^API key/)
    await page.keyboard.type(key)
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Sign out' }).waitFor()
    await press('Audit it now')
    await page.getByRole('link', { name: 'Fix it' }).first().waitFor()
    await page.waitForLoadState()
    await press(/^Fix it/)
    await page.getByRole('heading', { name: `Made from ${DOMAIN}` }).waitFor()
    await press(/^Copy/)
    await expect.poll(copied).toContain('"product_catalog"')
  })

  test('a key is created, and copied', async () => {
    await page.goto(addressOf('/keys'))
    await tabTo(page, /^Name/)
    await page.keyboard.type('store server')
    await tabTo(page, /^For the server of a store/)
    await page.keyboard.press('Space')
    await press('Create the key')
    await page.getByText('Copy it now').waitFor()
    await press(/^Copy/)
    await expect.poll(copied).toMatch(/^aisle_live_/)
  })

  test('from the report to what may stop its failed checkouts', async () => {
    await page.goto(addressOf(`/report?domain=${DOMAIN}`))
    await press('What may stop them')
    await page.waitForURL(({ pathname }) => pathname !== '/report')
  })
})
