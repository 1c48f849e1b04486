import { Hono } from 'hono'
import { beforeAll, expect, test } from 'vitest'
import { JUDGES_HERE } from '../judging/testing/judges-here.ts'
import type { Fetcher } from '../probe/fetch/fetch.ts'
import { auditSession } from '../probe/session.ts'
import { fetcherTo } from '../probe/testing/fetcher.ts'
import { createConsent } from './consent.ts'

/** What a host serves, by `host/path`; a string is where it leads. */
let served: Record<string, unknown> = {}
let asked: string[] = []
let fetcher: Fetcher
beforeAll(async () => {
  fetcher = await fetcherTo(
    new Hono().all('*', (c) => {
      const path = `${c.req.header('host')}${c.req.path}`
      asked.push(path)
      const found = served[path]
      if (typeof found === 'string') return c.redirect(found, 301)
      return found === undefined ? c.text('Not here', 404) : c.json(found)
    }),
    { hosts: '*.github.io=http://127.0.0.1:1,' },
  )
})

async function refusalOf(
  host: string,
  {
    its = {},
    domain = 'shop.example',
    named = '',
  }: { its?: object; domain?: string; named?: string } = {},
) {
  served = { ...its }
  asked = []
  const plain = fetcher.open()
  try {
    const consent = createConsent(
      auditSession(plain, JUDGES_HERE),
      domain,
      (each) => each === named,
    )
    const first = await consent(`https://${host}/ucp`)
    const requests = asked.length
    expect(await consent(`https://${host}/other`)).toBe(first)
    expect(asked).toHaveLength(requests)
    return first
  } finally {
    await plain.close()
  }
}

const UCP = 'pay.example/.well-known/ucp'
const endpointAt = (endpoint: string) => ({
  ucp: { services: { 'dev.ucp.shopping': [{ transport: 'rest', endpoint }] } },
})

test.each<[string, string, Parameters<typeof refusalOf>[1]]>([
  ['its own host', 'shop.example', {}],
  ['a host below it', 'checkout.shop.example', {}],
  ['another host of its site', 'api.shop.example', { domain: 'www.shop.example' }],
  ['a host that the key names', 'pay.example', { named: 'pay.example' }],
  ['a manifest of the domain', 'pay.example', { its: { [UCP]: { domain: 'Shop.example' } } }],
  [
    'a profile with an endpoint there',
    'pay.example',
    { its: { [UCP]: endpointAt('https://www.shop.example/ucp') } },
  ],
  [
    'an acp.json for it',
    'pay.example',
    { its: { 'pay.example/.well-known/acp.json': { api_base_url: 'https://shop.example/acp' } } },
  ],
  [
    'a list of shops',
    'pay.example',
    { its: { [UCP]: { shops: [['a.example', 'shop.example']] } } },
  ],
  ['a host that leads to it', 'pay.example', { its: { 'pay.example/': 'https://shop.example/' } }],
])('a walk buys at %s', async (_, host, how) => {
  expect(await refusalOf(host, how)).toBeNull()
})

test.each<[string, string, Parameters<typeof refusalOf>[1]]>([
  ['says nothing', 'pay.example', {}],
  [
    'mentions it without selling for it',
    'pay.example',
    { its: { [UCP]: { blocked: ['shop.example'] } } },
  ],
  ['sells for itself', 'pay.example', { its: { [UCP]: endpointAt('https://pay.example/ucp') } }],
  ['names another shop', 'pay.example', { its: { [UCP]: { domain: 'myshop.example' } } }],
  [
    'has a document of it as a schema',
    'pay.example',
    { its: { [UCP]: { ucp: { schema: 'https://shop.example/checkout.json' } } } },
  ],
  [
    'accepts its payments',
    'pay.example',
    { its: { [UCP]: { ucp: { payment_handlers: { 'example.shop': [{ id: 'shop.example' }] } } } } },
  ],
  ['mentions it in a text', 'pay.example', { its: { [UCP]: { about: 'not shop.example' } } }],
  [
    'leads to a third host that names it',
    'pay.example',
    {
      its: {
        [UCP]: 'https://third.example/profile',
        'third.example/profile': { domain: 'shop.example' },
      },
    },
  ],
  ['is of another tenant', 'victim.github.io', { domain: 'shop.github.io' }],
  ['is the platform of the domain', 'github.io', { domain: 'shop.github.io' }],
])('a walk leaves a host alone that %s', async (_, host, how) => {
  const { domain = 'shop.example' } = how ?? {}
  expect(await refusalOf(host, how)).toMatch(
    `It is at ${host}, which is not a host of ${domain}, and does not name ${domain} in its own`,
  )
})
