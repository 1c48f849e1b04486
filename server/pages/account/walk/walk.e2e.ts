import { isNull } from 'drizzle-orm'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { describeInBrowser } from '../../../../shared/testing/browser.ts'
import { eventually } from '../../../../shared/testing/wait.ts'
import { intentsOf } from '../../../../shared/walk/intents.ts'
import {
  EVENTS,
  FAILED_AT_FOURTH,
  HOSTILE,
  MARKUP,
  NOTHING,
  PASSED,
  SEVERAL_DIALECTS,
  SIXTY_STEPS,
  STOPPED,
  UNDER_WAY,
} from '../../../../shared/walk/testing/transcripts.ts'
import type { Transcript } from '../../../../shared/walk/transcript.ts'
import { createProperty } from '../../../attribution/properties.ts'
import { createGate, pretendStore } from '../../../audit/walk/testing/pretend-store.ts'
import { walks } from '../../../db/audit/tables.ts'
import {
  addressOf,
  enableScripts,
  look,
  signIn,
  startWorld,
  type World,
} from '../../testing/world.ts'
import { endedWalk, endIt, goOn, walkUnderWay } from './testing/walks.ts'

const DOMAIN = 'shop.example'

const SHOWN: [name: string, transcript: Transcript][] = [
  ['passed', PASSED],
  ['failed', FAILED_AT_FOURTH],
  ['sixty', SIXTY_STEPS],
  ['dialects', SEVERAL_DIALECTS],
  ['nothing', NOTHING],
  ['stopped', STOPPED],
]

