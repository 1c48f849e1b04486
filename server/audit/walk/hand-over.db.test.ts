import { beforeAll, describe, expect, test } from 'vitest'
import type { AuditResult } from '../../../shared/audit/result/result.ts'
import { DEFAULT_CHECKS } from '../../../shared/audit/vocabulary.ts'
import { INTENT_IDS, type IntentId } from '../../../shared/walk/intents.ts'
import { type WalkSeen, walkSeenOf } from '../../../shared/walk/seen.ts'
import type { Purchase, Transcript } from '../../../shared/walk/transcript.ts'
import { createStore } from '../../store/app.ts'
import { CART_LINK_FAULTS } from '../../store/faults/cart-links.ts'
import { JUDGES_HERE } from '../judging/testing/judges-here.ts'
import type { Fetcher } from '../probe/fetch/fetch.ts'
import { fetcherTo } from '../probe/testing/fetcher.ts'
import { auditHere } from '../testing/audit-here.ts'
import { TRUSTING, walkedDeps } from './testing/walked-store.ts'
import { createWalker } from './testing/walker.ts'

// A store that offers agents carts alone, in the newest version of UCP and in the one before.

const STORES = ['ucp-carts.example', 'ucp-carts-older.example'] as const
const HANDED: readonly IntentId[] = ['cart_handed_over']

/** What the walk says of each fault. */
const SAID: Readonly<Record<string, RegExp>> = {
  'ucp-cart-link-empty': /^The page says that the basket is empty\.$/,
  'ucp-cart-link-dead': /^The link answers 404\.$/,
  'ucp-cart-link-other-item':
    /^The page shows Skarn Rain Jacket, and not Squall Poncho, S, Rust\.$/,
  'ucp-cart-link-other-quantity': /^The page shows 1 of .+, and the link is for 2\.$/,
  'ucp-cart-link-other-shop': /^It leads to sister-.+, which is not a host of the store\.$/,
  'ucp-cart-link-other-price': /^The page shows .+ for .+, and the link is for 49\.00 USD each\.$/,
  'ucp-cart-link-log-in': /^The link ends at a log-in: \/account\/sign-in$/,
}

type Front = (request: Request, ask: (request: Request) => Promise<Response>) => Promise<Response>

/** The store as it is, with one of these faults, or behind a front. */
let behind: { fault: string | null; front: Front } = { fault: null, front: (it, ask) => ask(it) }
let fetcher: Fetcher
let walker: ReturnType<typeof createWalker>

beforeAll(async () => {
  const { deps } = await walkedDeps()
  const right = createStore({ deps, faults: [], ...TRUSTING })
  const wrong = new Map(
    CART_LINK_FAULTS.map(({ fault }) => [
      fault,
      createStore({ deps, faults: [fault], ...TRUSTING }),
    ]),
  )
  fetcher = await fetcherTo({
    fetch: async (request, env) => {
      const store = wrong.get(behind.fault ?? '') ?? right
      return behind.front(request, async (asked) => store.fetch(asked, env))
    },
  })
  walker = createWalker({ fetcher, judges: JUDGES_HERE })
})

const walkAt = (
  domain: string,
  { fault = null, front = (it, ask) => ask(it) }: Partial<typeof behind> = {},
  intents = HANDED,
): Promise<Transcript> => {
  behind = { fault, front }
  return walker.walk(domain, 'look', intents, ['ucp_rest', 'ucp_mcp'])
}
const auditOf = (domain: string, walk?: WalkSeen): Promise<AuditResult> =>
  auditHere({ domain, checks: DEFAULT_CHECKS, ...(walk && { walk }) }, { fetcher })

const courseOf = ({ outcome, steps }: Purchase): string =>
  `${outcome}: ${steps.map(({ step, failed }) => (failed ? `${step}!${failed.expectation}` : step)).join(' ')}`
const purchasesOf = ({ routes }: Transcript): Purchase[] =>
  routes.flatMap(({ purchases }) => purchases.filter(({ intent }) => intent === HANDED[0]))
const foundIn = (transcript: Transcript): string[] =>
  purchasesOf(transcript).flatMap(({ steps }) => steps.flatMap(({ failed }) => failed?.found ?? []))
const statesOf = ({ readiness = [] }: AuditResult, surface: string) =>
  Object.fromEntries(
    readiness.find((each) => each.surface === surface)?.items.map(({ id, state }) => [id, state]) ??
      [],
  )

