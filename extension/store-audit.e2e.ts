import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { describeInBrowser } from '../snippet/browser/testing.ts'
import { FAULTY_PRODUCT, look, SHOP, startWorld, type World } from './testing.ts'

describeInBrowser('the store audit', () => {
  let world: World
  let connected: Record<string, unknown>
  beforeAll(async () => {
    world = await startWorld()
    const { url, key } = world.server
    connected = { onboarded: true, view: 'store', server_url: url, api_key: key }
  })
  afterAll(() => world?.stop())
  beforeEach(async () => {
    world.mended.current = false
    await world.reset(connected)
  })

  const requestsOf = (app: Page) => {
    const bodies: unknown[] = []
    app.on('request', (request) => {
      if (request.url().includes('/api/')) bodies.push(request.postDataJSON())
    })
    return bodies
  }

  test('without a server it says how to connect one', async () => {
    await world.reset({ onboarded: true, view: 'store' })
    const { app } = await world.openApp(SHOP)
    await app.getByText('what an AI agent would ask').waitFor()
    await look(app, 'store-unconnected')
    await app.getByRole('button', { name: 'Connect a server' }).click()
    await app.getByLabel('Server address').waitFor()
  })

  test('nothing is sent before a click that says what is sent', async () => {
    const { app } = await world.openApp(SHOP)
    const sent = requestsOf(app)
    await app.getByText('It sends the domain name shop.example to localhost').waitFor()
    await look(app, 'store-ask')
    expect(sent).toEqual([])
    await app.getByRole('button', { name: /^Ask localhost:\d+ to audit shop\.example$/ }).click()
    await app.getByRole('img', { name: /^Score 100 of 100/ }).waitFor()
    expect(sent).toEqual([{ domain: 'shop.example', dry_run: true }, { domain: 'shop.example' }])
    await app.getByText('Nothing', { exact: false }).first().waitFor()
  })

  test('page and server findings stand in one list, and the next audit tells what changed', async () => {
    const { app } = await world.openApp(FAULTY_PRODUCT)
    await app.getByRole('button', { name: /to audit faulty\.example/ }).click()
    await app.getByText('This is the first audit here.').waitFor()
    const origins = await app.locator('.gap .tag').allInnerTexts()
    expect(new Set(origins)).toEqual(new Set(['Page and server', 'Server']))
    await look(app, 'store-result')

    world.mended.current = true
    await app.getByRole('button', { name: 'Audit again' }).click()
    await app.getByText(/^The score rose by \d+\.$/).waitFor()
    await app.getByText(/^Fixed \(\d+\)$/).waitFor()
    await app.locator('summary', { hasText: 'Score history' }).click()
    expect(await app.locator('.history tbody tr').count()).toBe(2)
    await look(app, 'store-history')

    const note = app.getByText('The server passes this').first()
    await note.waitFor()
    expect(Object.keys((await world.kept()).history as object)).toEqual(['faulty.example'])
  })

  test('a stored result comes first with its age, from the server and from here', async () => {
    const first = await world.openApp(SHOP)
    await first.app.getByRole('button', { name: /to audit shop\.example/ }).click()
    await first.app.getByRole('img', { name: /^Score/ }).waitFor()
    await world.reset(connected)

    const second = await world.openApp(SHOP)
    const sent = requestsOf(second.app)
    await second.app.getByRole('button', { name: /to audit shop\.example/ }).click()
    await second.app.getByText(/^Checked (now|.+ago)$/).waitFor()
    expect(sent).toEqual([{ domain: 'shop.example', dry_run: true }])

    const third = await world.openApp(SHOP)
    const sentNow = requestsOf(third.app)
    await third.app.getByRole('img', { name: /^Score/ }).waitFor()
    await third.app.getByRole('button', { name: 'Audit again' }).waitFor()
    expect(sentNow).toEqual([])
  })

  test('an audit under way counts the seconds and can be cancelled', async () => {
    const { app } = await world.openApp(SHOP)
    await app.route('**/api/audit', () => {})
    await app.getByRole('button', { name: /to audit shop\.example/ }).click()
    await app.getByRole('timer').getByText('0:01').waitFor()
    await app.getByRole('progressbar').waitFor()
    await app.locator('progress').evaluate((bar) => bar.setAttribute('value', '0.4'))
    await look(app, 'store-running')
    await app.getByRole('button', { name: 'Cancel' }).click()
    await app.getByRole('button', { name: /to audit shop\.example/ }).waitFor()
  })

  test('a server that no agent could reach is not asked', async () => {
    const { app } = await world.openApp(`${world.server.url}/livez`)
    await app.getByText('Open a page of your shop').first().waitFor()
  })
})
