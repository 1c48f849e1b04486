import type { BrowserContext, Page, Worker } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Browser } from 'wxt/browser'
import { describeInBrowser, launchBrowser, serveHosts } from '../../shared/testing/browser.ts'
import { eventually } from '../../shared/testing/wait.ts'
import { builtForTests } from '../testing/build.ts'
import { auditPage } from './audit/audit-page.ts'
import type { PageAudit } from './audit/page-audit.ts'
import type { Collected } from './collect/collected.ts'
import type { HighlightNote } from './highlight/highlighter.ts'
import type { HighlightTarget } from './highlight/target.ts'

/** In the extension's worker, where the functions given to `evaluate` run. */
declare const chrome: typeof Browser

const PRODUCT = {
  '@context': 'https://schema.org',
  '@type': 'Product',
  name: 'Mug',
  image: 'https://hostile.example/mug.jpg',
}
const block = (value: unknown) =>
  `<script type="application/ld+json">${JSON.stringify(value)}</script>`

/** Pages that do what they can to mislead or to break their readers. */
const PAGES: Record<string, { html: string; headers?: Record<string, string> }> = {
  '/products/clobbered': {
    html: `<html><head>${block(PRODUCT)}</head><body>
      <img name="documentElement"><img name="contentType"><img name="characterSet">
      <img name="createElement"><img name="body"><form name="location"></form><h1>Mug</h1>
      <form itemscope itemtype="https://schema.org/Brand" style="display:none">
        <input name="textContent"><input name="getAttribute"></form></body>`,
  },
  '/products/overridden': {
    html: `<html><head>${block(PRODUCT)}<script>
      const broken = () => { throw new Error('overridden') }
      window.fetch = JSON.parse = JSON.stringify = broken
      window.Promise = class { constructor() { broken() } }
      for (const name of ['outerHTML', 'innerHTML'])
        Object.defineProperty(Element.prototype, name, { get: broken })
      Object.defineProperty(Document.prototype, 'documentElement', { get: broken })
      Array.prototype.map = Array.prototype.filter = String.prototype.slice = broken
      Object.prototype.url = 'https://evil.example/'
    </script></head><body><h1>Mug</h1></body>`,
  },
  '/products/styled': {
    html: `<html><head>${block(PRODUCT)}<style>
      .menu { display: none } .off { visibility: hidden } .close::before { content: "Close" }
      .icon::before { content: "\\e900" } .flat { display: contents } .letter::before { content: "G" } .quiet { font-size: 0 }
    </style></head><body><h1>Mug</h1><span id="size">Size</span><span id="gone" hidden>Wish list</span>
      <div class="menu"><button id="hidden-1"></button><a href="/x" id="hidden-2"></a><input id="hidden-3"></div>
      <button class="off" id="hidden-4"></button><div inert><button id="hidden-5"></button></div>
      <details><summary>More</summary><button id="hidden-6"></button></details>
      <fieldset disabled><input id="hidden-7"></fieldset>
      <button class="close" id="named-1"></button><button aria-labelledby="gone" id="named-2"></button>
      <select aria-labelledby="size none" id="named-3"></select><label for="named-4">Note</label><input id="named-4">
      <a href="/y" id="named-5"><i title="Basket"></i></a><button class="flat" id="named-6">Buy</button>
      <button class="quiet" id="named-7">Buy</button><a href="/z" id="named-8"><img alt="Mug" src="data:,"></a>
      <button id="bare-1"><span class="menu">Buy</span></button><button class="icon" id="bare-2"></button>
      <button id="named-10"><svg><title>Close</title></svg></button><button class="letter" id="bare-9"></button>
      <button id="named-11"><svg aria-labelledby="t"><g><title id="t">Close</title></g></svg></button>
      <button aria-labelledby="none" id="bare-3"></button><a href="/w" id="bare-4"><svg></svg></a>
      <label class="menu" for="bare-5">Note</label><input id="bare-5"><div class="flat"><button id="bare-6"></button></div>
      <form id="f"><input name="closest" aria-label="a"><input name="checkVisibility" aria-label="b">
        <button id="bare-7"></button></form>
      <shop-card></shop-card><script>
        const shadow = document.querySelector('shop-card').attachShadow({ mode: 'open' })
        shadow.innerHTML = '<button id="bare-8"></button><button id="named-9"><slot>Buy</slot></button>'
        let deep = document.body
        for (let n = 0; n < 3000; n++) deep = deep.appendChild(document.createElement('b'))
      </script></body></html>`,
  },
  '/products/strict': {
    html: `<html><head>${block(PRODUCT)}</head><body><h1>Mug</h1></body>`,
    headers: { 'content-security-policy': "default-src 'none'" },
  },
  '/products/framed': {
    html: `<html><head></head><body><h1>Mug</h1><iframe srcdoc='${block(PRODUCT)}'></iframe></body>`,
  },
  '/products/large': {
    html: `<html><head>${block(Array.from({ length: 2000 }, (_, n) => ({ ...PRODUCT, name: `${n}${'x'.repeat(5000)}` })))}</head><body><h1>Mug</h1></body>`,
  },
  '/products/rendered': {
    html: `<html><head></head><body><h1>Mug</h1><script>
      const element = document.createElement('script')
      element.type = 'application/ld+json'
      element.textContent = ${JSON.stringify(JSON.stringify(PRODUCT))}
      document.head.append(element)
    </script></body>`,
  },
}

