import { beforeAll, describe, expect, test } from 'vitest'
import { CHECK_NAMES } from '../../shared/audit/vocabulary.ts'
import { walkSeenOf } from '../../shared/walk/seen.ts'
import type { Transcript } from '../../shared/walk/transcript.ts'
import { TEST_SIGNER } from '../signatures/testing/test-signer.ts'
import { createStore } from '../store/app.ts'
import { auditPlatforms } from '../store/testing/platforms.ts'
import { testDeps } from '../store/testing/store.ts'
import { JUDGES_HERE } from './judging/testing/judges-here.ts'
import { openPass } from './owner-pass.ts'
import type { Fetcher } from './probe/fetch/fetch.ts'
import { fetcherTo } from './probe/testing/fetcher.ts'
import { auditHere } from './testing/audit-here.ts'
import { createWalker } from './walk/testing/walker.ts'

// A store as most with UCP are: catalog and carts are open to all, the checkout to platforms that
// sign, and pages without a limit to who sends what the owner gives.
const TIERS = 'ucp-tiers.example'

let store: ReturnType<typeof createStore>
let signing: Fetcher
let plain: Fetcher
beforeAll(async () => {
  const deps = await testDeps({ now: () => new Date() })
  store = createStore({ ...deps, platforms: auditPlatforms, faults: [] })
  signing = await fetcherTo(store, { signer: TEST_SIGNER })
  plain = await fetcherTo(store)
})

const walk = (fetcher: Fetcher, domain = TIERS): Promise<Transcript> =>
  createWalker({ fetcher, judges: JUDGES_HERE }).walk(
    domain,
    'look',
    ['cheapest_variant'],
    ['ucp_rest', 'ucp_mcp'],
  )

const audit = (fetcher: Fetcher, transcript: Transcript | null, domain = TIERS) =>
  auditHere(
    { domain, checks: CHECK_NAMES, walk: transcript && walkSeenOf(transcript) },
    { fetcher },
  )

const outcomes = ({ routes }: Transcript) =>
  routes.map(({ dialect, purchases }) => [dialect, purchases[0]?.outcome])

describe('a store that opens its checkout to those who sign', () => {
  test('unsigned: the catalog is read, no purchase is possible, and the score is capped', async () => {
    const transcript = await walk(plain)
    expect(outcomes(transcript)).toEqual([
      ['ucp_rest', 'failed'],
      ['ucp_mcp', 'failed'],
    ])
    expect(transcript.routes.map(({ signature }) => signature)).toEqual([undefined, undefined])
    const result = await audit(plain, transcript)
    expect(result.passed).toContain('catalog_has_products')
    expect(result.passed).not.toContain('signature_asked_for')
    expect(result.cap).toMatchObject({ at: 79 })
    expect(result.skipped.map(({ reason }) => reason).join()).toMatch(
      /\/products\/\S+ answered 429/,
    )
  })

  test('signed: it is walked, what opened it is said, and the cap is gone', async () => {
    const transcript = await walk(signing)
    expect(outcomes(transcript)).toEqual([
      ['ucp_rest', 'passed'],
      ['ucp_mcp', 'passed'],
    ])
    const opens = { as: 'https://aisle.example', changes: 'opens' }
    expect(transcript.routes.map(({ signature }) => signature)).toEqual([opens, opens])
    const result = await audit(signing, transcript)
    expect(result.gaps).toEqual([])
    expect(result.passed).toContain('signature_asked_for')
    expect(result.signed_as).toEqual(opens)
    // Of one purchase not all is judged.
    expect(result.cap).toMatchObject({ reason: 'not_all_judged', at: 99 })
    expect(result.score).toBeGreaterThan(79)
    expect(result.skipped.map(({ reason }) => reason).join()).not.toContain('429')
  })

  test('with what the owner gives it is walked without a signature of ours', async () => {
    const headers = {
      'Signature-Agent': '"https://shopify.com"',
      'Signature-Input': 'sig1=("@authority" "signature-agent");keyid="k";tag="web-bot-auth"',
      Signature: 'sig1=:AAAA:',
    }
    const access = { domain: TIERS, given: { headers }, kinds: ['headers'], endsAt: null } as const
    const { fetcher } = await openPass(signing, access, new Date())
    const transcript = await walk(fetcher)
    expect(outcomes(transcript)).toEqual([
      ['ucp_rest', 'passed'],
      ['ucp_mcp', 'passed'],
    ])
    expect(transcript.routes.map(({ signature }) => signature)).toEqual([undefined, undefined])
    const result = await audit(fetcher, transcript)
    expect(result.gaps).toEqual([])
    expect(result.cap).toMatchObject({ reason: 'not_all_judged', at: 99 })
  })
})

