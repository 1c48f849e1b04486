import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { describeInBrowser } from '../../../shared/testing/browser.ts'
import { shoot } from '../../../shared/testing/look.ts'
import { eventually } from '../../../shared/testing/wait.ts'
import { seeFaultlessPage, seeFixesFirst } from '../../testing/scenarios.ts'
import {
  type ExtensionWorld,
  FAULTY_PRODUCT,
  lookAt,
  PRODUCT,
  SHOP_HOME,
  startExtension,
  viewOf,
} from '../../testing/world.ts'

// The app's own global, for code that is evaluated there.
declare const chrome: typeof import('wxt/browser').browser

const LIAR = `<!doctype html><title><img src=x onerror=alert(1)></title>
<form name="documentElement"></form><img name="title">
<h1>Liar</h1>
<script type="application/ld+json">{"@context":"https://schema.org","@type":"Product",
"name":"<script>alert(1)</scr" , "__proto__":{"polluted":true}}</script>
<script type="application/ld+json">${JSON.stringify({
  '@context': 'https://schema.org',
  '@type': 'Product',
  name: '<img src=x onerror="document.title=1"> {{constructor}}',
  sku: 'constructor',
  offers: { '@type': 'Offer', price: '__proto__', priceCurrency: '<b>' },
})}</script>
<script>JSON.parse = () => { throw 1 }; Promise.prototype.then = 0; fetch = 0;
Element.prototype.outerHTML_ = 1; Object.prototype.polluted = 1;
addEventListener('load', () => { document.body.append('shown later') })</script>`

const SCRIPTED = `<!doctype html><title>Lamp</title><h1>Lamp</h1><script>
const block = document.createElement('script')
block.type = 'application/ld+json'
block.textContent = JSON.stringify({ '@context': 'https://schema.org', '@type': 'Product',
  name: 'Lamp', offers: { '@type': 'Offer', price: '20.00', priceCurrency: 'EUR' } })
document.head.append(block)</script>`

/**
 * A script adds a button without a name, and a field without `autocomplete`. Another script has the
 * colours, which are not shown; nor is what a style hides.
 */
const CONTROLS = `<!doctype html><html lang="en"><title>Lamp</title><h1>Lamp</h1><p>20.00 EUR</p>
<button>Add to basket</button><style>.off { display: none }</style>
<a class="off" href="/wishes"><svg></svg></a><script type="application/json">
{"name":"Lamp","variants":[{"sku":"L-1","color":"Brass"},{"sku":"L-2","color":"Steel"}]}</script>
<script type="application/ld+json">${JSON.stringify({
  '@context': 'https://schema.org',
  '@type': 'Product',
  name: 'Lamp',
  offers: { '@type': 'Offer', price: '20.00', priceCurrency: 'EUR' },
})}</script><script>
document.body.insertAdjacentHTML('beforeend', '<button class="wish"><svg></svg></button>' +
  '<label>Email <input type="email" name="email"></label>')
</script>`

/** A store whose router changes the address first, and draws the page when its data has arrived. */
const ROUTER = `<!doctype html><title>Mug</title><link rel="icon" href="data:,"><h1>Mug</h1><p id="size">Size</p><script>
const block = document.createElement('script')
block.type = 'application/ld+json'
document.head.append(block)
const draw = (name) => {
  document.title = name
  block.textContent = JSON.stringify({ '@context': 'https://schema.org', '@type': 'Product',
    name, offers: { '@type': 'Offer', price: '20.00', priceCurrency: 'EUR' } })
}
draw('Mug')
const go = (path, name) => { history.pushState(null, '', path); setTimeout(draw, 300, name) }
</script>`

const FLOOD = `<!doctype html><title>Flood</title>${'<script type="application/ld+json">[{"@type":"Product","name":"x"},{"@type":"Product","name":"y"}]</script>'.repeat(100_000)}`

const HTML = { 'content-type': 'text/html; charset=utf-8' }
const TAG = '<script async src="https://aisle.example/attribution.js?id=prop_pages"></script>'
const CARD =
  '<li><a href="/mugs/a"><h3>Mug</h3></a><p>12.00 EUR</p><button>Add to cart</button></li>'
