import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readPage } from '../../markup/page.ts'
import type { Fetched } from '../../web/http/fetched.ts'
import { disallowedBy, usageSignalsOf } from '../../web/http/robots.ts'
import { answerFrom } from '../../web/testing/answer-from.ts'
import { AI_AGENTS } from '../checks/well-known/ai-agents.ts'
import { judgeRobots } from '../checks/well-known/robots.ts'
import type { Evidence } from '../evidence.ts'
import { proposeManifest } from './manifest-proposal.ts'
import { proposeMarkup } from './markup-proposal.ts'
import { proposeRobots } from './robots-proposal.ts'

const answer = (url: string, body: string, status = 200): Fetched =>
  answerFrom(url, { status, body })

/** Evidence that has what these proposals read, and nothing else. */
const seen = (parts: object) => parts as Partial<Evidence>
const DOMAIN = { domain: 'shop.example' }

describe('robots.txt', () => {
  const ONE = 'OAI-SearchBot'
  const propose = (text: string) =>
    proposeRobots(DOMAIN, seen({ robots: answer('https://shop.example/robots.txt', text) }))
  const keptOut = (text: string) => [
    ...disallowedBy(text, AI_AGENTS, ['https://shop.example/']).keys(),
  ]

  test.each([
    ['everybody', 'User-agent: *\nDisallow: /\n'],
    ['one agent', `User-agent: ${ONE}\nDisallow: /\n\nUser-agent: *\nDisallow: /cart\n`],
    [
      'agents among others',
      `User-agent: TrainingBot\nUser-agent: ${ONE}\nUser-agent: OtherBot\nDisallow: /\n`,
    ],
    [
      'agents above a line that ends no group',
      `User-agent: ${ONE} 1.0\nCrawl-delay: 10\nUser-agent: TrainingBot\nSitemap: https://shop.example/map.xml\nUser-agent: OtherBot\nDisallow: /\n`,
    ],
    [
      'agents in several groups, in any case',
      `user-agent:${ONE.toUpperCase()}\r\ndisallow:/\r\n\r\nUSER-AGENT: ${ONE} # again\r\nDISALLOW: /\r\n`,
    ],
  ])('that keeps out %s lets agents in, and changes nothing for others', (_, text) => {
    expect(keptOut(text)).not.toEqual([])
    const [file] = propose(text).files
    const content = file?.content ?? ''
    expect(keptOut(content)).toEqual([])
    const others = ['TrainingBot', 'OtherBot', 'AnyBot'].map((token) => ({ token }))
    const pages = ['https://shop.example/', 'https://shop.example/cart']
    expect([...disallowedBy(content, others, pages).keys()]).toEqual([
      ...disallowedBy(text, others, pages).keys(),
    ])
    expect(propose(content).files).toEqual([])
  })

  const contentOf = (text: string) => propose(text).files[0]?.content ?? ''

  test('copies what each agent went by, without what kept it out', () => {
    const all = 'User-agent: *\nCrawl-delay: 5\nDisallow: /cart\nDisallow: /\nDisallow: /*?q=\n'
    const own =
      'User-agent: Googlebot\nContent-Signal: ai-train=no\nDisallow: /a # a\nDisallow: /$\n'
    const [first, second, ...others] = contentOf(`${all}\n${own}`).split('\n\n')
    expect(first?.match(/User-agent/g)).toHaveLength(AI_AGENTS.length - 2)
    expect(first).toMatch(/\nCrawl-delay: 5\nDisallow: \/cart\nDisallow: \/\*\?q=$/)
    expect(second).toBe(
      'User-agent: Googlebot\nUser-agent: Applebot\nContent-Signal: ai-train=no\nDisallow: /a # a',
    )
    expect(others.join('\n\n')).toBe(all)
    expect(propose(`${all}\n${own}`).notes[0]).toContain('no longer go by line 4, line 10 of')
  })

  test('says where crawlers differ about who is kept out', () => {
    const text = 'User-agent: *\nCrawl-delay: 10\n\nUser-agent: GPTBot\nDisallow: /\n'
    expect(propose(text).notes.join()).toContain('Line 2 ends no group')
  })

  test('makes no file that is too long to be read', () => {
    const line = `Disallow: /${'x'.repeat(1_000)}\n`
    const text = `User-agent: *\nDisallow: /\n${line.repeat(300)}`
    expect(propose(text)).toMatchObject({ files: [], notes: [expect.stringMatching(/too long/)] })
  })

  test('opens what agents need and changes nothing else, in any file', () => {
    const SIGNAL = 'Content-Signal: search=yes, ai-train=no'
    const LINES = [
      ...['*', 'Googlebot', 'Applebot', 'bingbot 2.0', ONE, 'Claude-User', 'GPTBot', 'Other'].map(
        (name) => `User-agent: ${name}`,
      ),
      ...['/', '/$', '', '/products/', '/cart', '/*?q=', '/*lamp', '/.well-known/'].map(
        (path) => `Disallow: ${path}`,
      ),
      ...['Allow: /', 'Allow: /products/', 'Allow: /cart/open', 'Crawl-delay: 10'],
      ...[SIGNAL, 'Content-Usage: /cart train-ai=n'],
      ...['Sitemap: https://shop.example/map.xml', 'Host: shop.example', '# a comment', ''],
    ]
    const OTHERS = ['/cart', '/cart/open', '/search?q=a', '/products/b?q=a', '/about']
    const url = (path: string) => `https://shop.example${path}`
    const ALL = [...AI_AGENTS, { token: 'GPTBot' }, { token: 'Other' }, { token: 'Unnamed' }]
    const NEEDED = [url('/'), url('/.well-known/ucp'), url('/products/lamp')]
    const evidence = (text: string) =>
      seen({
        robots: answer(url('/robots.txt'), text),
        productPages: [{ fetched: answer(url('/products/lamp'), ''), page: null }],
      })
    const signals = (text: string, at: string) =>
      [...usageSignalsOf(text, ALL, at)].map(([token, of]) => [token, of.map((each) => each.text)])
    const line = fc.constantFrom(...LINES)
    fc.assert(
      fc.property(fc.array(line, { maxLength: 16 }), (lines) => {
        const text = lines.join('\n')
        const before = disallowedBy(text, ALL, NEEDED)
        const [file] = proposeRobots(DOMAIN, evidence(text)).files
        expect(file !== undefined).toBe(AI_AGENTS.some(({ token }) => before.has(token)))
        if (file === undefined) return
        const { content } = file
        expect([...disallowedBy(content, AI_AGENTS, NEEDED).keys()]).toEqual([])
        const verdict = judgeRobots({ ...evidence(content), site: DOMAIN } as never)
        expect(verdict.kind).toBe('pass')
        for (const path of OTHERS) {
          expect(signals(content, url(path))).toEqual(signals(text, url(path)))
          const [was, is] = [text, content].map((each) => disallowedBy(each, ALL, [url(path)]))
          for (const { token } of ALL) {
            const by = lines[(was?.get(token)?.line ?? 0) - 1]
            const isNeeded =
              before.has(token) &&
              disallowedBy(`User-agent: a\n${by}`, [{ token: 'a' }], NEEDED).size
            if (!isNeeded)
              expect([token, path, is?.has(token)]).toEqual([token, path, was?.has(token)])
          }
        }
      }),
      {
        examples: [[`User-agent: *\n${SIGNAL}\nUser-agent: ${ONE}\nDisallow: /`.split('\n')]],
      },
    )
  })

  test('keeps the sitemap of a group that is gone', () => {
    const [file] = propose(
      `User-agent: ${ONE}\nDisallow: /\nSitemap: https://shop.example/map.xml\n`,
    ).files
    expect(file?.content).toContain('Sitemap: https://shop.example/map.xml')
    expect(file?.content.match(/Disallow/g)).toBeNull()
  })

  test('gives the agents that it lets in no rule that stood before any agent', () => {
    const [file] = propose(`Disallow: /.well-known/\n\nUser-agent: ${ONE}\nDisallow: /\n`).files
    expect(propose(file?.content ?? '').files).toEqual([])
  })

  /** Of a product page: where it is asked for, where it ends, and its canonical address. */
  const shop = (text: string, host: string, [url, final_url, canonical]: string[]) => {
    const at = (path: string) => `https://${host}/${path}`
    const page = { ...answer(url ?? '', ''), final_url: final_url ?? '' }
    const links = [{ rel: ['canonical'], href: canonical ?? '' }]
    return seen({
      robots: { ...answer('https://shop.example/robots.txt', text), final_url: at('robots.txt') },
      productPages: [{ fetched: page, page: { url: final_url, links } }],
    })
  }
  const WWW = 'https://www.shop.example/products/lamp'
  const OWN = 'https://shop.example/products/lamp'
  test.each([
    ['on www', 'Disallow: /products/', 'www.shop.example', [WWW, WWW, WWW], 1],
    ['that leads to www', 'Disallow: /products/', 'www.shop.example', [OWN, WWW, WWW], 1],
    [
      'with another canonical address',
      'Disallow: /products/',
      'shop.example',
      ['https://shop.example/p/lamp', 'https://shop.example/p/lamp', OWN],
      1,
    ],
    [
      'that was found with a parameter',
      'Disallow: /*?',
      'shop.example',
      [`${OWN}?variant=1`, `${OWN}?variant=1`, OWN],
      0,
    ],
  ])('is proposed where the audit has a gap: a product page %s', (_, rule, host, urls, files) => {
    const evidence = shop(`User-agent: *\n${rule}\n`, host, urls)
    const site = { domain: 'shop.example' }
    const verdict = judgeRobots({ ...evidence, site } as Parameters<typeof judgeRobots>[0])
    expect(verdict.kind).toBe(files === 1 ? 'gap' : 'pass')
    expect(proposeRobots(DOMAIN, evidence).files).toHaveLength(files)
  })

  test.each([
    ['lets all in', 'User-agent: *\nDisallow: /cart\n', 200],
    ['is not there', 'not found', 404],
    ['could not be read', '', 500],
  ])('that %s stays', (_, text, status) => {
    const robots = answer('https://shop.example/robots.txt', text, status)
    expect(proposeRobots(DOMAIN, seen({ robots })).files).toEqual([])
  })
})

