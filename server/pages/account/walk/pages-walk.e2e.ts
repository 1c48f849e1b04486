import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { describeInBrowser, type Hosts, serveHosts } from '../../../../shared/testing/browser.ts'
import { shoot } from '../../../../shared/testing/look.ts'
import { eventually } from '../../../../shared/testing/wait.ts'
import type { WalkStep } from '../../../../shared/walk/transcript.ts'
import { createEngine, type Engine } from '../../../audit/engine.ts'
import { JUDGES_HERE } from '../../../audit/judging/testing/judges-here.ts'
import { TRUSTING } from '../../../audit/walk/testing/walked-store.ts'
import { createStore } from '../../../store/app.ts'
import { testCardEntry } from '../../../store/buyer/card-entry.ts'
import { testDeps } from '../../../store/testing/store.ts'
import { addressOf, look, signIn, startWorld, type World } from '../../testing/world.ts'

const WRONG = 'ucp-pages-field-unnamed.example'
const STOPS = 'ucp-pages-add-text.example'
const LYING = 'ucp-webmcp-price-differs.example'
const LOST = 'ucp-hand-over-other-currency.example'

const hostilePage = (script: string) =>
  `<!doctype html><title>Hostile</title><h1>Boot</h1><p>$9.00</p><button>Add to basket</button><script>${script}</script>`
const HOSTILE: Record<string, string> = {
  '/loop': hostilePage('for(;;);'),
  '/dialogs': hostilePage('for(let i=0;i<20;i++)alert(i);onbeforeunload=()=>"stay"'),
  '/windows': hostilePage('for(let i=0;i<20;i++)open("/dialogs")'),
  '/requests': hostilePage('for(let i=0;i<3000;i++)fetch("/x?"+i,{cache:"no-store"})'),
  '/memory': hostilePage(
    'const a=[];setInterval(()=>{for(let i=0;i<40;i++)a.push(new Uint8Array(4e6).fill(i))},1)',
  ),
}

