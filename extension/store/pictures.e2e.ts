import { mkdir, readFile } from 'node:fs/promises'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import {
  type ExtensionWorld,
  FAULTY_PRODUCT,
  PRODUCT,
  startExtension,
  turnTo,
  viewOf,
} from '../testing/world.ts'

// The pictures for the browsers' stores: made on request, and looked at by a person.

/** What both stores take; 440 × 280 is Chrome's small tile. */
const SIZE = { width: 1280, height: 800 }
const TILE = { width: 440, height: 280 }
const PANEL = 420
const FOLDER = 'screenshots/store'

/** Two pictures in one, as a side panel is shown next to its page. */
async function sideBySide(browser: BrowserContext, page: Page, app: Page): Promise<Page> {
  await page.setViewportSize({ width: SIZE.width - PANEL, height: SIZE.height })
  await app.setViewportSize({ width: PANEL, height: SIZE.height })
  const [left, right] = await Promise.all(
    [page, app].map(async (each) => {
      await each.bringToFront()
      return (await each.screenshot({ animations: 'disabled' })).toString('base64')
    }),
  )
  return show(
    browser,
    `<body style="margin:0;display:flex;background:#fff"><img src="data:image/png;base64,${left}"><img src="data:image/png;base64,${right}" style="box-shadow:0 0 12px #0003">`,
  )
}

async function show(browser: BrowserContext, html: string): Promise<Page> {
  const page = await browser.newPage()
  await page.setViewportSize(SIZE)
  await page.setContent(html)
  return page
}

describe.skipIf(!inject('screenshots'))('pictures for the stores', () => {
  let world: ExtensionWorld
  beforeAll(async () => {
    world = await startExtension()
    await mkdir(FOLDER, { recursive: true })
  })
  afterAll(() => world?.stop())

  async function keep(name: string, made: Page, size = SIZE) {
    const picture = await made.screenshot({ path: `${FOLDER}/${name}.png` })
    // A PNG's width and height are its bytes 16 to 23.
    expect([picture.readUInt32BE(16), picture.readUInt32BE(20)]).toEqual([size.width, size.height])
  }

  test('a page without a fault, one with several, and the audit of a store', async () => {
    const { url, key } = world.server
    const { browser } = world
    const connection = { url, key }
    await world.reset({ onboarded: true, connection })
    const good = await world.openApp(PRODUCT)
    await viewOf(good.app).image('This page: 100 of 100')
    await keep('page', await sideBySide(browser, good.page, good.app))
    await world.reset({ onboarded: true, connection })
    const bad = await world.openApp(FAULTY_PRODUCT)
    await bad.app.getByRole('heading', { name: /^Fix first/ }).evaluate((h) => h.scrollIntoView())
    await keep('gaps', await sideBySide(browser, bad.page, bad.app))
    await turnTo(bad.app, 'Store')
    await viewOf(bad.app).press(/to audit faulty\.example/)
    await viewOf(bad.app).image(/^Score \d+ of 100/)
    await keep('store', await sideBySide(browser, bad.page, bad.app))
  })

  test('the tile', async () => {
    const icon = await readFile('extension/public/icons/128.png', 'base64')
    const tile = await show(
      world.browser,
      `<body style="margin:0;height:100vh;display:grid;place-content:center;justify-items:center;gap:12px;background:#0f3d2e;color:#fff;font:600 40px system-ui"><img src="data:image/png;base64,${icon}" width="96" height="96" alt=""><span>Aisle</span><span style="font:18px system-ui">Can AI agents buy from this store?</span>`,
    )
    await tile.setViewportSize(TILE)
    await keep('tile', tile, TILE)
  })
})