describe('a manifest', () => {
  const manifestOf = (value: unknown) => ({
    manifest: {
      fetched: answer('https://shop.example/.well-known/ucp', JSON.stringify(value)),
      json: { ok: true, value },
      www: { fetched: { kind: 'not_asked', reason: '' } },
    },
  })

  test('is made of what is given, and says nothing of when', () => {
    const { files } = proposeManifest(
      {
        ...DOMAIN,
        catalog_endpoint: 'https://shop.example/a',
        checkout_endpoint: 'https://shop.example/b',
      },
      {},
    )
    expect(files[0]).toMatchObject({ path: '.well-known/ucp', content_type: 'application/json' })
    expect(files[0]?.content).not.toContain('generated_at')
  })

  test('keeps what the present one says rightly', () => {
    const present = {
      version: '1.0',
      capabilities: {
        product_catalog: { endpoint: 'https://shop.example/p', supports_filters: ['category', 7] },
        checkout: { endpoint: 'https://shop.example/c' },
        orders: { endpoint: 'http://shop.example/insecure' },
      },
    }
    const { files } = proposeManifest(DOMAIN, seen(manifestOf(present)))
    expect(JSON.parse(files[0]?.content ?? '')).toMatchObject({
      domain: 'shop.example',
      capabilities: {
        product_catalog: { endpoint: 'https://shop.example/p', supports_filters: ['category'] },
        checkout: { endpoint: 'https://shop.example/c' },
      },
    })
    expect(files[0]?.content).not.toContain('insecure')
  })

  test('invents no endpoint', () => {
    const { files, missing } = proposeManifest(DOMAIN, {})
    expect([files, missing.map((each) => each.split(':')[0])]).toEqual([
      [],
      ['catalog_endpoint', 'checkout_endpoint'],
    ])
  })

  const ofShop = (domain: string, host: string) =>
    seen(
      manifestOf({
        version: '1.0',
        domain,
        capabilities: {
          product_catalog: { endpoint: `https://${host}/p`, supports_search: true },
          checkout: { endpoint: `https://${host}/c`, requires_authentication: true },
        },
      }),
    )

  test.each([
    ['itself', 'other.example'],
    ['a host below it', 'api.other.example'],
  ])('takes no endpoint of another shop, at %s, and asks for its own', (_, host) => {
    const copied = ofShop('other.example', host)
    const asked = proposeManifest(DOMAIN, copied)
    expect([asked.files, asked.missing.map((each) => each.split(':')[0])]).toEqual([
      [],
      ['catalog_endpoint', 'checkout_endpoint'],
    ])
    const note = 'Left out, as agents would buy at other.example: product_catalog, checkout.'
    expect(asked.notes).toEqual([note])
    const given = proposeManifest({ ...DOMAIN, ...ENDPOINTS }, copied)
    expect(given.notes).toContain(note)
    expect(given.files[0]?.content).not.toMatch(/other\.example|"supports_search": true/)
    expect(given.files[0]?.content).toContain('"requires_authentication": false')
  })

  test.each([
    ['of a platform', 'other.example', 'shops.platform.example'],
    ['below the shop', 'other.example', 'api.shop.example'],
    ['for staging', 'staging.shop.example', 'staging.shop.example'],
    ['of no domain', '?', 'other.example'],
  ])('keeps endpoints on a host %s, whatever its domain says', (_, domain, host) => {
    const { files } = proposeManifest(DOMAIN, ofShop(domain, host))
    expect(files[0]?.content).toContain(`https://${host}/c`)
    expect(files[0]?.content).toContain('"domain": "shop.example"')
  })

  const ENDPOINTS = {
    catalog_endpoint: 'https://shop.example/a',
    checkout_endpoint: 'https://shop.example/b',
  }

  test.each([
    ['of this version', { ucp: { version: '2026-08-25', capabilities: {}, services: {} } }],
    ['that is newer', { ucp: { version: '2099-01-01', capabilities: {}, services: {} } }],
    ['without its envelope', { version: '2026-08-25', services: {}, capabilities: {} }],
  ])('of an official profile %s is left to its software', (_, profile) => {
    const { files, notes } = proposeManifest({ ...DOMAIN, ...ENDPOINTS }, seen(manifestOf(profile)))
    expect([files, notes.join()]).toEqual([[], expect.stringContaining('official UCP profile')])
  })

  test.each([403, 500])('replaces nothing that answered %d and could not be read', (status) => {
    const manifest = {
      ...manifestOf(null).manifest,
      fetched: answer('https://shop.example/.well-known/ucp', '', status),
    }
    const { files, notes } = proposeManifest({ ...DOMAIN, ...ENDPOINTS }, seen({ manifest }))
    expect([files, notes.join()]).toEqual([[], expect.stringContaining('could not be read')])
  })

  test('says what it replaces, needs a key where the present one does, and names what it leaves out', () => {
    const present = {
      version: '1.0',
      capabilities: { checkout: { requires_authentication: true }, returns: {} },
    }
    const proposed = proposeManifest({ ...DOMAIN, ...ENDPOINTS }, seen(manifestOf(present)))
    expect(proposed.files[0]?.replaces).toBe('The manifest that is there')
    expect(JSON.parse(proposed.files[0]?.content ?? '').capabilities.checkout).toMatchObject({
      requires_authentication: true,
    })
    expect(proposed.notes).toContain('Left out, as version 1.0 does not have it: returns.')
    expect(proposed.notes.join()).not.toContain('generated_at')
    const fresh = proposeManifest({ ...DOMAIN, ...ENDPOINTS }, {})
    expect(fresh.files[0]?.replaces).toBeNull()
    expect(fresh.notes.join()).not.toMatch(/Left out|generated_at/)
  })

  test('repeats nothing invisible of the present one, nor long texts', () => {
    const supports_filters = ['size\u{E0063}\u{E0061}', 'x'.repeat(5000)]
    const present = { version: '1.0', capabilities: { product_catalog: { supports_filters } } }
    const { files } = proposeManifest({ ...DOMAIN, ...ENDPOINTS }, seen(manifestOf(present)))
    const { product_catalog } = JSON.parse(files[0]?.content ?? '').capabilities
    expect(product_catalog.supports_filters).toEqual(['size', 'x'.repeat(100)])
  })
})