const hostile = (request: Request) => {
  const page = PAGES[new URL(request.url).pathname]
  if (page === undefined) return new Response('no', { status: 404 })
  return new Response(`<!doctype html>${page.html}`, {
    headers: { 'content-type': 'text/html; charset=utf-8', ...page.headers },
  })
}

/** The browser with the extension, and pages that do what they can against it. */
async function openBrowser() {
  const hosts = await serveHosts({ 'hostile.example': hostile })
  const browser = await launchBrowser({ hosts, extension: await builtForTests() })
  const worker = browser.serviceWorkers()[0] ?? (await browser.waitForEvent('serviceworker'))
  const close = async () => {
    await browser.close()
    await hosts.close()
  }
  return { browser, worker, close }
}

async function openPage(browser: BrowserContext, worker: Worker, name: string) {
  const page = await browser.newPage()
  await page.goto(`https://hostile.example/products/${name}`)
  const tabId = await worker.evaluate(async () => {
    const [tab] = await chrome.tabs.query({ active: true })
    return tab?.id ?? 0
  })
  return { page, tabId }
}

const collect = (worker: Worker, tabId: number): Promise<Collected> =>
  worker.evaluate(async (id) => {
    const target = { tabId: id }
    const [injected] = await chrome.scripting.executeScript({ target, files: ['/collect.js'] })
    return injected?.result as Collected
  }, tabId)

const highlight = (worker: Worker, tabId: number, note: HighlightNote): Promise<unknown> =>
  worker.evaluate(
    async ({ id, drawn }) => {
      const target = { tabId: id }
      await chrome.scripting.executeScript({ target, files: ['/highlight.js'] })
      const [shown] = await chrome.scripting.executeScript({
        target,
        func: (each: HighlightNote) => globalThis.aisleHighlight?.(each),
        args: [drawn],
      })
      return shown?.result
    },
    { id: tabId, drawn: note },
  )

const noteFor = (target: HighlightTarget): HighlightNote => ({
  target,
  title: '<img src=x onerror=alert(1)>',
  detail: 'The price is missing.',
  hint: 'It is not visible.',
  absent: 'It is not there.',
  close: 'Close',
})

const BLOCK: HighlightTarget = { kind: 'json_ld', block: 1, start: '' }
const ITEM: HighlightTarget = { kind: 'microdata', type: 'Brand', index: 0 }