describeInBrowser('a walk', () => {
  let world: World
  let page: Page
  const store = pretendStore({ hold: createGate().hold })
  /** The pages of those that are shown. */
  const pages = new Map<string, string>()
  const pageOf = (name: string) => addressOf(pages.get(name) ?? '')
  beforeAll(async () => {
    world = await startWorld({ store })
    const { db } = world
    for (const [name, transcript] of [
      ...SHOWN,
      ['hostile', { ...HOSTILE, domain: DOMAIN }],
    ] as const) {
      pages.set(name, `/walks/${await endedWalk(db, transcript)}`)
    }
    await createProperty(world.db, { domain: DOMAIN }, new Date())
    page = await world.browser.newPage()
    const { key } = await world.createTestKey({ domains: [DOMAIN] })
    await signIn(page, key)
  })
  afterAll(() => world?.stop())
  beforeEach(async () => {
    world.complaints()
    // A domain has one walk at a time.
    await world.db.delete(walks).where(isNull(walks.ended_at))
  })

  test.each(SHOWN)('that %s', async (name) => {
    await page.goto(pageOf(name))
    await look(page, `walk-${name}`)
    expect(world.complaints()).toEqual([])
  })

  test('is asked for in a form', async () => {
    await page.goto(addressOf(`/walks?domain=${DOMAIN}`))
    await look(page, 'walk-form')
  })

  test('is asked for in a form, by a key that may pay', async () => {
    const { key } = await world.createTestKey({
      domains: [DOMAIN],
      scopes: ['audit', 'walk'],
    })
    const other = await world.browser.newPage()
    await signIn(other, key, `/walks?domain=${DOMAIN}`)
    await other.getByLabel('Sandbox: pay').check()
    await other.getByText('Tokens for the sandbox').click()
    await look(other, 'walk-form-sandbox')
    await other.getByRole('button', { name: 'Start the walk' }).click()
    await other.getByText('Enter a token of your test account').waitFor()
    await look(other, 'walk-form-wrong')
    await other.close()
    const again = await world.createTestKey({ domains: [DOMAIN] })
    await page.bringToFront()
    await signIn(page, again.key, `/walks?domain=${DOMAIN}`)
  })

  test('is started by the form as it is filled in, and stopped by its button', async () => {
    await page.getByLabel('A quantity of 1,000,000,000').uncheck()
    await page.getByText('If your store asks agents for a key').click()
    await page.getByLabel('Key for agents').fill('secret-of-the-store')
    await page.getByRole('button', { name: 'Start the walk' }).click()
    await page.waitForURL(/\/walks\/[\da-f-]{36}$/)
    await eventually(() => store.open.size).toBe(1)
    expect(store.orders).toMatchObject([
      { domain: DOMAIN, mode: 'look', agentKey: 'secret-of-the-store' },
    ])
    expect(store.orders[0]?.intents).toHaveLength(intentsOf('look').length - 1)
    expect(await page.content()).not.toContain('secret-of-the-store')
    await page.getByRole('button', { name: 'Stop the walk' }).click()
    await page.getByText('The walk was cancelled.').first().waitFor()
    expect(store.open.size).toBe(0)
  })

  test('under way is followed, step by step, and said to screen readers', async () => {
    const walk = await walkUnderWay(world.db, UNDER_WAY)
    // Its events may arrive before its state.
    const { promise, resolve: answer } = Promise.withResolvers<void>()
    await page.route(`**/walks/${walk.id}/state`, async (route) => {
      await promise
      await route.continue()
    })
    const opened = page.waitForRequest(`**/walks/${walk.id}/events`)
    await page.goto(addressOf(`/walks/${walk.id}`))
    const status = page.getByRole('status').first()
    await page.getByText('Finding out what the store speaks.').last().waitFor()
    await opened
    await goOn(world.db, walk, EVENTS)
    answer()
    await page.getByText('3. Gives the whole address').last().waitFor()
    await eventually(() => status.textContent()).toBe(
      'Two of one thing and one of another (UCP over REST, 2026-08-25).',
    )
    await page.getByText('Choose shipping, under way').waitFor()
    await look(page, 'walk-live')
    await page.getByRole('button', { name: 'Stop the walk' }).waitFor()
    await endIt(world.db, walk, FAILED_AT_FOURTH)
    await page.getByText('22 of 23 purchases went as they should').waitFor()
    await eventually(() => status.textContent()).toBe('The walk of shop.example is done.')
    await page.getByRole('link', { name: 'cURL commands' }).waitFor()
    expect(await page.getByRole('button', { name: 'Stop the walk' }).count()).toBe(0)
    expect(world.complaints()).toEqual([])
  })

  test('whose stream is silent is asked for', async () => {
    const walk = await walkUnderWay(world.db, UNDER_WAY, EVENTS)
    await page.route(`**/walks/${walk.id}/events`, (route) => route.abort())
    await page.goto(addressOf(`/walks/${walk.id}`))
    await page.getByText('The walk is under way').waitFor()
    await endIt(world.db, walk, PASSED)
    await page.getByText('All 23 purchases went as they should.').waitFor()
    await page.getByText('The walk is under way').waitFor({ state: 'detached' })
  })

  test('is read without JavaScript: what to tell, each step, and how to reload', async () => {
    const plain = await world.browser.newPage()
    await enableScripts(plain, false)
    await plain.goto(pageOf('failed'))
    await plain.getByText('the total is still 129.00 USD').first().waitFor()
    await plain.getByText('Two of one thing and one of another').click()
    const purchase = plain.locator('#ucp-rest-two-and-one')
    await purchase.getByText('1. Puts one trail shoe into a checkout').click()
    await purchase.getByText('https://shop.example/ucp/checkout-sessions').first().waitFor()
    const walk = await walkUnderWay(world.db, UNDER_WAY, EVENTS)
    await plain.goto(addressOf(`/walks/${walk.id}`))
    const reloaded = plain.waitForRequest(`**/walks/${walk.id}`)
    await plain.getByRole('link', { name: 'Reload it' }).click()
    await reloaded
    await plain.close()
  })

  test('can be read as one purchase alone', async () => {
    await page.goto(`${pageOf('failed')}?purchase=ucp_rest.reorder`)
    await page.getByText('The purchase went as it should.').waitFor()
    expect(await page.locator('.walk-purchase[id]').count()).toBe(1)
    await page.getByRole('link', { name: 'All purchases of this walk' }).click()
    await page.getByText('22 of 23').waitFor()
  })

  test('on paper has each failed step, and no other', async () => {
    await page.goto(pageOf('sixty'))
    await page.locator('.walk-step[open] > summary').click()
    await page.emulateMedia({ media: 'print' })
    const shown = page.locator('.walk-step-body').filter({ visible: true })
    await eventually(() => shown.count()).toBe(1)
    expect(await shown.innerText()).toContain('The quantity was set to 2')
    await page.emulateMedia({ media: 'screen' })
  })

  test('shows all that a store says as text', async () => {
    let asked = false
    page.once('dialog', () => {
      asked = true
    })
    await page.goto(pageOf('hostile'))
    await page.getByText(MARKUP).first().waitFor()
    await look(page, 'walk-hostile')
    expect(asked).toBe(false)
    expect(await page.locator('#walk :is(script, img)').count()).toBe(0)
    const links = await page
      .locator('#walk a')
      .evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''))
    for (const link of links) expect(link).toMatch(/^(#|https:\/\/(aisle|shop)\.example\/)/)
    expect(world.complaints()).toEqual([])
  })
})
