import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeInBrowser } from '../../shared/testing/browser.ts'
import { createProperty } from '../attribution/properties.ts'
import { addressOf, lookClosely as look, signIn, startWorld, type World } from './testing/world.ts'

const DOMAIN = 'shop.example'
/** Its feed has OpenAI's names, and opts products in. */
const FOR_CHATGPT = 'feed-openai-eligibility-contradictory.example'

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
    ['tool-feed', '/tools/feed'],
    ['tool-snippet', '/tools/snippet?id=prop_0123456789abcdefghij&domain=shop.example'],
    ['tool-robots', '/tools/robots?domain=shop.example'],
    ['recipes', '/tools/orders'],
    ['recipe', '/tools/orders/nextjs'],
    ['collectors', '/tools/collectors'],
    ['collector', '/tools/collectors/nginx'],
    ['collector-worker', '/tools/collectors/cloudflare'],
    ['recipe-not-run', '/tools/orders/magento'],
    ['tool-validate', '/tools/validate?domain=shop.example'],
    ['extension', '/extension'],
    ['extension-privacy', '/extension/privacy'],
    ['gaps-all', '/gaps/all'],
    ['help', '/help'],
    ['help-kept', '/help/kept'],
    ['help-operator', '/help/operator'],
    ['conformance', '/conformance'],
    ['standards', '/standards'],
    ['routes', '/routes'],
    ['routes-vendor', '/routes/google'],
    ['status-none', '/status/shop.example'],
    ['docs', '/docs'],
    ['docs-rules', '/docs/rules'],
    ['docs-call', '/docs/reportEvent'],
    ['decisions', '/decisions'],
    ['decisions-subject', '/decisions/audit'],
    ['sign-in', '/sign-in'],
    ['not-found', '/nowhere'],
    ['share-ended', '/shared/aisle_share_x'],
  ])('%s', async (name, path) => {
    await page.goto(addressOf(path))
    await look(page, name)
    expect(world.complaints()).toEqual([])
  })

  test('the tools with an answer', async () => {
    await page.goto(addressOf('/tools/manifest?domain=shop.example'))
    await page.getByText('Fill in a form instead').click()
    await page.getByLabel('Catalog endpoint').fill('http://localhost')
    await look(page, 'tool-manifest-wrong')
    await page.goto(addressOf('/tools/schema?domain=shop.example'))
    await page.getByText('Fill in a form instead').click()
    await page.getByLabel('Price').first().fill('$1')
    await look(page, 'tool-schema-wrong')
    await page.goto(addressOf('/tools/validate?domain=well-known-invalid.example'))
    await page.getByRole('button', { name: 'Fetch and check' }).click()
    await page.getByText('Reachability').waitFor()
    await look(page, 'tool-validate-fetched')
    await page.getByLabel('Manifest', { exact: true }).fill('{ "version": "1.0" }')
    await page.getByRole('button', { name: 'Check', exact: true }).click()
    await page.getByRole('table', { name: 'Errors' }).waitFor()
    await look(page, 'tool-validate-pasted')
    await page.goto(addressOf('/tools/snippet?id=prop_aaaaaaaaaaaaaaaaaaaa&domain=shop.example'))
    await page.getByRole('button', { name: 'Check the page' }).click()
    await page.getByText("another property's").waitFor()
    await look(page, 'tool-snippet-checked')
    expect(world.complaints()).toEqual([])
  })

  test('on a phone, the steps of the snippet stand below each other in their order', async () => {
    await page.setViewportSize({ width: 390, height: 800 })
    await page.goto(addressOf('/tools/snippet?id=prop_0123456789abcdefghij'))
    const titles = page.locator('.steps h2')
    const places = await titles.evaluateAll((all) =>
      all.map((each) => ({ text: each.textContent, top: each.getBoundingClientRect().top })),
    )
    const read = places.toSorted((a, b) => a.top - b.top).map(({ text }) => text?.slice(0, 2))
    expect(read).toEqual(['1.', '2.', '3.'])
    await page.setViewportSize({ width: 1200, height: 800 })
  })

  test('the pages behind a sign-in', async () => {
    const { key } = await world.createTestKey({
      domains: [DOMAIN, 'product-schema-incomplete.example', FOR_CHATGPT],
    })
    await signIn(page, key)
    await look(page, 'report-empty')
    for (const [name, path] of [
      ['shop', '/shop'],
      ['fetches', `/fetches?domain=${DOMAIN}`],
      ['walks', '/walks'],
      ['watches-none', '/watches'],
      ['keys', '/keys'],
      ['access', `/access/${DOMAIN}`],
    ] as const) {
      await page.goto(addressOf(path))
      await look(page, name)
    }
    await page.goto(addressOf('/tools/orders/shopify'))
    await page.getByText(`The code has your property of ${DOMAIN} in it`).waitFor()
    await look(page, 'recipe-own')
    await page.goto(addressOf('/audits'))
    await look(page, 'audits-none')
    await page.getByRole('link', { name: 'product-schema-incomplete.example' }).click()
    await look(page, 'audit-none')
    await page.getByRole('button', { name: 'Run an audit' }).click()
    await page.getByText('Read about this gap').first().waitFor()
    await page.getByRole('button', { name: 'Audit again' }).click()
    await page.getByRole('img', { name: 'Score over 2 audits' }).waitFor()
    await page.getByRole('heading', { name: 'Badge' }).click()
    await page.getByRole('button', { name: 'Switch the badge on' }).click()
    await page.getByRole('img', { name: 'The badge' }).waitFor()
    await page.getByRole('heading', { name: 'Routes to market' }).click()
    await page.locator('.vendor h3', { hasText: 'Google' }).click()
    await page.getByText('Checkout on Google').click()
    await look(page, 'audit')
    await page.goto(addressOf('/audits'))
    await page.getByRole('link', { name: FOR_CHATGPT }).click()
    await page.getByRole('button', { name: 'Run an audit' }).click()
    await page.getByRole('heading', { name: 'Routes to market' }).click()
    await page.locator('.vendor h3', { hasText: 'ChatGPT' }).click()
    await page.getByText('Found in ChatGPT, by a product feed').click()
    await page.getByText('Verified business and upload').waitFor()
    await look(page, 'audit-chatgpt')
    await page.goto(addressOf('/report?domain=other.example'))
    await page.getByText('does not cover other.example').waitFor()
    await look(page, 'forbidden')
    expect(world.complaints()).toEqual([])
  })
})
