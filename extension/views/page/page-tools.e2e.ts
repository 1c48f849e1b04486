import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { describeInBrowser } from '../../../shared/testing/browser.ts'
import {
  type ExtensionWorld,
  lookCloselyAt as lookAt,
  PRODUCT,
  startExtension,
} from '../../testing/world.ts'

const CALL = 'Call those that only read'

describeInBrowser('the tools of the open page', () => {
  let world: ExtensionWorld
  beforeAll(async () => {
    world = await startExtension()
  })
  afterAll(() => world?.stop())
  beforeEach(() => world.reset())

  const toolsOf = async (domain: string) => {
    const { app, page } = await world.openApp(`https://${domain}/products/ao-1001`)
    const card = app.locator('.card', { hasText: 'Tools for agents' })
    await card.getByText('get_product', { exact: true }).waitFor()
    return { app, card, page }
  }

  test('are listed, called after a click alone, and compared with the page', async () => {
    const { app, card, page } = await toolsOf('ucp.example')
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    expect(await card.innerText()).not.toContain('agrees')
    expect(asked).toEqual([])
    await card.getByRole('button', { name: CALL }).click()
    await card.getByText('Its answer agrees with the page.').nth(1).waitFor()
    expect(await card.innerText()).toContain('Not called. It does not say that it only reads.')
    expect(asked).toContain('/products/ao-1001')
    await lookAt(app, 'page-tools')
  })

  test('that state another price, or change the basket, are named', async () => {
    const lying = await toolsOf('ucp-webmcp-price-differs.example')
    await lying.card.getByRole('button', { name: CALL }).click()
    await lying.card.getByText('The tool states another price than the page').nth(1).waitFor()
    await lookAt(lying.app, 'page-tools-lying')
    const changing = await toolsOf('ucp-webmcp-changes-silently.example')
    await changing.card.getByRole('button', { name: CALL }).click()
    await changing.card.getByText('and changes something').waitFor()
  })

  test('a page without tools is asked for nothing', async () => {
    const { app } = await world.openApp(PRODUCT)
    await app.getByText('nothing was sent').waitFor()
    expect(await app.getByText('Tools for agents').count()).toBe(0)
  })
})
