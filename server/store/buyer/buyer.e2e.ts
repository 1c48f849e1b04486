import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  describeInBrowser,
  type Hosts,
  launchBrowser,
  serveHosts,
} from '../../../shared/testing/browser.ts'
import { shoot, violationsOf } from '../../../shared/testing/look.ts'
import { eventually } from '../../../shared/testing/wait.ts'
import { createStore } from '../app.ts'
import { completeCheckout } from '../checkout/checkout.ts'
import type { StoreDeps } from '../checkout/deps.ts'
import { orderOfSession } from '../orders/orders.ts'
import { createStripePsp } from '../psp/stripe/stripe.ts'
import { startTestPsp, type TestPsp } from '../psp/test/server.ts'
import { testDeps } from '../testing/store.ts'
import { actionOf, challengeReturnUrl } from './addresses.ts'
import { razorpayEntry, stripeCardEntry, testCardEntry } from './card-entry.ts'
import { openOfficial } from './testing/session.ts'

const SHOP = 'https://shop.example'

/** A platform as the extension describes it: it frames the Action, and answers its handshake. */
const platformPage = (url: string) => `<!doctype html><title>Assistant</title>
<script>
const heard = []
addEventListener('message', ({ source, origin, data }) => {
  heard.push(data)
  if (data.method === 'action.ready') source.postMessage({ jsonrpc: '2.0', id: data.id, result: {} }, origin)
})
</script>
<iframe src="${url}" width="600" height="400"
 sandbox="allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox"></iframe>`

/** What the page uses of Stripe.js: a card is declined before it is one, then it is one. */
const STRIPE_STUB = `
let tries = 0
window.Stripe = (key) => ({
  elements: () => ({
    create: () => ({
      mount: (place) => { place.textContent = 'The card field of ' + key },
      on: () => {},
    }),
  }),
  createPaymentMethod: async ({ billing_details }) => {
    tries += 1
    if (tries === 1) return { error: { message: 'Your card number is incomplete.' } }
    window.name = JSON.stringify(billing_details)
    return { paymentMethod: { id: 'pm_card_visa' } }
  },
})`

/** What the page uses of Razorpay's checkout.js: the buyer approves what is asked for. */
const RAZORPAY_STUB = `
window.Razorpay = function ({ key, amount, currency, notes, prefill, handler }) {
  this.on = () => {}
  this.open = () => {
    window.name = JSON.stringify({ key, amount, currency, notes, prefill })
    handler({ razorpay_payment_id: 'tok_visa' })
  }
}`