describe('markup', () => {
  const catalogOf = (...products: object[]) => ({
    catalog: {
      dialect: 'spec',
      first: {
        fetched: answer('https://shop.example/ucp/products', ''),
        json: { ok: true, value: { products } },
      },
      next: [],
    },
  })
  const TENT = {
    id: '1',
    name: 'Tent',
    price: { amount: 1999, currency: 'JPY' },
    availability: 'in_stock',
    images: ['https://shop.example/tent.jpg'],
    url: 'https://www.shop.example/tent',
  }

  test('is of the product that the catalog lists for the page, with its own terms', () => {
    const { files } = proposeMarkup(
      { ...DOMAIN, returns: { days: 14, country: 'DE', free: false } },
      seen(catalogOf(TENT)),
    )
    expect(files).toMatchObject([{ placement: 'head', url: 'https://www.shop.example/tent' }])
    const json = files[0]?.content.replace(/^<script[^>]*>|<\/script>\s*$/g, '') ?? ''
    expect(JSON.parse(json)).toMatchObject({
      name: 'Tent',
      offers: {
        price: '1999',
        priceCurrency: 'JPY',
        hasMerchantReturnPolicy: { merchantReturnDays: 14 },
      },
    })
  })

  test.each([
    ['another site', 'https://other.example/tent'],
    ['no https', 'http://shop.example/tent'],
    ['a port', 'https://shop.example:8443/tent'],
    ['no address', 'tent'],
  ])('is made for no page of %s', (_, url) => {
    expect(proposeMarkup(DOMAIN, seen(catalogOf({ ...TENT, url }))).files).toEqual([])
  })

  test('leaves out what is wrong and optional', () => {
    const { files } = proposeMarkup(
      DOMAIN,
      seen(catalogOf({ ...TENT, barcode: 'INT-0001', images: ['https:///x', ...TENT.images] })),
    )
    expect(files[0]?.content).toMatch(/"name": ?"Tent"/)
    expect(files[0]?.content).not.toMatch(/INT-0001|https:\/\/\/x/)
  })

  test('is made from a page that says all of it, where no catalog does', () => {
    const url = 'https://shop.example/tent'
    const meta = [
      ['og:title', 'Tent'],
      ['og:image', 'https://shop.example/tent.jpg'],
      ['product:price:amount', '19.99'],
      ['product:price:currency', 'EUR'],
      ['product:availability', 'in stock'],
    ].map(([key, content]) => ({ key, content }))
    const html = meta.map(({ key, content }) => `<meta property="${key}" content="${content}">`)
    const page = readPage(html.join(''), url)
    const { files } = proposeMarkup(DOMAIN, seen({ productPages: [{ page }] }))
    expect(files[0]?.content).toContain('InStock')
  })

  test('gives each file a path of its own', () => {
    const urls = ['/p/a-b', '/p/a/b', '/p/a_b'].map((path) => `https://shop.example${path}`)
    const { files } = proposeMarkup(
      DOMAIN,
      seen(catalogOf(...urls.map((url) => ({ ...TENT, url })))),
    )
    expect(files.map(({ path }) => path)).toEqual([
      'markup/p-a-b.html',
      'markup/p-a-b-2.html',
      'markup/p-a-b-3.html',
    ])
  })

  test.each(['price', 'images', 'name', 'availability'])('invents no %s', (name) => {
    const { files, missing } = proposeMarkup(
      DOMAIN,
      seen(catalogOf({ ...TENT, [name]: undefined })),
    )
    expect([files, missing.join()]).toEqual([[], expect.stringContaining('no usable')])
  })
})