const PAGES: Record<string, string> = {
  '/about': `<!doctype html><title>About us</title>${TAG}<script type="application/ld+json">{"@context":"https://schema.org","@type":"AboutPage"}</script><h1>About us</h1><p>We fire mugs.</p>`,
  '/mugs': `<!doctype html><title>Mugs</title>${TAG}<h1>Mugs</h1><ul>${CARD.repeat(6)}</ul>`,
  '/cart': `<!doctype html><title>Your cart</title>${TAG}<h1>Your cart</h1><p>It is empty.</p>`,
}

const html =
  (body: string, headers: Record<string, string> = {}) =>
  () =>
    new Response(body, { headers: { 'content-type': 'text/html; charset=utf-8', ...headers } })

describeInBrowser('the page audit', () => {
  let world: ExtensionWorld
  /** The requests to the store with a router: its pages, and each again for its audit. */
  const asked: string[] = []
  beforeAll(async () => {
    world = await startExtension({
      'liar.example': html(LIAR),
      'scripted.example': html(SCRIPTED),
      'controls.example': html(CONTROLS),
      'flood.example': html(FLOOD),
      'router.example': ({ url }) => {
        const { pathname, search } = new URL(url)
        asked.push(pathname + search)
        return html(ROUTER)()
      },
      'strict.example': html(
        '<!doctype html><title>Strict</title><script async src="https://aisle.example/attribution.js?id=prop_strict"></script><script async src="https://aisle.example/attribution.js?id=prop_strict"></script>',
        { 'content-security-policy': "script-src 'self'" },
      ),
      'paper.example': () =>
        new Response('%PDF-1.4', { headers: { 'content-type': 'application/pdf' } }),
      'maker.example': html(
        '<!doctype html><title>How it is made</title><script type="application/ld+json">{"@context":"https://schema.org","@type":"Product","name":"Lamp"}</script>',
      ),
      'pages.example': ({ url }) => {
        const body = PAGES[new URL(url).pathname]
        if (body === undefined) return new Response(PAGES['/about'], { status: 404, headers: HTML })
        return new Response(body, { headers: HTML })
      },
      'text.example': () => new Response('plain', { headers: { 'content-type': 'text/plain' } }),
    })
  })
  afterAll(() => world?.stop())
  beforeEach(() => world.reset())

  test('a faultless product page has all points, on the badge as well', async () => {
    const { app, tabId } = await world.openApp(PRODUCT)
    await seeFaultlessPage(viewOf(app))
    await eventually(() => world.badge(tabId)).toBe('100')
    await lookAt(app, 'page')
  })

  test('the areas of the score are named in whole words, and 100 stands inside of its ring', async () => {
    const { app } = await world.openApp(PRODUCT)
    await seeFaultlessPage(viewOf(app))
    for (const width of [320, 370, 400, 420]) {
      await app.setViewportSize({ width, height: 900 })
      const lines = await app.locator('.breakdown-name').evaluateAll((names) =>
        names.map((name) => {
          const range = document.createRange()
          range.selectNodeContents(name)
          return range.getClientRects().length
        }),
      )
      expect(lines, `${width} pixels`).toEqual([1, 1, 1, 1])
    }
    await app.setViewportSize({ width: 400, height: 900 })
    const [text = 0, ring = 0] = await app.locator('.ring').evaluate((ring) => {
      const widthOf = (selector: string) =>
        (ring.querySelector(selector) as SVGGraphicsElement).getBBox().width
      return [widthOf('.ring-grade'), widthOf('.ring-rest')]
    })
    await shoot(app, 'extension-page-400')
    // The ring is 10 thick on each side, and digits stand where it is narrower than in its middle.
    expect(text).toBeLessThan(ring - 32)
  })

  test('faults are listed worst first, with evidence, fix and links', async () => {
    await world.reset({ onboarded: true, connection: { url: world.server.url, key: '' } })
    const { app, page } = await world.openApp(FAULTY_PRODUCT)
    await seeFixesFirst(viewOf(app))
    const gap = app.locator('.gap', { hasText: 'GTIN' })
    await gap.getByText('What was found').click()
    expect(await gap.locator('.evidence').innerText()).toMatch(/\d{8,14}/)
    const docs = gap.getByRole('link', { name: 'Read about this gap' })
    expect(await docs.getAttribute('href')).toBe(
      `${world.server.url}/gaps/product_schema_gtin_invalid`,
    )
    await lookAt(app, 'page-gaps')

    await gap.getByRole('button', { name: 'Copy the fix' }).click()
    await gap.getByRole('button', { name: 'Copied' }).waitFor()
    expect(await app.evaluate(() => navigator.clipboard.readText())).toContain('GTIN')

    await gap.getByRole('button', { name: 'Show on page' }).click()
    await app.getByText('Shown on the page').waitFor()
    await page.bringToFront()
    await shoot(page, 'extension-highlight')
    await page.keyboard.press('Escape')
  })

  test('buttons and fields are judged as they are shown', async () => {
    const { app } = await world.openApp('https://controls.example/products/lamp')
    // They stand below the first steps, as they are not counted in the page's number.
    const group = app.locator('.gap', { has: app.locator('.gap') })
    await group.filter({ hasText: 'Buttons in the HTML' }).locator('summary').first().click()
    const button = app.locator('.gap .gap', { hasText: 'Buttons in the HTML have no name' })
    await button.locator('summary').first().click()
    await button.getByText('What was found').click()
    expect(await button.locator('.evidence').innerText()).toContain('<button class="wish">')
    const field = app.locator('.gap .gap', { hasText: 'do not say so in autocomplete' })
    await field.locator('summary').first().click()
    await field.getByText('What was found').click()
    expect(await field.locator('.evidence').innerText()).toContain('name="email"')
    expect(await app.getByText('Fields in the HTML have no label').count()).toBe(0)
    expect(await app.getByText('Links in the HTML have no name').count()).toBe(0)
    expect(await app.locator('.evidence', { hasText: 'color (Brass, Steel)' }).count()).toBe(1)
    await lookAt(app, 'page-controls')
    await button.scrollIntoViewIfNeeded()
    await shoot(app, 'extension-page-controls-gaps')
  })

  test('what was copied of one page is not said to be that of the next', async () => {
    // A page that was audited before is shown immediately, instead of the one that was open.
    const { app, page } = await world.openApp('https://scripted.example/')
    await app.getByText('nothing was sent').waitFor()
    await page.goto('https://liar.example/')
    await app.getByText('https://liar.example/', { exact: true }).waitFor()
    const gap = app.locator('.gap', { hasText: 'Visits from AI surfaces' })
    await gap.getByText('What was found').click()
    const ticket = gap.locator('.ticket')
    await ticket.getByRole('button', { name: 'Copy as Markdown' }).click()
    await ticket.getByRole('button', { name: 'Copied' }).waitFor()
    await page.goto('https://scripted.example/')
    await app.getByText('https://scripted.example/', { exact: true }).waitFor()
    await ticket.getByRole('button', { name: 'Copy as Markdown' }).waitFor()
  })

  test('a page is checked also where the browser cannot read what it keeps', async () => {
    const { app, page } = await world.openApp(SHOP_HOME)
    await app.getByText('nothing was sent').waitFor()
    await app.evaluate(() => {
      chrome.storage.local.get = () => Promise.reject(new Error('The database is damaged.'))
    })
    await page.goto(PRODUCT)
    await app.getByText(PRODUCT, { exact: true }).waitFor()
    await app.getByRole('button', { name: 'Audit again' }).waitFor()
  })

  test('a gap of the whole page is shown as such', async () => {
    const { app, page } = await world.openApp('https://liar.example/')
    const gap = app.locator('.gap', { hasText: 'Visits from AI surfaces' })
    await gap.getByRole('button', { name: 'Show on page' }).click()
    await app.getByText('Shown on the page').waitFor()
    await page.bringToFront()
    await shoot(page, 'extension-highlight-page')
  })

  test('what is shown on a page goes with a new check, and with the app', async () => {
    const { app, page } = await world.openApp('https://liar.example/')
    const overlays = () => page.locator('html > div').count()
    const show = app
      .locator('.gap', { hasText: 'Visits from AI surfaces' })
      .getByRole('button', { name: 'Show on page' })
    await show.click()
    await eventually(overlays).toBe(1)
    await app.getByRole('button', { name: 'Audit again' }).click()
    await eventually(overlays).toBe(0)
    await show.click()
    await eventually(overlays).toBe(1)
    await app.close({ runBeforeUnload: true })
    await eventually(overlays).toBe(0)
  })

  test('a page that says neither is not said to be another than a product page', async () => {
    const { app } = await world.openApp('https://maker.example/x')
    const title = (words: string) => app.locator('.notice-title', { hasText: words })
    await title('We could not tell whether this is a product page').waitFor()
    expect(await title('This is not a product page').count()).toBe(0)
    const { app: home } = await world.openApp(SHOP_HOME)
    await home.locator('.notice-title', { hasText: 'This is the home page' }).waitFor()
  })

  test.each([
    ['about', '/about', 'This is not a product page'],
    ['category', '/mugs', 'This is a list of products'],
    ['cart', '/cart', 'This is a page of one visitor'],
    ['error', '/nowhere', 'This is an error page'],
  ])('a page of which nothing is judged has no number: %s', async (name, path, says) => {
    const { app, tabId } = await world.openApp(`https://pages.example${path}`)
    await app.locator('.notice-title', { hasText: says }).waitFor()
    await app.getByRole('button', { name: 'Audit the whole store' }).waitFor()
    expect(await app.locator('.ring').count()).toBe(0)
    expect(await app.innerText('main')).not.toMatch(/of 100/)
    expect(await world.badge(tabId)).toBe('')
    await lookAt(app, `page-without-number-${name}`)
  })

  test('what needs JavaScript is named', async () => {
    const { app } = await world.openApp('https://scripted.example/')
    const card = app.locator('section', { has: app.getByText('Needs JavaScript') })
    await card.waitFor()
    expect(await card.innerText()).toMatch(/Product\s+Lamp/)
    await lookAt(app, 'page-needs-script')
  })

  test('a snippet that stands twice and is blocked is told', async () => {
    const { app } = await world.openApp('https://strict.example/')
    await app.getByText('Property prop_strict').waitFor()
    await app.getByText('Embedded 2 times. Keep one.').waitFor()
    await app.getByText("blocks it: script-src 'self'").waitFor()
  })

  test('a page that lies is shown as text, and nothing of it runs', async () => {
    const { app } = await world.openApp('https://liar.example/')
    const asked: string[] = []
    app.on('dialog', (dialog) => void dialog.dismiss().then(() => asked.push(dialog.message())))
    await app.getByRole('heading', { name: '<img src=x onerror=alert(1)>' }).waitFor()
    await app.getByText('{{constructor}}').waitFor()
    expect(await app.locator('main img').count()).toBe(0)
    expect(asked).toEqual([])
    expect(await app.title()).toBe('Aisle')
    await lookAt(app, 'page-liar')
  })

  test('ten megabytes of JSON-LD are read in part, and the app stays alive', async () => {
    const { app } = await world.openApp('https://flood.example/')
    // On a slow machine the reading itself is stopped: the app goes on, and says that instead.
    await app.getByText(/could not be read completely|took too long/).waitFor()
    await app.getByRole('tab', { name: 'Options' }).click()
    await app.getByLabel('Server address').waitFor()
  })

  test.each([
    ['chrome://version/', /Click the Aisle button/, 'not been audited yet'],
    ['https://text.example/', /not a web page/, 'cannot be audited'],
  ])('%s cannot be checked, and it says so in a sentence', async (url, text, title) => {
    const { app } = await world.openApp(url)
    await app.getByText(text).waitFor()
    expect(await app.locator('.notice-title').innerText()).toContain(title)
    await lookAt(app, `page-refused-${new URL(url).protocol.slice(0, -1)}`)
  })

  test('a reloaded page is checked again, and another page too', async () => {
    const { app, page } = await world.openApp(SHOP_HOME)
    await app.getByText(SHOP_HOME, { exact: true }).first().waitFor()
    await page.goto(PRODUCT)
    await app.getByText(PRODUCT, { exact: true }).waitFor()
    await page.reload()
    await app.getByRole('button', { name: 'Audit again' }).click()
    await app.getByText(PRODUCT, { exact: true }).waitFor()
  })

  test('a page that a router draws is checked once it is there, and its places are not', async () => {
    const { app, page, tabId } = await world.openApp('https://router.example/mug')
    const score = app.getByRole('heading', { name: 'Mug' }).or(app.getByText('Mug')).first()
    await score.waitFor()
    await eventually(() => world.badge(tabId)).toMatch(/\d/)
    const badge = await world.badge(tabId)
    asked.length = 0

    // Each screen that is scrolled. Not with pauses from here, which a busy machine makes longer
    // than the moment of quiet that an audit waits for.
    await page.evaluate(`
      for (const n of [2, 3, 4]) history.replaceState(null, '', '/mug?page=' + n)`)
    await app.getByText('https://router.example/mug?page=4', { exact: true }).waitFor()
    await eventually(() => world.badge(tabId)).toBe(badge)
    expect(asked).toEqual(['/mug?page=4'])

    await page.evaluate(`location.hash = 'size'`)
    await eventually(() => world.badge(tabId)).toBe('')
    await eventually(() => world.badge(tabId)).toBe(badge)
    expect(asked).toEqual(['/mug?page=4'])

    await page.evaluate(`go('/bowl', 'Bowl')`)
    await app.getByText('https://router.example/bowl', { exact: true }).waitFor()
    await app.getByText('Bowl').first().waitFor()
    expect(asked).toEqual(['/mug?page=4', '/bowl'])
    const audits = Object.values(
      (await world.kept()).page_audits as Record<string, { url: string; title: string }>,
    )
    expect(audits.find(({ url }) => url.endsWith('/bowl'))?.title).toBe('Bowl')
  })

  test('an audit is saved as a task list, JSON and a page', async () => {
    const { app } = await world.openApp(FAULTY_PRODUCT, { width: 320 })
    const menu = app.getByRole('button', { name: 'Export' })
    await menu.click()
    await lookAt(app, 'page-export')
    await app.keyboard.press('Escape')
    expect(await app.getByRole('button', { name: 'JSON' }).count()).toBe(0)
    expect(await menu.evaluate((button) => button === document.activeElement)).toBe(true)
    for (const [item, name] of [
      ['Task list (Markdown)', /^aisle-faulty\.example-.+\.md$/],
      ['JSON', /^aisle-faulty\.example-.+\.json$/],
      ['Page to print (HTML)', /^aisle-faulty\.example-.+\.html$/],
    ] as const) {
      await menu.click()
      const [download] = await Promise.all([
        app.waitForEvent('download'),
        app.getByRole('button', { name: item }).click(),
      ])
      expect(download.suggestedFilename()).toMatch(name)
    }
  })

  test('the first time shows three steps, until they are dismissed', async () => {
    await world.reset({})
    const { app } = await world.openApp(PRODUCT)
    await app.getByRole('heading', { name: 'Three steps' }).waitFor()
    await app.getByText('nothing was sent').waitFor()
    await lookAt(app, 'page-onboarding')
    await app.getByRole('button', { name: 'Got it' }).click()
    await app.getByRole('heading', { name: 'Three steps' }).waitFor({ state: 'detached' })
    expect(await world.kept()).toMatchObject({ onboarded: true })
  })

  test('the tabs are walked by keys, and the chosen one is kept, but for the options', async () => {
    const { app } = await world.openApp(PRODUCT)
    await app.getByRole('tab', { name: 'Page' }).focus()
    await app.keyboard.press('ArrowLeft')
    await app.getByRole('tab', { name: 'Options', selected: true }).waitFor()
    await app.reload()
    await app.getByRole('tab', { name: 'Page', selected: true }).focus()
    await app.keyboard.press('ArrowRight')
    await app.getByRole('tab', { name: 'Store', selected: true }).waitFor()
    await app.reload()
    await app.getByRole('tab', { name: 'Store', selected: true }).waitFor()
  })

  test('forced colors show which tab is chosen', async () => {
    const { app } = await world.openApp(PRODUCT)
    await app.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' })
    await app.getByRole('tab', { selected: true }).waitFor()
    const colorsOf = (selected: boolean) =>
      app
        .getByRole('tab', { selected })
        .evaluateAll((tabs) => tabs.map((tab) => getComputedStyle(tab).borderBottomColor))
    const [chosen, others] = await Promise.all([colorsOf(true), colorsOf(false)])
    expect(chosen).toHaveLength(1)
    expect(new Set(others).size).toBe(1)
    expect(others).not.toContain(chosen[0])
    await shoot(app, 'extension-forced-colors')
  })

  test('a wide tab shows the same', async () => {
    const { app } = await world.openApp(FAULTY_PRODUCT, { width: 1200, file: 'app' })
    await app.locator('.gap').first().waitFor()
    await lookAt(app, 'tab-page')
  })
})
