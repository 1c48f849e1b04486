import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CatalogPage } from '../../../shared/commerce/product.ts'
import { describeInBrowser } from '../../../shared/testing/browser.ts'
import { createProperty } from '../../attribution/properties.ts'
import { createStore } from '../../store/app.ts'
import { addressOf, enableScripts, signIn, startWorld, type World } from '../testing/world.ts'

/** A product without options, which an audit reads. */
const PRODUCT = '/products/ao-1105'

const pathOf = (request: Request) => new URL(request.url).pathname

/** A page with more in its head. */
const withHead = async (answer: Response, more: string) =>
  new Response((await answer.text()).replace('</head>', `${more}</head>`), answer)

/**
 * An owner's steps: the audit, a gap's "Fix it", publishing what the tool created, the audit again.
 */
describeInBrowser.each([true, false])('from a gap to none, with JavaScript: %s', (hasScripts) => {
  let world: World
  let page: Page
  beforeAll(async () => {
    world = await startWorld()
    page = await world.browser.newPage()
    await enableScripts(page, hasScripts)
    await signIn(page, world.key)
  })
  afterAll(async () => {
    expect(world?.complaints() ?? []).toEqual([])
    await world?.stop()
  })

  async function gapsOf(domain: string): Promise<string[]> {
    await page.goto(addressOf(`/audits/${domain}`))
    await page.getByRole('button', { name: /^(Run an audit|Audit again)$/ }).click()
    await page.getByRole('img', { name: /^Score \d+ of 100/ }).waitFor()
    await page.waitForLoadState()
    return page.locator('.gap-label').allInnerTexts()
  }

  async function fill(fields: Record<string, string>) {
    for (const [label, text] of Object.entries(fields)) {
      await page.getByLabel(label).first().fill(text)
    }
  }

  /** As typed, or after the form is sent. */
  async function codeIn(label: string, button: string): Promise<string> {
    if (!hasScripts) await page.getByRole('button', { name: button }).click()
    return page.locator('.code-block', { hasText: label }).locator('code').innerText()
  }

  test('the manifest', async () => {
    const domain = 'well-known-missing.example'
    expect(await gapsOf(domain)).toEqual(['No UCP manifest'])
    await page.getByRole('link', { name: 'Fix it' }).click()
    // Made from the shop itself, ready to copy.
    await page.getByRole('heading', { name: `Made from ${domain}` }).waitFor()
    const manifest = await page.locator('.code-block code').first().innerText()
    // As the page says for every platform.
    const headers = { 'Content-Type': 'application/json', 'Cache-Control': 'public, max-age=3600' }
    world.mend(domain, (request, answer) =>
      pathOf(request) === '/.well-known/ucp' ? new Response(manifest, { headers }) : answer,
    )
    expect(await gapsOf(domain)).toEqual([])
  })

  test('the markup of a product', async () => {
    const domain = 'unmarked.example'
    const origin = `https://${domain}`
    const bare = createStore({ deps: world.deps, faults: ['product-schema-missing'] })
    const whole = createStore({ deps: world.deps, faults: [] })
    let markup = ''
    world.mend(domain, async (request, answer) =>
      pathOf(request) === PRODUCT ? withHead(await bare.fetch(request), markup) : answer,
    )
    expect(await gapsOf(domain)).toEqual(['Product pages have no Product markup'])
    await page.getByRole('link', { name: 'Fix it' }).click()
    await page.getByText('Fill in a form instead').click()

    const listed = await whole.fetch(new Request(`${origin}/ucp/products`))
    const { products } = (await listed.json()) as CatalogPage
    const product = products.find(({ url }) => url === origin + PRODUCT)
    expect(product).toBeDefined()
    await fill({
      'Name of the product': product?.name ?? '',
      Page: origin + PRODUCT,
      Images: product?.images?.[0] ?? '',
      Description: product?.description ?? '',
      Brand: product?.brand ?? '',
      SKU: product?.sku ?? '',
      Price: ((product?.price.amount ?? 0) / 100).toFixed(2),
      Currency: 'USD',
      'Shipping (': '0',
      'Shipped to': 'US',
      'Days to return': '30',
      'Returned from': 'US',
    })
    await page.locator('#shop_name').fill('Fellgate')
    markup = await codeIn('product page', 'Create the markup')
    expect(await gapsOf(domain)).toEqual([])
  })

  test('the snippet', async () => {
    const domain = 'dark-traffic-untracked.example'
    const property = await createProperty(world.db, { domain }, new Date())
    expect(await gapsOf(domain)).toHaveLength(1)
    await page.getByRole('link', { name: 'Fix it' }).click()
    await fill({ 'Property id': property.id })
    await page.getByRole('button', { name: 'Show the tag' }).click()
    const tag = await page
      .getByRole('figure', { name: /^The tag(?: Copy)?$/ })
      .locator('code')
      .innerText()
    expect(tag).toContain(`https://aisle.example/attribution.js?id=${property.id}`)
    world.mend(domain, (_, answer) =>
      /html/.test(answer.headers.get('content-type') ?? '') ? withHead(answer, tag) : answer,
    )
    await page.getByLabel('Page').fill(`https://${domain}/`)
    await page.getByRole('button', { name: 'Check the page' }).click()
    await page.getByText(`The tag is live on https://${domain}/`).waitFor()
    expect(await gapsOf(domain)).toEqual([])
  })
})