describeInBrowser('a buyer at the checkout', () => {
  let deps: StoreDeps
  let bank: TestPsp
  let hosts: Hosts
  let browser: BrowserContext
  let page: Page
  const refused: string[] = []
  const framed = { url: '' }
  /**
   * Whether a page of a payment that is under way loads anew by itself, which would end a look at
   * it.
   */
  let asksAgain = true

  beforeAll(async () => {
    bank = await startTestPsp({ webhookSecret: 'whsec_test', settleMs: null })
    const psp = createStripePsp(bank.access)
    deps = (await testDeps({ psp, now: () => new Date() })).deps
    const store = createStore({ deps, faults: [], official: true, card: testCardEntry })
    const card = stripeCardEntry('pk_test_1')
    const withStripe = createStore({ deps, faults: [], official: true, card })
    const razorpay = razorpayEntry('rzp_test_1')
    const withRazorpay = createStore({ deps, faults: [], official: true, card: razorpay })
    const javascript = { 'content-type': 'text/javascript' }
    const html = { 'content-type': 'text/html' }
    hosts = await serveHosts({
      'shop.example': async (request) => {
        const answer = await store.fetch(request)
        if (!asksAgain) answer.headers.delete('refresh')
        return answer
      },
      'stripe.example': (request) => withStripe.fetch(request),
      'razorpay.example': (request) => withRazorpay.fetch(request),
      'checkout.razorpay.com': () => new Response(RAZORPAY_STUB, { headers: javascript }),
      'js.stripe.com': () => new Response(STRIPE_STUB, { headers: javascript }),
      // The name under which the test PSP delivers.
      'store.test': (request) => store.fetch(request),
      'agent.example': () => new Response(platformPage(framed.url), { headers: html }),
    })
    bank.sendTo(`http://127.0.0.1:${hosts.httpPort}/webhooks/psp`)
    browser = await launchBrowser({ hosts })
    browser.on('console', (message) => {
      if (/Content Security Policy|Refused to/.test(message.text())) refused.push(message.text())
    })
    page = await browser.newPage()
  })
  afterAll(async () => {
    await browser?.close()
    await Promise.all([hosts?.close(), bank?.close()])
  })

  const idOf = (at: Page) => new URL(at.url()).pathname.split('/')[2] ?? ''

  /** At the two widths: a picture, nothing wider than the page, and nothing that axe finds. */
  const look = async (name: string) => {
    for (const [kind, width] of [
      ['wide', 1280],
      ['phone', 390],
    ] as const) {
      await page.setViewportSize({ width, height: 900 })
      await shoot(page, `checkout-${name}-${kind}`, { fullPage: true })
      const wide = await page.evaluate('document.documentElement.scrollWidth')
      expect(wide, `${name}, ${kind}`).toBeLessThanOrEqual(width)
    }
    expect(await violationsOf(page, 'light'), name).toEqual([])
    await page.setViewportSize({ width: 1280, height: 900 })
  }

  const fillIn = async () => {
    await page.getByLabel('Name').fill('Ada Byron')
    await page.getByLabel('Street and number').fill('1 Analytical Way')
    await page.getByLabel('City').fill('Albany')
    await page.getByLabel('State or province').fill('NY')
    await page.getByLabel('Postal code').fill('12207')
  }
  /** Beside another, a field whose label breaks into two lines stands lower. */
  const expectLabelsOfOneLine = async () => {
    for (const width of [380, 480, 1280]) {
      await page.setViewportSize({ width, height: 900 })
      const labels = page.locator('.field label')
      const heights: number[] = await labels.evaluateAll((all) =>
        all.map((each) => each.clientHeight),
      )
      expect(new Set(heights).size, `${width} px`).toBe(1)
    }
  }
  const pay = () => page.getByRole('button', { name: /^Pay / }).click()

  test('follows a link, fills the form in, is declined once, and pays', async () => {
    await page.goto(`${SHOP}/permalink/ao-1101:2,ao-1102:1?context/address_country=US`)
    await page.getByRole('heading', { name: 'Checkout' }).waitFor()
    await expectLabelsOfOneLine()
    await look('empty')
    await pay()
    await page.getByText('Please enter the street and number.').waitFor()
    await look('faults')
    await fillIn()
    await page.getByLabel('A card that is declined').check()
    await pay()
    await page.getByText('Your card was declined.').waitFor()
    await look('declined')
    await page.getByLabel('Express').check()
    await page.getByLabel('A card that pays').check()
    await pay()
    await page.getByText('The total is now').waitFor()
    expect(bank.charges()).toEqual([])
    await pay()
    await page.getByRole('heading', { name: /^Order AO-/ }).waitFor()
    await look('receipt')
    expect(bank.charges()).toHaveLength(1)
  })

  test('chooses the variant of a link that does not say which', async () => {
    await page.goto(`${SHOP}/permalink/ao-1001:2?context/address_country=DE`)
    await page.getByText('Please choose which one you want.').waitFor()
    await look('choice')
    await page
      .getByRole('link', { name: /^Buy 2: / })
      .first()
      .click()
    await page.getByRole('heading', { name: 'Checkout' }).waitFor()
    expect(await page.getByLabel('Country').inputValue()).toBe('DE')
    await page.goto(`${SHOP}/products/ao-1101`)
    await look('buy')
  })

  test('passes the challenge of the bank, which another time refuses', async () => {
    await page.goto(`${SHOP}/permalink/ao-1101:1`)
    const id = idOf(page)
    await fillIn()
    await page.getByLabel('A card whose bank').check()
    await pay()
    await page.getByRole('button', { name: 'Refuse' }).waitFor()
    const bankPage = page.url()
    asksAgain = false
    await page.goto(`${SHOP}/checkout/${id}`)
    await page.getByRole('link', { name: 'Go to your bank' }).waitFor()
    await look('challenge')
    await page.goto(`${SHOP}/checkout/${id}/return`)
    await look('back')
    asksAgain = true
    await page.goto(bankPage)
    await page.getByRole('button', { name: 'Refuse' }).click()
    await page.getByText('The payment did not go through').waitFor()
    expect(idOf(page)).toBe(id)
    await look('refused')
    await page.getByLabel('A card whose bank').check()
    await pay()
    await page.getByRole('button', { name: 'Approve' }).click()
    await page.getByRole('heading', { name: /^Order AO-/ }).waitFor()
    expect((await orderOfSession(deps.db, id))?.status).toBe('confirmed')
  })

  test('passes it from a platform, which hears when it is over', async () => {
    const id = await openOfficial(deps)
    await completeCheckout(deps, {
      protocol: 'ucp_official',
      id,
      keyed: null,
      shippingOptionId: undefined,
      judge: () => ({
        payment: {
          type: 'card',
          token: 'tok_3ds',
          returnUrl: challengeReturnUrl({ host: 'shop.example', id }),
        },
      }),
    })
    const order = await orderOfSession(deps.db, id)
    const action = order && actionOf(order, SHOP)
    framed.url = action?.url ?? ''
    await page.goto(framed.url)
    await page.getByRole('link', { name: 'Go to your bank' }).waitFor()
    await look('action')
    await page.goto('https://agent.example/')
    const opening = page.waitForEvent('popup')
    await page.frameLocator('iframe').getByRole('link', { name: 'Go to your bank' }).click()
    const popup = await opening
    await popup.getByRole('button', { name: 'Approve' }).click()
    await popup.getByRole('heading', { name: /^Order AO-/ }).waitFor()
    await popup.close()
    await eventually(() => page.evaluate('heard')).toEqual([
      {
        jsonrpc: '2.0',
        id: 'ready',
        method: 'action.ready',
        params: { id: action?.id, version: '2026-08-25' },
      },
      { jsonrpc: '2.0', method: 'action.done', params: { id: action?.id } },
    ])
    await page.goto(action?.url ?? '')
    await look('action-done')
  })

  test('pays by a card field of Stripe.js, here a stub of it', async () => {
    await page.goto('https://stripe.example/permalink/ao-1101:1')
    const id = idOf(page)
    await page.getByText('The card field of pk_test_1').waitFor()
    await look('stripe')
    await fillIn()
    await pay()
    await page.getByText('Your card number is incomplete.').waitFor()
    await pay()
    await page.getByRole('heading', { name: /^Order AO-/ }).waitFor()
    expect((await orderOfSession(deps.db, id))?.status).toBe('confirmed')
    expect(JSON.parse(await page.evaluate('window.name'))).toEqual({
      name: 'Ada Byron',
      address: { postal_code: '12207', country: 'US' },
    })
  })

  test("approves the total in Razorpay's window, here a stub of it", async () => {
    await page.goto('https://razorpay.example/permalink/ao-1101:1')
    const id = idOf(page)
    await look('razorpay')
    await fillIn()
    await page.getByRole('radio', { name: /Express/ }).check()
    await pay()
    // The page had another total: it is saved, and shown first.
    const button = page.getByRole('button', { name: 'Pay 330.12 USD' })
    await button.waitFor()
    // Its scripts open the window.
    await page.waitForLoadState()
    await button.click()
    await page.getByRole('heading', { name: /^Order AO-/ }).waitFor()
    expect((await orderOfSession(deps.db, id))?.total).toBe(33_012)
    expect(JSON.parse(await page.evaluate('window.name'))).toEqual({
      key: 'rzp_test_1',
      amount: 33_012,
      currency: 'USD',
      notes: { session_id: id },
      prefill: { name: 'Ada Byron' },
    })
  })

  test("is asked for the address before Razorpay's window opens", async () => {
    await page.goto('https://razorpay.example/permalink/ao-1101:1')
    await page.evaluate('window.name = ""')
    await page.waitForLoadState()
    const name = page.getByLabel('Name')
    await pay()
    expect(await page.evaluate('document.activeElement.id')).toBe('name')
    await fillIn()
    await page.getByLabel('Postal code').fill('no code')
    await pay()
    const fault = page.getByText('This does not look like a postal code')
    await fault.waitFor()
    await page.waitForLoadState()
    // The page shows it as it was typed; it is saved again, and not paid for.
    const shownAgain = page.waitForEvent('load')
    await pay()
    await shownAgain
    await fault.waitFor()
    await page.getByLabel('Postal code').fill('12207')
    await pay()
    await fault.waitFor({ state: 'detached' })
    await page.waitForLoadState()
    expect([await name.inputValue(), await page.evaluate('window.name')]).toEqual(['Ada Byron', ''])
    await pay()
    await page.getByRole('heading', { name: /^Order AO-/ }).waitFor()
  })

  test('finds an end of other checkouts, in words', async () => {
    await page.goto(`${SHOP}/permalink/nothing:1`)
    await look('link-broken')
    const id = await openOfficial(deps, { host: 'other.example' })
    await page.goto(`${SHOP}/checkout/${id}`)
    await look('not-found')
    expect(refused).toEqual([])
  })
})
