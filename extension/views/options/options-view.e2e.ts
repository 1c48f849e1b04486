import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Browser } from 'wxt/browser'
import { createProperty } from '../../../server/attribution/properties.ts'
import { describeInBrowser } from '../../../shared/testing/browser.ts'
import { eventually } from '../../../shared/testing/wait.ts'
import {
  type ExtensionWorld,
  listen,
  lookCloselyAt as lookAt,
  SHOP_HOME,
  startExtension,
  turnTo,
} from '../../testing/world.ts'

// The app's own global, for code that is evaluated there.
declare const chrome: typeof Browser

describeInBrowser('options and failures', () => {
  let world: ExtensionWorld
  let other: Awaited<ReturnType<typeof listen>>
  beforeAll(async () => {
    world = await startExtension()
    other = await listen(() => new Response())
    await createProperty(world.server.db, { domain: 'shop.example' }, new Date())
  })
  afterAll(async () => {
    await other?.close()
    await world?.stop()
  })
  beforeEach(() => world.reset({ onboarded: true, view: 'options' }))

  const connect = async (app: Page, url: string, key: string) => {
    await app.getByLabel('Server address').fill(url)
    await app.getByLabel('Key').fill(key)
    await app.getByRole('button', { name: 'Save and test the connection' }).click()
  }

  test('a server is connected, kept on this computer, and forgotten', async () => {
    const { app } = await world.openApp(SHOP_HOME)
    await app.getByText('What is sent, and when').waitFor()
    await lookAt(app, 'options')
    const { url, key } = world.server
    await connect(app, url, key)
    await app.locator('.notice', { hasText: /Connected to localhost:\d+/ }).waitFor()
    await app.getByText('The key can read reports for: shop.example').waitFor()
    expect(await world.kept()).toMatchObject({ connection: { url, key } })
    expect(await app.getByLabel('Key').inputValue()).toBe('')
    await app.getByText(`A key ending in …${key.slice(-4)} is stored.`).waitFor()
    expect(await app.content()).not.toContain(key)
    await lookAt(app, 'options-connected')

    await app.getByRole('button', { name: 'Forget the server and the key' }).click()
    await app.getByText('The server and the key have been forgotten.').waitFor()
    expect(await world.kept()).not.toHaveProperty('connection')
  })

  test('a press is heard while the browser is still reading what it keeps', async () => {
    await world.reset({ onboarded: true, view: 'page' })
    const { app } = await world.openApp(SHOP_HOME)
    await app.getByText('nothing was sent').waitFor()
    await app.evaluate(() => {
      chrome.storage.local.get = () => new Promise(() => {})
    })
    await turnTo(app, 'Options')
    const { url, key } = world.server
    await connect(app, url, key)
    await app.locator('.notice', { hasText: 'Connected to' }).waitFor()
    expect(await world.kept()).toMatchObject({ connection: { url, key } })
  })

  test('what is found out is of what was saved, and what is typed is not lost', async () => {
    await world.reset({ onboarded: true, view: 'store' })
    const { app } = await world.openApp(SHOP_HOME)
    await app.getByRole('button', { name: 'Connect a server' }).click()
    const { url, key } = world.server
    await connect(app, url, key)
    const works = app.locator('.notice', { hasText: 'Connected to' })
    await works.waitFor()
    await app.getByLabel('Server address').fill('https://typed.example')
    await works.waitFor({ state: 'detached' })
    await turnTo(app, 'Page')
    await app.getByText('nothing was sent').waitFor()
    await turnTo(app, 'Options')
    expect(await app.getByLabel('Server address').inputValue()).toBe('https://typed.example')
  })

  test('what another window keeps or forgets is followed', async () => {
    const { url, key, createTestKey } = world.server
    const { key: another } = await createTestKey()
    const { app } = await world.openApp(SHOP_HOME)
    const { app: second } = await world.openApp(SHOP_HOME)
    const works = app.locator('.notice', { hasText: 'Connected to' })
    await connect(app, url, key)
    await works.waitFor()
    await connect(second, url, another)
    await app.getByText(`A key ending in …${another.slice(-4)} is stored.`).waitFor()
    // It was found out with the other key.
    await works.waitFor({ state: 'detached' })

    await second.getByRole('button', { name: 'Forget the server and the key' }).click()
    const forgotten = second.getByText('The server and the key have been forgotten.')
    await forgotten.waitFor()
    const address = app.getByLabel('Server address')
    await eventually(() => address.inputValue()).toBe('')
    await connect(app, url, key)
    await works.waitFor()
    await forgotten.waitFor({ state: 'detached' })
    await eventually(() => second.getByLabel('Server address').inputValue()).toBe(url)
  })

  test('a server that the browser cannot store is told', async () => {
    const { app } = await world.openApp(SHOP_HOME)
    await app.evaluate(() => {
      chrome.storage.local.set = () => Promise.reject(new Error('QuotaExceededError'))
    })
    await connect(app, world.server.url, world.server.key)
    await app.getByText('The browser could not store this.').waitFor()
    expect(await app.getByLabel('Key').inputValue()).toBe(world.server.key)
  })

  test('the key of one server is never sent to another', async () => {
    const keys: (string | null)[] = []
    other.answerWith((request) => {
      if (request.method !== 'OPTIONS') keys.push(request.headers.get('authorization'))
      return new Response(null, { status: 204, headers: refuse(200, '').headers })
    })
    const { url, key } = world.server
    await world.reset({ onboarded: true, view: 'report', connection: { url, key } })
    const { app } = await world.openApp(SHOP_HOME)
    await app.getByText('No AI sessions yet').waitFor()
    await turnTo(app, 'Options')
    await connect(app, other.url, '')
    await app.getByText('The stored key belongs to another server.').waitFor()
    expect(await app.getByLabel('Key').getAttribute('aria-invalid')).toBe('true')
    expect(keys).toEqual([])
    const another = 'aisle_live_abcdefgh_0123456789abcdef'
    await connect(app, other.url, another)
    await app.locator('#view-options').getByText('This is not an Aisle server').waitFor()
    expect(new Set(keys)).toEqual(new Set([`Bearer ${another}`]))
  })

  test('an address that cannot be one is refused at its field', async () => {
    const { app } = await world.openApp(SHOP_HOME)
    for (const [url, text] of [
      ['', 'Enter the address of an Aisle server.'],
      ['http://aisle.example', 'Use https'],
      ['not an address', 'This is not a valid URL.'],
    ] as const) {
      await connect(app, url, world.server.key)
      await app.getByText(text).waitFor()
      expect(await app.getByLabel('Server address').getAttribute('aria-invalid')).toBe('true')
      expect(await world.kept()).not.toHaveProperty('connection')
    }
  })

  test('the options page of the browser shows the same', async () => {
    const { app } = await world.openApp(SHOP_HOME, { width: 700, file: 'options' })
    await app.getByLabel('Server address').waitFor()
    await lookAt(app, 'options-page')
  })

  test('a wrong key is 401, and says so', async () => {
    const { app } = await world.openApp(SHOP_HOME)
    await connect(app, world.server.url, 'aisle_live_abcdefgh_0123456789abcdef')
    await app.getByText('The server does not accept the key').waitFor()
    expect(await app.getByRole('button', { name: 'Open the options' }).count()).toBe(0)
    await lookAt(app, 'failure-unauthorized')
  })

  test('a key without the scope is 403, and says which', async () => {
    const { key } = await world.server.createTestKey({ scopes: ['report:read'] })
    const { app } = await world.openApp(SHOP_HOME)
    await connect(app, world.server.url, key)
    await app.getByText('The key can read reports for').waitFor()
    await turnTo(app, 'Store')
    await app.getByRole('button', { name: /to audit shop\.example/ }).click()
    await app.getByText('The key does not allow this').waitFor()
    await lookAt(app, 'failure-forbidden')
  })

  test('a key that is put right in the options opens the way again', async () => {
    const { url, key } = world.server
    const wrong = 'aisle_live_abcdefgh_0123456789abcdef'
    await world.keep({ connection: { url, key: wrong }, view: 'store' })
    const { app } = await world.openApp(SHOP_HOME)
    await app.getByRole('button', { name: /to audit shop\.example/ }).click()
    await app.getByText('The server does not accept the key').waitFor()
    await app.getByRole('button', { name: 'Open the options' }).click()
    const inPanel = () => app.evaluate(() => document.activeElement?.id)
    expect(await inPanel()).toBe('view-options')
    await connect(app, url, key)
    await app.locator('.notice', { hasText: 'Connected to' }).waitFor()
    await turnTo(app, 'Store')
    await app.getByRole('button', { name: /to audit shop\.example/ }).click()
    await app.getByRole('img', { name: /^Score/ }).waitFor()
  })

  test('a used-up quota is 429, counts down and opens again', async () => {
    const { key } = await world.server.createTestKey()
    for (let n = 0; n < 60; n += 1) {
      await fetch(`${world.server.url}/api/audit`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ domain: 'shop.example', dry_run: true }),
      })
    }
    await world.keep({ connection: { url: world.server.url, key: key }, view: 'store' })
    const { app } = await world.openApp(SHOP_HOME)
    await app.getByRole('button', { name: /to audit shop\.example/ }).click()
    await app.getByText('Too many requests').waitFor()
    await app.getByText(/^(59|60):\d\d left$/).waitFor()
    expect(await app.getByRole('button', { name: 'Try again' }).count()).toBe(0)
    await lookAt(app, 'failure-rate-limited')
  })

  const refuse = (status: number, code: string, headers: Record<string, string> = {}) =>
    Response.json(
      { error: { code, message: 'Something failed.', request_id: 'req_0123456789' } },
      {
        status,
        headers: {
          'access-control-allow-origin': '*',
          'access-control-allow-headers': '*, authorization, content-type',
          'access-control-expose-headers': 'retry-after, x-request-id',
          ...headers,
        },
      },
    )

  /** Any answer, behind a preflight that allows it. */
  const answerAll = (answer: () => Response) =>
    other.answerWith((request) =>
      request.method === 'OPTIONS'
        ? new Response(null, { status: 204, headers: refuse(200, '').headers })
        : answer(),
    )

  test('a wait that is over lets it be tried again', async () => {
    answerAll(() => refuse(503, 'busy', { 'retry-after': '1' }))
    await world.keep({ connection: { url: other.url, key: world.server.key }, view: 'store' })
    const { app } = await world.openApp(SHOP_HOME)
    await app.getByRole('button', { name: /to audit shop\.example/ }).click()
    await app.getByText('The server is busy').waitFor()
    await app.getByRole('button', { name: 'Try again' }).waitFor()
  })

  test('a failure of the server has a request id to copy', async () => {
    answerAll(() => refuse(500, 'internal_error'))
    await world.keep({ connection: { url: other.url, key: world.server.key }, view: 'store' })
    const { app } = await world.openApp(SHOP_HOME)
    await app.getByRole('button', { name: /to audit shop\.example/ }).click()
    await app.getByText('Something failed on the server').waitFor()
    await lookAt(app, 'failure-server')
    await app.getByRole('button', { name: 'Copy the request id' }).click()
    await app.getByRole('button', { name: 'Copied' }).waitFor()
    expect(await app.evaluate(() => navigator.clipboard.readText())).toBe('req_0123456789')
  })

  test('each failure has its own text, and can be tried again', async () => {
    await world.keep({ connection: { url: other.url, key: world.server.key }, view: 'store' })
    const { app } = await world.openApp(SHOP_HOME)
    let button = app.getByRole('button', { name: /to audit shop\.example/ })
    for (const [answer, text] of [
      [() => refuse(307, 'moved', { location: '/api' }), 'Enter the final address.'],
      [() => refuse(422, 'invalid'), 'could not accept this'],
      [() => refuse(404, 'not_found'), 'Nothing here yet'],
      [() => refuse(401, 'invalid_key'), 'does not accept the key'],
      [() => refuse(429, 'rate_limited'), 'Wait a while'],
      [() => new Response('', refuse(502, '')), 'The server is busy'],
      [() => refuse(500, 'internal_error'), 'Something failed on the server'],
    ] as const) {
      answerAll(answer)
      await button.click()
      await app.getByText(text).waitFor()
      button = app.getByRole('button', { name: 'Try again' })
    }
  })

  test('what is no Aisle server is named as such', async () => {
    answerAll(() => new Response('<h1>Hello</h1>', { headers: refuse(200, '').headers }))
    await world.keep({ connection: { url: other.url, key: world.server.key }, view: 'report' })
    const { app } = await world.openApp(SHOP_HOME)
    await app.getByText('This is not an Aisle server').waitFor()
    await lookAt(app, 'failure-unexpected')
  })

  test('a server that is gone is offline, and is tried again on a click', async () => {
    const gone = await listen(() => new Response())
    await gone.close()
    await world.keep({ connection: { url: gone.url, key: world.server.key }, view: 'store' })
    const { app } = await world.openApp(SHOP_HOME)
    await app.getByRole('button', { name: /to audit shop\.example/ }).click()
    await app.getByText('The server cannot be reached').waitFor()
    await lookAt(app, 'failure-offline')
    await app.getByRole('button', { name: 'Try again' }).click()
    await app.getByText('The server cannot be reached').waitFor()
  })
})