describe.each(STORES)('%s', (domain) => {
  test('a cart is filled, read back, opened by its link, changed and cancelled', async () => {
    const transcript = await walkAt(domain)
    expect(transcript.nothing).toBeNull()
    expect(transcript.routes.map(({ dialect }) => dialect)).toEqual(['ucp_rest', 'ucp_mcp'])
    expect(purchasesOf(transcript).map(courseOf)).toEqual([
      'passed: cart page cart cart',
      'passed: cart page cart cart',
    ])
    const [page] = purchasesOf(transcript)[0]?.steps.filter(({ step }) => step === 'page') ?? []
    expect(page).toMatchObject({ held: ['leads_the_buyer_on', 'link_leads_on'], concluded: [] })
  })

  test('is a hand-over, and no store without a checkout', async () => {
    const alone = await auditOf(domain)
    expect([alone.gaps, alone.score, alone.cap?.reason]).toEqual([[], 79, 'checkout_not_judged'])
    expect(alone.passed).toEqual(
      expect.arrayContaining(['ucp_shoppable', 'ucp_endpoint_reachable']),
    )
    const walk = walkSeenOf(await walkAt(domain, {}, INTENT_IDS))
    expect(walk.whole).toBe(true)
    const walked = await auditOf(domain, walk)
    expect([walked.gaps, walked.score, walked.cap]).toEqual([[], 100, null])
    // What it takes to be paid inside of Google is said where nothing is scored.
    expect(statesOf(walked, 'google_cart_transfer')).toEqual({
      ucp_profile: 'yes',
      rest_service: 'yes',
      cart_capability: 'yes',
      cart_link: 'yes',
      cart_validated: 'unknown',
      cart_account: 'unknown',
    })
    expect(statesOf(walked, 'google_native_checkout')).toMatchObject({
      ucp_profile: 'yes',
      rest_service: 'yes',
      checkout_capability: 'no',
      fulfillment_capability: 'no',
      order_capability: 'no',
      google_pay: 'no',
    })
  })

  test.each(CART_LINK_FAULTS.map(({ fault }) => ({ fault })))('$fault', async ({ fault }) => {
    const transcript = await walkAt(domain, { fault })
    const found = foundIn(transcript)
    expect(found).toHaveLength(2)
    for (const said of found) expect(said).toMatch(SAID[fault] ?? /^$/)
    const result = await auditOf(domain, walkSeenOf(transcript))
    expect(result.gaps.map(({ id }) => id)).toEqual(['checkout_link_wrong'])
    expect(result.cap?.reason).toBe('cannot_buy')
    expect(statesOf(result, 'google_cart_transfer').cart_link).toBe('no')
  })
})

const isCarts = ({ url }: Request): boolean => /\/carts(?:\/|$)/.test(new URL(url).pathname)

/** Changes what the REST service answers of carts. */
const inCarts =
  (change: (cart: Record<string, unknown>) => object): Front =>
  async (request, ask) => {
    const isCart = isCarts(request)
    const answer = await ask(request)
    return isCart && answer.status < 300
      ? Response.json(change(await answer.json()), { status: answer.status })
      : answer
  }

test('a cart without a link leads nobody on, where there is no checkout', async () => {
  const front = inCarts(({ continue_url: _, ...cart }) => cart)
  const transcript = await walkAt(STORES[0], { front })
  const [first] = foundIn(transcript)
  expect(first).toBe('The cart has no continue_url, and the store offers agents no checkout.')
  const { gaps } = await auditOf(STORES[0], walkSeenOf(transcript))
  expect(gaps.map(({ id }) => id)).toEqual(['checkout_continue_url_missing'])
})

test('a cart that cannot be opened is what a checkout that cannot is', async () => {
  const front: Front = async (request, ask) => {
    const isOpening = request.method === 'POST' && /\/carts$/.test(request.url)
    const isSound = isOpening && (await request.clone().text()).includes('"id"')
    return isSound ? Response.json({ code: 'internal_error' }, { status: 500 }) : ask(request)
  }
  const transcript = await walkAt(STORES[0], { front })
  const { gaps } = await auditOf(STORES[0], walkSeenOf(transcript))
  expect(gaps.map(({ id }) => id)).toEqual(['checkout_dry_run_failed'])
})

test('innocent: a store that answers POST /carts alone, as Google’s guide has it', async () => {
  const front: Front = async (request, ask) =>
    isCarts(request) && !(request.method === 'POST' && request.url.endsWith('/carts'))
      ? Response.json({ code: 'rest_no_route', message: 'No route.' }, { status: 404 })
      : ask(request)
  const transcript = await walkAt(STORES[1], { front })
  expect(purchasesOf(transcript).map(courseOf)[0]).toBe('passed: cart page cart cart')
  const result = await auditOf(STORES[1], walkSeenOf(transcript))
  expect(result.gaps).toEqual([])
  expect(statesOf(result, 'google_cart_transfer').cart_link).toBe('yes')
})

test('innocent: a link that puts the cart into a session, and leads on to its page', async () => {
  const toBasket = inCarts((cart) => ({
    ...cart,
    continue_url: String(cart.continue_url).replace('/permalink/', '/fill/'),
  }))
  const front: Front = async (request, ask) => {
    const { pathname } = new URL(request.url)
    const items = /^\/fill\/(.+)$/.exec(pathname)?.[1]
    if (items === undefined) return toBasket(request, ask)
    const headers = { location: '/basket', 'set-cookie': `basket=${items}; Path=/; HttpOnly` }
    return new Response(null, { status: 302, headers })
  }
  const transcript = await walkAt(STORES[0], { front })
  expect(foundIn(transcript)).toEqual([])
  const [page] = purchasesOf(transcript)[0]?.steps.filter(({ step }) => step === 'page') ?? []
  expect(page).toMatchObject({ held: ['leads_the_buyer_on', 'link_leads_on'], concluded: [] })
  expect(page?.exchanges.map(({ answer }) => answer?.status)).toEqual([302, 200])
})
