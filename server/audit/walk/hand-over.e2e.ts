import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { describeInBrowser } from '../../../shared/testing/browser.ts'
import type { IntentId } from '../../../shared/walk/intents.ts'
import { createStore } from '../../store/app.ts'
import { onLoopback } from '../../testing/on-loopback.ts'
import { type Browsers, createBrowsers } from '../browser/browser.ts'
import { JUDGES_HERE } from '../judging/testing/judges-here.ts'
import { createFetcher, type Fetcher } from '../probe/fetch/fetch.ts'
import { parseTestHosts } from '../probe/fetch/test-hosts.ts'
import { TRUSTING, walkedDeps } from './testing/walked-store.ts'
import { createWalker } from './testing/walker.ts'

describeInBrowser('links for buyers, opened in a browser', () => {
  let fetcher: Fetcher
  let browsers: Browsers
  let close: () => Promise<unknown>
  let pictures = 0

  beforeAll(async () => {
    const { deps } = await walkedDeps()
    const store = createStore({ deps, faults: [], ...TRUSTING })
    const server = await onLoopback({ fetch: store.fetch })
    const testHosts = parseTestHosts(`*.example=${server.origin}`, 'test')
    fetcher = createFetcher({ userAgent: 'Aisle (test)', testHosts })
    browsers = createBrowsers({ path: inject('browserPath'), userAgent: 'Aisle (test)', testHosts })
    close = () => server.close()
  })
  afterAll(async () => {
    await browsers?.close()
    await fetcher?.close()
    await close?.()
  })

  /** What each step with a link says. */
  async function linksOf(domain: string, intents: readonly IntentId[], path = browsers) {
    const keepPicture = async (picture: Uint8Array) => {
      expect([...picture.slice(0, 2)]).toEqual([0xff, 0xd8])
      pictures += 1
      return `picture ${pictures}`
    }
    const { walk } = createWalker({ fetcher, judges: JUDGES_HERE })
    const { routes } = await walk(domain, 'look', intents, ['ucp_rest'], undefined, {
      browsers: path,
      keepPicture,
    })
    return routes.flatMap(({ purchases }) =>
      purchases.flatMap(({ steps }) =>
        steps
          .filter(({ step }) => step === 'page' || step === 'find')
          .map(({ title, held, failed, concluded, opened }) => ({
            title,
            held,
            picture: opened?.picture ?? null,
            failed: failed && [failed.expectation, failed.found],
            concluded: concluded.map(({ text }) => text).join('\n'),
          })),
      ),
    )
  }

  test('in a store without a fault, everything arrives', async () => {
    const links = await linksOf('ucp.example', [
      'cheapest_variant',
      'cart_to_checkout',
      'permalink',
    ])
    expect(links.map(({ title, held, failed }) => [title, held, failed])).toEqual([
      ['Opens the page that the list links to', ['arrives_whole'], null],
      ['Follows the link on which the buyer goes on', ['link_leads_on', 'arrives_whole'], null],
      ['Follows the link on which the buyer goes on', ['link_leads_on', 'arrives_whole'], null],
      ['Follows a link that fills a basket', ['link_leads_on', 'arrives_whole'], null],
    ])
    for (const { concluded, picture } of links) {
      expect(concluded).toMatch(/still has the utm_source of the visit/)
      expect(picture).toMatch(/^picture \d$/)
      expect(concluded).not.toMatch(/utm_source=/)
    }
  })

  test.each([
    ['dead', 'link_leads_on', /answers 404/],
    ['log-in', 'link_leads_on', /asks the buyer to log in/],
    ['empty', 'link_leads_on', /says that the basket is empty/, /The basket is empty/],
    ['other-shop', 'arrives_whole', /leads to another-store\.example, which is not a host/],
    ['other-goods', 'link_leads_on', /does not name/, /It shows "Checkout/],
    ['other-variant', 'link_leads_on', /^The page shows .*, M\b/, /shows M instead of S/],
    ['other-quantity', 'link_leads_on', /^The page shows 3 of/, /and the page shows 3/],
    ['other-price', 'link_leads_on', /^The page shows .* for/, /was stated, and the page shows/],
    ['other-currency', 'arrives_whole', /USD was stated, and the page shows .* CAD/],
  ])('%s', async (how, expectation, found, shown = found) => {
    const links = await linksOf(`ucp-hand-over-${how}.example`, ['cheapest_variant', 'permalink'])
    const [product, ...others] = links
    expect(product?.failed).toBeNull()
    expect(others).toHaveLength(2)
    for (const { failed, concluded } of others) {
      expect(failed).toEqual([expectation, expect.stringMatching(found)])
      expect(`${failed?.[1]}\n${concluded}`).toMatch(shown)
    }
  })

  test('a visit that is lost is said, and is no fault', async () => {
    const links = await linksOf('ucp-hand-over-visit-lost.example', ['permalink'])
    expect(links.map(({ failed }) => failed)).toEqual([null])
    expect(links[0]?.concluded).toMatch(/no longer has the utm_source of the visit/)
  })

  test('without a browser, it says what was not seen', async () => {
    const none = createBrowsers({ path: null, userAgent: '', testHosts: [] })
    const links = await linksOf('ucp.example', ['permalink'], none)
    expect(links).toEqual([
      expect.objectContaining({
        held: ['link_leads_on'],
        failed: null,
        concluded: expect.stringContaining('It was not seen in a browser: No browser was found'),
      }),
    ])
  })
})
