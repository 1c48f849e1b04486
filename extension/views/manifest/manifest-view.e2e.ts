import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { describeInBrowser } from '../../../shared/testing/browser.ts'
import { eventually } from '../../../shared/testing/wait.ts'
import {
  type ExtensionWorld,
  FAULTY_PRODUCT,
  lookAt,
  SHOP_HOME,
  startExtension,
  turnTo,
} from '../../testing/world.ts'

// The app's own global, for code that is evaluated there.
declare const chrome: typeof import('wxt/browser').browser

describeInBrowser('the manifest', () => {
  let world: ExtensionWorld
  const local = { onboarded: true, view: 'manifest' }
  let connected: Record<string, unknown>
  /** The requests to a store of its own. */
  const asked: string[] = []
  beforeAll(async () => {
    world = await startExtension({
      'counted.example': ({ url }) => {
        asked.push(new URL(url).pathname)
        return new Response('<!doctype html><title>Shop</title>', {
          headers: { 'content-type': 'text/html' },
        })
      },
      'silent.example': ({ url }) =>
        new URL(url).pathname === '/'
          ? new Response('<!doctype html><title>Shop</title>', {
              headers: { 'content-type': 'text/html' },
            })
          : new Promise<Response>(() => {}),
    })
    connected = { ...local, connection: { url: world.server.url, key: world.server.key } }
  })
  afterAll(() => world?.stop())
  beforeEach(() => world.reset(connected))

  const validateText = async (app: Page, text: string) => {
    await app.getByLabel('Or paste a file').fill(text)
    await app.getByRole('button', { name: 'Validate the pasted file' }).click()
  }

  test.each([
    ['the server', () => connected],
    ['the browser alone', () => local],
  ])('by %s: prefilled, made in both dialects, copied, saved and valid', async (name, kept) => {
    await world.reset(kept())
    const { app } = await world.openApp(SHOP_HOME)
    // What the store publishes already is in the form.
    const checkout = app.getByLabel('Checkout endpoint')
    await eventually(() => checkout.inputValue()).toBe('https://shop.example/ucp/checkout')
    expect(await app.getByLabel('Domain').inputValue()).toBe('shop.example')
    for (const [format, said] of [
      ['1.0', '1.0'],
      ['ucp', '2026-08-25'],
    ] as const) {
      await app.getByLabel('Format').selectOption(format)
      await app.getByRole('button', { name: 'Create the file' }).click()
      const file = app.locator('.code-block pre')
      await file.filter({ hasText: `"version": "${said}"` }).waitFor()
      expect(await file.innerText()).not.toContain('generated_at')
      await app.getByRole('button', { name: 'Copy', exact: true }).click()
      await app.getByRole('button', { name: 'Copied', exact: true }).waitFor()
      const text = await app.evaluate(() => navigator.clipboard.readText())
      const [download] = await Promise.all([
        app.waitForEvent('download'),
        app.getByRole('button', { name: 'Download' }).click(),
      ])
      expect(download.suggestedFilename()).toBe('ucp.json')
      expect(await readFile((await download.path()) ?? '', 'utf8')).toBe(text)
      await validateText(app, text)
      await app.locator('.notice', { hasText: 'The file is valid' }).waitFor()
      await app.getByText(`Format: ${said}`).waitFor()
    }
    await lookAt(app, name === 'the server' ? 'manifest-made' : 'manifest-local')
  })

  test('the form follows the page also once a format is chosen, and asks while it is shown', async () => {
    await world.reset(local)
    const { app, page } = await world.openApp(SHOP_HOME)
    const domain = app.getByLabel('Domain')
    await eventually(() => domain.inputValue()).toBe('shop.example')
    await app.getByLabel('Format').selectOption('ucp')
    const files = () => asked.filter((path) => path === '/.well-known/ucp').length
    await turnTo(app, 'Page')
    await page.goto('https://counted.example/')
    await app.getByText('https://counted.example/', { exact: true }).waitFor()
    expect(files()).toBe(0)
    await turnTo(app, 'Manifest')
    await eventually(() => domain.inputValue()).toBe('counted.example')
    await eventually(files).toBe(1)
    expect(await app.getByLabel('Format').inputValue()).toBe('ucp')
    await page.goto('https://counted.example/other')
    await turnTo(app, 'Page')
    await app.getByText('https://counted.example/other', { exact: true }).waitFor()
    await turnTo(app, 'Manifest')
    expect(files()).toBe(1)
  })

  test('a domain may be pasted as an address', async () => {
    await world.reset(local)
    const { app } = await world.openApp(SHOP_HOME)
    const checkout = app.getByLabel('Checkout endpoint')
    await eventually(() => checkout.inputValue()).not.toBe('')
    await app.getByLabel('Domain').fill(' https://Shop.example/products?page=2 ')
    await app.getByRole('button', { name: 'Create the file' }).click()
    await app.getByText('Publish it as https://shop.example/.well-known/ucp').waitFor()
  })

  test('what is wrong stands at its field', async () => {
    const { app } = await world.openApp(SHOP_HOME)
    const checkout = app.getByLabel('Checkout endpoint')
    await eventually(() => checkout.inputValue()).not.toBe('')
    await app.getByLabel('Domain').fill('shop')
    await checkout.fill('http://shop.example/ucp/checkout')
    await app.getByRole('button', { name: 'Create the file' }).click()
    await app.getByText('Correct the fields marked above.').waitFor()
    expect(await checkout.getAttribute('aria-invalid')).toBe('true')
    const described = (await checkout.getAttribute('aria-describedby')) ?? ''
    const texts = described.split(' ').map((id) => app.locator(`#${id}`).innerText())
    expect((await Promise.all(texts)).join()).toContain('Must be an https URL')
    const domain = app.getByLabel('Domain')
    expect(await domain.evaluate((input) => input === document.activeElement)).toBe(true)
    await lookAt(app, 'manifest-errors')
  })

  test("back at a shop, the form has its values again, though another's never came", async () => {
    await world.reset(local)
    const silent = await world.openApp('https://silent.example/')
    const { app, page, tabId } = await world.openApp(SHOP_HOME)
    // A panel audits the active tab of its window. Here it is a tab itself, so the test names the
    // tab.
    await app.addInitScript(() => {
      chrome.tabs.query = async () => [await chrome.tabs.get(Number(sessionStorage.front))]
    })
    const bringToFront = async (tab: { page: Page; tabId: number }) => {
      await app.evaluate((id) => {
        sessionStorage.front = id
      }, tab.tabId)
      await tab.page.bringToFront()
    }
    await bringToFront({ page, tabId })
    await app.goto(`${world.origin}/sidepanel.html`)
    const domain = app.getByLabel('Domain')
    const checkout = app.getByLabel('Checkout endpoint')
    await eventually(() => checkout.inputValue()).toBe('https://shop.example/ucp/checkout')
    await bringToFront(silent)
    await eventually(() => domain.inputValue()).toBe('silent.example')
    await bringToFront({ page, tabId })
    await eventually(() => domain.inputValue()).toBe('shop.example')
    await eventually(() => checkout.inputValue()).toBe('https://shop.example/ucp/checkout')
  })

  test("one shop's faults are not marked in another's form", async () => {
    await world.reset(local)
    const { app, page } = await world.openApp('https://counted.example/')
    const domain = app.getByLabel('Domain')
    await eventually(() => domain.inputValue()).toBe('counted.example')
    await app.getByRole('button', { name: 'Create the file' }).click()
    await app.getByText('Correct the fields marked above.').waitFor()
    await page.goto(SHOP_HOME)
    await eventually(() => domain.inputValue()).toBe('shop.example')
    expect(await app.locator('[aria-invalid="true"]').count()).toBe(0)
  })

  test('a failure to create the file of one shop is not that of the next', async () => {
    const { app, page } = await world.openApp(SHOP_HOME)
    const checkout = app.getByLabel('Checkout endpoint')
    await eventually(() => checkout.inputValue()).not.toBe('')
    await app.route('**/api/manifest', (route) => route.abort())
    await app.getByRole('button', { name: 'Create the file' }).click()
    await app.getByText('The server cannot be reached').waitFor()
    await page.goto('https://counted.example/')
    await eventually(() => app.getByLabel('Domain').inputValue()).toBe('counted.example')
    expect(await app.getByText('The server cannot be reached').count()).toBe(0)
  })

  test('nor is one that comes once the next is shown', async () => {
    const { app, page } = await world.openApp(SHOP_HOME)
    const checkout = app.getByLabel('Checkout endpoint')
    await eventually(() => checkout.inputValue()).not.toBe('')
    const { promise: isNext, resolve: next } = Promise.withResolvers<void>()
    await app.route('**/api/manifest', async (route) => {
      await isNext
      await route.abort().catch(() => {})
    })
    await app.getByRole('button', { name: 'Create the file' }).click()
    await app.getByRole('button', { name: 'Create the file', disabled: true }).waitFor()
    await page.goto('https://counted.example/')
    await eventually(() => app.getByLabel('Domain').inputValue()).toBe('counted.example')
    next()
    await app.getByRole('button', { name: 'Create the file', disabled: false }).waitFor()
    expect(await app.getByText('The server cannot be reached').count()).toBe(0)
  })

  test('a file says who created it, also when another server is connected since', async () => {
    const { app } = await world.openApp(SHOP_HOME)
    const checkout = app.getByLabel('Checkout endpoint')
    await eventually(() => checkout.inputValue()).not.toBe('')
    await app.getByRole('button', { name: 'Create the file' }).click()
    await app.getByText(/Created by localhost:\d+\./).waitFor()
    await world.keep({ connection: { url: '', key: '' } })
    await app.getByText('The file is created in your browser').waitFor()
    await app.getByText(/Created by localhost:\d+\./).waitFor()
  })

  test('what could not be judged is tried again, and not the file of another page', async () => {
    const { app, page } = await world.openApp(FAULTY_PRODUCT)
    await app.route('**/api/manifest/validate', (route) => route.abort(), { times: 1 })
    await app.getByRole('button', { name: 'Validate the file of faulty.example' }).click()
    await app.getByText('The server cannot be reached').waitFor()
    await page.goto(SHOP_HOME)
    await app.getByRole('button', { name: 'Validate the file of shop.example' }).waitFor()
    const [request] = await Promise.all([
      app.waitForRequest(/manifest\/validate/),
      app.getByRole('button', { name: 'Try again' }).click(),
    ])
    expect(request.postDataJSON()).toEqual({ url: 'https://faulty.example/.well-known/ucp' })
    await app.getByText('The file is not valid').waitFor()
    await lookAt(app, 'manifest-of-another')
  })

  test('the published file of the open domain is judged by the server', async () => {
    const { app } = await world.openApp(FAULTY_PRODUCT)
    await app.getByRole('button', { name: 'Validate the file of faulty.example' }).click()
    await app.getByText('The file is not valid').waitFor()
    const errors = app.locator('section section', { has: app.getByText('Errors') })
    expect(await errors.innerText()).toMatch(/manifest_url\n.*text\/plain.*wrong_content_type/)
    await lookAt(app, 'manifest-invalid')
  })

  test('pasted text says where it stops being JSON', async () => {
    const { app } = await world.openApp(SHOP_HOME)
    await validateText(app, '{\n  "version": "1.0",\n}')
    await app.getByText('line 2, column 19').waitFor()
    await validateText(app, '{"version":"1.0","domain":"<img src=x onerror=alert(1)>"}')
    await app.getByText('The file is not valid').waitFor()
    expect(await app.locator('main img').count()).toBe(0)
  })
})
