import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeInBrowser } from '../../../shared/testing/browser.ts'
import { eventually } from '../../../shared/testing/wait.ts'
import { addressOf, enableScripts, look, signIn, startWorld, type World } from '../testing/world.ts'

describeInBrowser('a first audit', () => {
  let world: World
  let page: Page
  /** Releases the store's answer for robots.txt. */
  let release = Promise.withResolvers<void>()
  const hold = (host: string) => {
    release = Promise.withResolvers<void>()
    const { promise } = release
    world.mend(host, async (request, answer) => {
      if (new URL(request.url).pathname === '/robots.txt') await promise
      return answer
    })
  }
  const begin = async (typed: string) => {
    await page.goto(addressOf('/'))
    await page.getByLabel('Address of the store').fill(typed)
    await page.getByRole('button', { name: 'Audit this store' }).click()
  }

  beforeAll(async () => {
    world = await startWorld()
    page = await world.browser.newPage()
  })
  afterAll(() => world?.stop())

  test('begins with a pasted address, shows how far it is, and ends with the result', async () => {
    hold('first-run.example')
    await page.goto(addressOf('/'))
    await look(page, 'start')
    await begin('https://first-run.example/products/1?utm_source=x')
    await page.waitForURL(/\/runs\/first-run\.example\//)
    await page.getByText('Reading https://first-run.example/robots.txt').waitFor()
    await page.getByText('✓ Home page').waitFor()
    await eventually(() => page.getByRole('status').textContent()).toMatch(
      /^\d+ of 10 parts seen, \d+ requests so far$/,
    )
    await look(page, 'run')
    release.resolve()
    await page.getByRole('heading', { name: /^(Fix first|To fix)/ }).waitFor()
    await page.getByText('Anyone who has the address of this page').waitFor()
    await look(page, 'run-done')
    // The same address, opened again.
    await page.goto(page.url())
    await page.getByRole('heading', { name: /^(Fix first|To fix)/ }).waitFor()
    expect(world.complaints()).toEqual([])
  })

  test('can be cancelled by who made it with a key', async () => {
    hold('cancelled-run.example')
    const { key } = await world.createTestKey({ domains: ['cancelled-run.example'] })
    await signIn(page, key)
    await begin('cancelled-run.example')
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByText('The audit was cancelled').waitFor()
    await look(page, 'run-cancelled')
    release.resolve()
    await page.context().clearCookies()
  })

  test('keeps what was typed where it is no address', async () => {
    await begin('my store')
    await page.getByText('Enter the address of a store, such as shop.example').waitFor()
    expect(await page.getByLabel('Address of the store').inputValue()).toBe('my store')
    await look(page, 'start-wrong')
  })

  test('needs no script: the page asks again until the result is there', async () => {
    hold('plain-run.example')
    await enableScripts(page, false)
    await begin('plain-run.example')
    await page.waitForURL(/\/runs\/plain-run\.example\//)
    release.resolve()
    await page.getByRole('heading', { name: /^(Fix first|To fix)/ }).waitFor()
    await enableScripts(page, true)
  })
})