describeInBrowser('a walk through pages, in the service', () => {
  let world: World
  let hosts: Hosts
  let engine: Engine
  let page: Page
  beforeAll(async () => {
    const { deps } = await testDeps({ now: () => new Date() })
    const store = createStore({ deps, faults: [], card: testCardEntry, ...TRUSTING })
    hosts = await serveHosts({
      'hostile.example': (request) => {
        const text = HOSTILE[new URL(request.url).pathname]
        return text === undefined
          ? new Response('', { status: 404 })
          : new Response(text, { headers: { 'content-type': 'text/html' } })
      },
      '*.example': (request) => store.fetch(request),
    })
    engine = createEngine(
      {
        baseUrl: 'https://aisle.example',
        testHosts: [{ pattern: '*.example', origin: `http://127.0.0.1:${hosts.httpPort}` }],
        browserPath: inject('browserPath'),
      },
      () => new Date(),
      JUDGES_HERE,
    )
    world = await startWorld({ store: engine })
    page = await world.browser.newPage()
    const { key } = await world.createTestKey({
      domains: [WRONG, STOPS, LOST, LYING, 'hostile.example'],
    })
    await signIn(page, key)
  })
  afterAll(async () => {
    await world?.stop()
    await engine?.close()
    await hosts?.close()
  })

  async function walkByForm(domain: string) {
    await page.goto(addressOf(`/walks?domain=${domain}`))
    for (const box of await page.locator('input[name=intent]').all()) await box.uncheck()
    await page.locator('input[name=intent]').first().check()
    await page.getByLabel('Walk through the store’s pages').check()
    await page.getByLabel('Product page').fill(`https://${domain}/products/ao-1001`)
    await look(page, 'walk-form-pages')
    await page.getByRole('button', { name: 'Start the walk' }).click()
    await page.getByRole('heading', { name: 'Through the pages' }).waitFor({ timeout: 60_000 })
    await page.getByRole('heading', { name: 'Keep it' }).waitFor({ timeout: 120_000 })
    await page.reload()
  }

  test('its page shows the pictures in a row, and what was needed and not found', async () => {
    await walkByForm(WRONG)
    await page.getByText('comes to the last step before paying').waitFor()
    await page.getByText('The basket was emptied.').waitFor()
    await page.getByText('A field of the checkout has no name.').waitFor()
    await page.getByText('#name').first().waitFor()
    const pictures = page.locator('.walk-page .walk-picture img')
    expect(await pictures.count()).toBeGreaterThanOrEqual(4)
    for (const picture of await pictures.all()) {
      await picture.scrollIntoViewIfNeeded()
      await eventually(() =>
        picture.evaluate((image) => ('naturalWidth' in image ? image.naturalWidth : 0)),
      ).toBe(1280)
    }
    expect(await page.locator('.walk-picture rect').count()).toBe(1)
    await look(page, 'walk-pages')
    await page.setViewportSize({ width: 600, height: 450 })
    await shoot(page, 'pages-walk-pages-zoomed', { fullPage: true })
    await page.setViewportSize({ width: 1200, height: 800 })
    await page.getByText('What the agent saw').first().click()
    await look(page, 'walk-pages-open')
    expect(world.complaints()).toEqual([])
  })

  test('an obstacle ends it, is marked, and leads to its gap', async () => {
    await walkByForm(STOPS)
    await page.getByText('stops before the last step').waitFor()
    await page.getByText('is text, not a button').waitFor()
    expect(await page.locator('.walk-picture rect.is-obstacle').count()).toBe(1)
    const [href = ''] = await page
      .getByRole('link', { name: 'What to change' })
      .evaluateAll((links) => links.map((link) => link.getAttribute('href')))
    expect(href).toContain('/gaps/pages_add_fails')
    await look(page, 'walk-pages-stopped')
  })

  test('links for buyers are opened, pictured, and are a gap where the buyer is lost', async () => {
    const { key } = await world.createTestKey({ domains: [LOST] })
    const order = { domain: LOST, intents: ['cheapest_variant'], dialects: ['ucp_rest'] }
    const begun = await world.ask('/api/walk', { method: 'POST', key, body: order })
    const { id } = await begun.json()
    await (await world.ask(`/api/walk/${id}/events`, { key })).text()
    const { transcript } = await (await world.ask(`/api/walk/${id}`, { key })).json()
    const steps: WalkStep[] = transcript.routes[0].purchases[0].steps
    const opened = steps.filter((step) => step.opened)
    expect(opened.map(({ failed }) => failed?.expectation ?? null)).toEqual([null, 'arrives_whole'])
    expect(opened.map((step) => step.opened?.picture)).toEqual(['pictures/101', 'pictures/102'])
    await page.goto(addressOf(`/walks/${id}`))
    const picture = page.getByAltText('The page that the link opens in a fresh browser').last()
    await picture.scrollIntoViewIfNeeded()
    await eventually(() =>
      picture.evaluate((image) => ('naturalWidth' in image ? image.naturalWidth : 0)),
    ).toBe(1280)
    await look(page, 'walk-link-lost')
    const body = { domain: LOST, checks: ['checkout'] }
    const audited = await world.ask('/api/audit', { method: 'POST', key, body })
    const { gaps } = await audited.json()
    expect(gaps.map((gap: { id: string }) => gap.id)).toEqual(['checkout_link_wrong'])
    expect(gaps[0].detail).toMatch(/USD was stated, and the page shows .* CAD/)
  })

  test('the tools of the page are called, shown, and are a gap where they lie', async () => {
    await walkByForm(LYING)
    await page.getByText('offers 3 tools to agents (WebMCP), and 2 of them were called').waitFor()
    await page.getByRole('heading', { name: 'Tools for agents' }).scrollIntoViewIfNeeded()
    await page.getByText('The tool states another price than the page').first().waitFor()
    await look(page, 'walk-tools')
    const { key } = await world.createTestKey({ domains: [LYING] })
    const body = { domain: LYING, checks: ['pages'] }
    const audited = await world.ask('/api/audit', { method: 'POST', key, body })
    const { gaps, passed } = await audited.json()
    expect(gaps.map((gap: { id: string }) => gap.id)).toEqual(['pages_tools_differ'])
    expect(gaps[0].detail).toContain('get_product: The tool states another price than the page.')
    expect(passed).toEqual(expect.arrayContaining(['pages_tools_clear', 'pages_tools_only_read']))
  })

  test('hostile pages do not keep the service from answering', async () => {
    const { key } = await world.createTestKey({ domains: ['hostile.example'] })
    let longest = 0
    let answered = 0
    const watching = setInterval(async () => {
      const asked = performance.now()
      const { status } = await world.app.request('/livez')
      expect(status).toBe(200)
      longest = Math.max(longest, performance.now() - asked)
      answered += 1
    }, 100)
    try {
      for (const path of Object.keys(HOSTILE)) {
        const answer = await world.ask('/api/walk', {
          method: 'POST',
          key,
          body: {
            domain: 'hostile.example',
            intents: ['po_box'],
            pages: true,
            product_url: `https://hostile.example${path}`,
          },
        })
        const { id } = await answer.json()
        // A stream ends with its walk.
        await (await world.ask(`/api/walk/${id}/events`, { key })).text()
        const { transcript } = await (await world.ask(`/api/walk/${id}`, { key })).json()
        expect(transcript.pages.ended ?? transcript.pages.unseen, path).toBeTruthy()
      }
    } finally {
      clearInterval(watching)
    }
    expect(answered).toBeGreaterThan(20)
    expect(longest).toBeLessThan(5_000)
    process.stdout.write(
      `livez: ${answered} answers, the longest after ${Math.round(longest)} ms\n`,
    )
  })
})
