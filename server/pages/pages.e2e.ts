import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeInBrowser } from '../../snippet/browser/testing.ts'
import { createProperty } from '../properties.ts'
import { addressOf, look, signIn, startWorld, type World } from './testing.ts'

const DOMAIN = 'shop.example'

describeInBrowser('every page', () => {
  let world: World
  let page: Page
  beforeAll(async () => {
    world = await startWorld()
    await createProperty(world.db, { domain: DOMAIN }, new Date())
    page = await world.browser.newPage()
  })
  afterAll(() => world?.stop())

  test.each([
    ['start', '/'],
    ['gaps', '/gaps'],
    ['gap', '/gaps/catalog_empty'],
    ['tools', '/tools'],
    ['tool-manifest', '/tools/manifest?domain=shop.example'],
    ['tool-schema', '/tools/schema?domain=shop.example'],
    ['tool-snippet', '/tools/snippet?id=prop_0123456789abcdefghij&domain=shop.example'],
    ['tool-validate', '/tools/validate?domain=shop.example'],
    ['help', '/help'],
    ['docs', '/docs'],
    ['sign-in', '/sign-in'],
    ['not-found', '/nowhere'],
    ['share-ended', '/shared/aisle_share_x'],
  ])('%s', async (name, path) => {
    await page.goto(addressOf(path))
    if (name === 'docs') await page.locator('.opblock').first().waitFor()
    await look(page, name)
    expect(world.complaints()).toEqual([])
  })

  test('the pages behind a sign-in', async () => {
    const { key } = await world.createTestKey({
      domains: [DOMAIN, 'product-schema-incomplete.example'],
    })
    await signIn(page, key)
    await look(page, 'report-empty')
    await page.goto(addressOf('/audits'))
    await look(page, 'audits')
    await page.getByLabel('Domain').selectOption('product-schema-incomplete.example')
    await page.getByRole('button', { name: 'Show' }).click()
    await look(page, 'audit-none')
    await page.getByRole('button', { name: 'Audit it' }).click()
    await page.getByText('Read about this gap').first().waitFor()
    await page.getByRole('button', { name: 'Audit again' }).click()
    await page.getByRole('img', { name: 'Score over 2 audits' }).waitFor()
    await page.getByRole('button', { name: 'Switch the badge on' }).click()
    await page.getByRole('img', { name: 'The badge' }).waitFor()
    await look(page, 'audit')
    await page.goto(addressOf('/report?domain=other.example'))
    await page.getByText('does not cover other.example').waitFor()
    await look(page, 'forbidden')
    expect(world.complaints()).toEqual([])
  })
})