test.each([
  ['signed', () => signing, 'order_can_be_read'],
  ['unsigned', () => plain, undefined],
] as const)('an order is shown to the platform that signs: %s', async (_, fetcher, held) => {
  const { walk: buy } = createWalker({ fetcher: fetcher(), judges: JUDGES_HERE })
  const { routes } = await buy(
    'ucp.example',
    'sandbox',
    ['cheapest_variant'],
    ['ucp_rest', 'ucp_mcp'],
  )
  const steps = routes.flatMap(({ purchases }) => purchases[0]?.steps ?? [])
  const orders = steps.filter(({ step }) => step === 'order')
  expect(orders.map((order) => order.held[0])).toEqual([held, held])
  const said = orders.map(({ concluded }) => concluded.map(({ text }) => text).join())
  for (const text of held === undefined ? said : []) {
    expect(text).toMatch(/unauthorized: Sign the request/)
  }
})

describe('an edge that lets browsers in, and refuses us, signed or not', () => {
  const edge = async () =>
    fetcherTo(
      {
        fetch: (request: Request, env: object) => {
          const isPage = /^\/(products\/.*)?$/.test(new URL(request.url).pathname)
          const isOurs = request.headers.get('user-agent')?.startsWith('Aisle') === true
          return isPage && isOurs
            ? new Response('<title>Access denied</title>', { status: 403 })
            : store.fetch(request, env)
        },
      },
      { signer: TEST_SIGNER },
    )

  test.each(['shop.example', 'ucp.example'])('%s: only its owner sees the gap', async (domain) => {
    const fetcher = await edge()
    const seen = async (agents: boolean) =>
      (await auditHere({ domain, checks: CHECK_NAMES, agents }, { fetcher })).gaps
    expect(await seen(false)).toEqual([])
    const gaps = await seen(true)
    expect(gaps.map(({ id }) => id)).toEqual(['signed_agents_refused'])
    expect(gaps[0]?.detail).toMatch(
      /^A browser gets \S+, and GET \S+ answered 403 when it was signed/,
    )
  })
})

test.each([
  ['signed-agents-refused', 'signed_agents_refused'],
  ['ucp-signature-not-asked-for', 'ucp_signature_not_asked_for'],
  ['signature-directory-unusable', 'signature_directory_unusable'],
])('%s gives its gap alone where agents are compared as well', async (fault, gap) => {
  const order = { domain: `${fault}.example`, checks: CHECK_NAMES, agents: true }
  const { gaps } = await auditHere(order, { fetcher: signing })
  expect(gaps.map(({ id }) => id)).toEqual([gap])
})

test('a store that refuses what is signed is read and walked without, and both say so', async () => {
  const domain = 'ucp-signed-agents-refused.example'
  const transcript = await walk(signing, domain)
  expect(outcomes(transcript)).toEqual([
    ['ucp_rest', 'passed'],
    ['ucp_mcp', 'passed'],
  ])
  const shuts = { as: 'https://aisle.example', changes: 'shuts' }
  expect(transcript.routes.map(({ signature }) => signature)).toEqual([shuts, shuts])
  const result = await audit(signing, transcript, domain)
  expect(result.signed_as).toEqual(shuts)
  expect(result.gaps.map(({ id }) => id)).toEqual(['signed_agents_refused'])
  expect(result.gaps[0]?.detail).toMatch(
    /answered 403 when it was signed as https:\/\/aisle.example/,
  )
})
