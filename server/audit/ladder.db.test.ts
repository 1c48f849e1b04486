import { beforeAll, expect, test } from 'vitest'
import { DEFAULT_CHECKS } from '../../shared/audit/vocabulary.ts'
import { createStore } from '../store/app.ts'
import { testDeps } from '../store/testing/store.ts'
import type { Fetcher } from './probe/fetch/fetch.ts'
import { fetcherTo } from './probe/testing/fetcher.ts'
import { auditHere } from './testing/audit-here.ts'

/**
 * What a merchant does, from a shop that has nothing to one that has all, worst first within each
 * thing: the faults that each step ends, and those with which a thing begins.
 */
const STEPS: readonly { does: string; ends: readonly string[]; begins?: readonly string[] }[] = [
  {
    does: 'adds markup, nearly all of it wrong',
    ends: ['product-schema-missing'],
    begins: [
      'product-schema-price-invalid',
      'product-schema-currency-invalid',
      'product-schema-incomplete',
      'product-schema-availability-invalid',
      'product-schema-description-missing',
      'product-schema-brand-missing',
      'product-schema-identifier-missing',
      'product-schema-shipping-missing',
      'product-schema-return-policy-missing',
    ],
  },
  { does: 'writes prices as numbers', ends: ['product-schema-price-invalid'] },
  { does: 'names the currency', ends: ['product-schema-currency-invalid'] },
  { does: 'adds images', ends: ['product-schema-incomplete'] },
  { does: 'says what is in stock', ends: ['product-schema-availability-invalid'] },
  {
    does: 'describes the products',
    ends: [
      'product-schema-description-missing',
      'product-schema-brand-missing',
      'product-schema-identifier-missing',
    ],
  },
  {
    does: 'says how it ships and takes back',
    ends: ['product-schema-shipping-missing', 'product-schema-return-policy-missing'],
  },
  { does: 'says who it is', ends: ['organization-missing'] },
  {
    does: 'publishes a feed with wrong prices',
    ends: ['feed-missing'],
    begins: ['feed-price-mismatch', 'feed-availability-mismatch', 'feed-gtin-invalid'],
  },
  { does: 'mends its prices', ends: ['feed-price-mismatch'] },
  { does: 'mends its stock', ends: ['feed-availability-mismatch'] },
  { does: 'mends its GTINs', ends: ['feed-gtin-invalid'] },
  { does: 'adds the tag', ends: ['dark-traffic-untracked'] },
  {
    does: 'publishes a manifest and a catalog that is nearly all wrong',
    ends: ['well-known-missing', 'catalog-unreachable', 'acp-services-missing'],
    begins: [
      'catalog-availability-invalid',
      'catalog-ids-duplicate',
      'catalog-next-broken',
      'catalog-images-invalid',
      'catalog-description-short',
    ],
  },
  {
    does: 'opens a checkout that is nearly all wrong',
    ends: ['checkout-undeclared', 'checkout-unreachable'],
    begins: [
      'checkout-price-mismatch',
      'checkout-accepts-invalid-address',
      'checkout-accepts-unknown-variant',
      'checkout-expiry-invalid',
    ],
  },
  { does: 'charges the price that it shows', ends: ['checkout-price-mismatch'] },
  { does: 'checks addresses', ends: ['checkout-accepts-invalid-address'] },
  { does: 'checks variants', ends: ['checkout-accepts-unknown-variant'] },
  { does: 'keeps sessions open', ends: ['checkout-expiry-invalid'] },
  { does: 'mends its stock', ends: ['catalog-availability-invalid'] },
  { does: 'mends its ids', ends: ['catalog-ids-duplicate'] },
  { does: 'mends its pages', ends: ['catalog-next-broken'] },
  {
    does: 'mends its images and texts',
    ends: ['catalog-images-invalid', 'catalog-description-short'],
  },
]

const NOTHING = [
  'product-schema-missing',
  'organization-missing',
  'feed-missing',
  'dark-traffic-untracked',
  'well-known-missing',
  'catalog-unreachable',
  'acp-services-missing',
  'checkout-undeclared',
  'checkout-unreachable',
]

/** The faults that are left before the first step, and after each. */
const STAGES: string[][] = [NOTHING]
for (const { ends, begins = [] } of STEPS) {
  const left = STAGES.at(-1)?.filter((fault) => !ends.includes(fault)) ?? []
  STAGES.push([...left, ...begins])
}

let fetcher: Fetcher

beforeAll(async () => {
  const options = { ...(await testDeps({ now: () => new Date() })), pause: async () => {} }
  const stores = STAGES.map((faults) => createStore({ ...options, faults }))
  const fetch = (request: Request, env: object) => {
    const at = Number(/^(?:www\.)?stage-(\d+)\./.exec(new URL(request.url).hostname)?.[1])
    return stores[at]?.fetch(request, env) ?? new Response('', { status: 404 })
  }
  fetcher = await fetcherTo({ fetch })
})

test('every step that a merchant takes raises the score', async () => {
  const scores: number[] = []
  for (const at of STAGES.keys()) {
    const order = { domain: `stage-${at}.example`, checks: DEFAULT_CHECKS, agents: false }
    scores.push((await auditHere(order, { fetcher })).score)
  }
  expect(STAGES.at(-1)).toEqual([])
  const flat = STEPS.flatMap(({ does }, step) => {
    const [before = 0, after = 0] = scores.slice(step, step + 2)
    return after > before ? [] : [`${does}: ${before} → ${after}`]
  })
  expect({ flat, scores }).toEqual({ flat: [], scores: expect.any(Array) })
  expect(scores.at(-1)).toBe(100)
})