describeInBrowser('the scripts that run in a page', () => {
  let opened: Awaited<ReturnType<typeof openBrowser>>
  const open = (name: string) => openPage(opened.browser, opened.worker, name)
  beforeAll(async () => {
    opened = await openBrowser()
  })
  afterAll(() => opened.close())

  const audited = (collected: Collected): PageAudit => {
    const audit = auditPage(collected, () => new Date())
    if ('refusal' in audit) throw new Error(audit.refusal)
    return audit
  }

  test.each(['clobbered', 'overridden', 'strict', 'large'])(
    'a page that is %s is read like any other',
    async (name) => {
      const { page, tabId } = await open(name)
      const collected = await collect(opened.worker, tabId)
      expect(collected).toMatchObject({
        url: `https://hostile.example/products/${name}`,
        content_type: 'text/html',
        served: { kind: 'answer', status: 200 },
      })
      expect(collected.html.length).toBeLessThan(2.1 * 1024 * 1024)
      if (name === 'large') {
        // Of a page that was read in part, missing markup proves nothing.
        expect(auditPage(collected, () => new Date())).toEqual({ refusal: 'nothing_judged' })
      } else {
        const { found, served } = audited(collected)
        expect(served).toEqual({ ok: true, status: 200 })
        expect(found.products).toMatchObject([{ name: 'Mug', in_served: true }])
      }
      await page.close()
    },
  )

  test('what a script adds is told from what was served', async () => {
    const { page, tabId } = await open('rendered')
    const { result, needs_script } = audited(await collect(opened.worker, tabId))
    expect(result.gaps.map(({ id }) => id)).toContain('product_schema_only_after_javascript')
    expect(needs_script).toContainEqual({ what: 'product', text: 'Mug' })
    await page.close()
  })

  test('controls are judged as styles show them', async () => {
    const { page, tabId } = await open('styled')
    const { controls } = await collect(opened.worker, tabId)
    const unnamed = [
      ...controls.unnamed_buttons,
      ...controls.unnamed_links,
      ...controls.unnamed_fields,
    ]
    const ids = unnamed.map((tag) => /id="([^"]+)"/.exec(tag)?.[1])
    expect(ids.sort()).toEqual(Array.from({ length: 9 }, (_, n) => `bare-${n + 1}`))
    // With the two in the form.
    expect(controls.buttons + controls.links + controls.fields).toBe(9 + 11 + 2)
    await page.close()
  })

  test('a frame is another page', async () => {
    const { page, tabId } = await open('framed')
    const { found } = audited(await collect(opened.worker, tabId))
    expect(found.products).toEqual([])
    await page.close()
  })

  const overlays = (page: Page) => page.locator('html > div').count()

  test.each(['strict', 'clobbered', 'overridden'])(
    'a gap is shown on a page that is %s, as text, and goes with Escape',
    async (name) => {
      const { page, tabId } = await open(name)
      const dialogs: string[] = []
      page.on('dialog', (dialog) => {
        dialogs.push(dialog.message())
        dialog.dismiss().catch(() => {})
      })
      expect(await highlight(opened.worker, tabId, noteFor(BLOCK))).toBe(true)
      expect(await overlays(page)).toBe(1)
      for (const target of [ITEM, { kind: 'page' } as const]) {
        expect(await highlight(opened.worker, tabId, noteFor(target))).toBe(true)
        expect(await overlays(page)).toBe(1)
      }
      await page.keyboard.press('Escape')
      expect(await overlays(page)).toBe(0)
      expect(dialogs).toEqual([])
      await page.close()
    },
  )

  test.each<[string, string, number]>([
    ['a router changes the address', `history.pushState(null, '', '/products/other')`, 0],
    ['what it points at goes', `document.querySelector('script[type*=ld]').remove()`, 0],
    ['another place on the page is shown', `location.hash = 'reviews'`, 1],
    ['something else goes', `document.body.append('x'); document.body.lastChild.remove()`, 1],
  ])('where %s, what is shown goes or stays', async (_, script, left) => {
    const { page, tabId } = await open('framed')
    await page.evaluate(
      (html) => document.head.insertAdjacentHTML('beforeend', html),
      block(PRODUCT),
    )
    expect(await highlight(opened.worker, tabId, noteFor(BLOCK))).toBe(true)
    expect(await overlays(page)).toBe(1)
    await page.evaluate(script)
    await eventually(() => overlays(page)).toBe(left)
    await page.close()
  })

  test('the button that closes it stands below a quote of any length', async () => {
    const { page, tabId } = await open('large')
    await page.setViewportSize({ width: 1280, height: 400 })
    expect(await highlight(opened.worker, tabId, noteFor(BLOCK))).toBe(true)
    expect(await overlays(page)).toBe(1)
    // At the foot of the card, which keeps 16 pixels to each edge.
    await page.mouse.click(1280 - 16 - 380 + 40, 400 - 16 - 30)
    expect(await overlays(page)).toBe(0)
    await page.close()
  })

  test.each<[string, (page: Page) => Promise<unknown>]>([
    ['another page', (page) => page.goto('https://hostile.example/products/framed')],
    ['a script', (page) => page.evaluate(() => history.pushState(null, '', '/products/other'))],
  ])('the badge goes with the page that %s replaces', async (_, replace) => {
    const { page, tabId } = await open('strict')
    const badge = () =>
      opened.worker.evaluate((id) => chrome.action.getBadgeText({ tabId: id }), tabId)
    await opened.worker.evaluate(
      (id) => chrome.action.setBadgeText({ tabId: id, text: 'A' }),
      tabId,
    )
    expect(await badge()).toBe('A')
    await replace(page)
    await eventually(badge).toBe('')
    await page.close()
  })
})
