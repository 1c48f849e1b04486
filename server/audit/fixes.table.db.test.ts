import { beforeAll, expect, test } from 'vitest'
import { linksTo } from '../../shared/audit/gap/links.ts'
import { MANIFEST_READS, proposeManifest } from '../../shared/audit/proposals/manifest-proposal.ts'
import { DEFAULT_CHECKS } from '../../shared/audit/vocabulary.ts'
import { UCP_PATHS } from '../../shared/protocols/spec/ucp.ts'
import { fewRows } from '../../shared/testing/few-rows.ts'
import { createStore } from '../store/app.ts'
import { patch, without } from '../store/faults/overrides.ts'
import type { JsonObject } from '../store/http/store-request.ts'
import { FEED_PATH } from '../store/shop/settings.ts'
import { auditPlatforms } from '../store/testing/platforms.ts'
import { testDeps } from '../store/testing/store.ts'
import { JUDGES_HERE } from './judging/testing/judges-here.ts'
import type { Fetcher } from './probe/fetch/fetch.ts'
import { fetcherTo } from './probe/testing/fetcher.ts'
import { readEvidence } from './read-evidence.ts'
import { auditHere } from './testing/audit-here.ts'

/** What a shop answers in place of the reference store: its text and headers, by path. */
type Change = (path: string, answer: { body: string; headers: Headers }) => string | undefined

interface Fix {
  /** It speaks official UCP. */
  official?: true
  gap: string
  of: string
  /** What the fix says, and where it leads. */
  says: RegExp
  before: Change
  /** The same shop after somebody did what the fix says, and no more. */
  after: Change
}

const CSP = 'content-security-policy'

/** The policy of the home page, with the host of the snippet in place of `SNIPPET`. */
const withPolicy =
  (policy: string): Change =>
  (path, { body, headers }) => {
    const [, host = ''] = /src="(https:\/\/[^/"]+)\/attribution\.js/.exec(body) ?? []
    if (path === '/') headers.set(CSP, policy.replaceAll('SNIPPET', host))
    return undefined
  }

/** The tag of the home page. */
const withTag =
  (src: (own: string) => string): Change =>
  (path, { body, headers }) => {
    if (path !== '/') return undefined
    headers.delete(CSP)
    return body.replace(/(?<=<script[^>]* src=")[^"]*attribution\.js[^"]*/, src)
  }

const inFeed =
  (change: (item: string) => string): Change =>
  (path, { body }) =>
    path === FEED_PATH ? body.replaceAll(/<item>.*?<\/item>/gs, change) : undefined
const GTIN = /<g:gtin>\d+<\/g:gtin>/
const WRONG = '<g:gtin>4006381333932</g:gtin>'
const BRAND = /<g:brand>[^<]*<\/g:brand>/
const MPN = /<g:mpn>[^<]*<\/g:mpn>/

const inProducts =
  (change: (html: string) => string): Change =>
  (path, { body }) =>
    path.startsWith('/products/') ? change(body) : undefined

const inManifest =
  (change: (document: JsonObject) => object): Change =>
  (path, { body }) =>
    path === UCP_PATHS.manifest ? JSON.stringify(change(JSON.parse(body))) : undefined

/** As if the file were that of another shop, its endpoints included. */
const COPIED = inManifest((manifest) =>
  JSON.parse(JSON.stringify(manifest).replaceAll(String(manifest.domain), 'copied-from.example')),
)

const ALLOWS = /script-src and connect-src\. If the policy lacks one .* sources of default-src/

const FIXES: readonly Fix[] = [
  {
    gap: 'snippet_blocked_by_csp',
    of: 'a policy that lets the snippet load, and not report',
    says: ALLOWS,
    before: withPolicy("script-src 'self' SNIPPET; connect-src 'none'"),
    after: withPolicy("script-src 'self' SNIPPET; connect-src SNIPPET"),
  },
  {
    gap: 'snippet_blocked_by_csp',
    of: 'a policy with default-src alone',
    says: ALLOWS,
    before: withPolicy("default-src 'self'"),
    after: withPolicy("default-src 'self'; script-src 'self' SNIPPET; connect-src 'self' SNIPPET"),
  },
  {
    gap: 'snippet_blocked_by_csp',
    of: 'a policy of scripts alone',
    says: /without a default-src, leave it out/,
    before: withPolicy("script-src 'self'"),
    after: withPolicy("script-src 'self' SNIPPET"),
  },
  {
    gap: 'snippet_without_id',
    of: 'a tag as it is printed in documentation',
    says: /your own tag/,
    before: withTag(() => '{cdn_url}/attribution.js?id=<property_id>'),
    after: withTag((own) => own),
  },
  {
    gap: 'feed_gtin_invalid',
    of: 'items that have no number',
    says: /leave gtin out and send brand and mpn; if it has no mpn either, send identifier_exists: no/,
    before: inFeed((item) => item.replace(GTIN, WRONG).replace(BRAND, '').replace(MPN, '')),
    after: inFeed((item) =>
      item
        .replace(GTIN, '<g:identifier_exists>no</g:identifier_exists>')
        .replace(BRAND, '')
        .replace(MPN, ''),
    ),
  },
  {
    gap: 'feed_gtin_invalid',
    of: 'items of a brand',
    says: /send brand and mpn/,
    before: inFeed((item) => item.replace(GTIN, WRONG).replace(MPN, '')),
    after: inFeed((item) => item.replace(GTIN, '')),
  },
  {
    gap: 'product_schema_gtin_invalid',
    of: 'markup that has no other number',
    says: /leave the GTIN out and state its mpn or sku/,
    before: inProducts((html) =>
      html
        .replaceAll(/"gtin13": ?"\d+"/g, '"gtin13": "4006381333932"')
        .replaceAll(/"sku": ?"[^"]*",?/g, ''),
    ),
    after: inProducts((html) => html.replaceAll(/"gtin13": ?"\d+",?/g, '')),
  },
  {
    official: true,
    gap: 'well_known_invalid',
    of: 'an official profile',
    says: /^Fix the listed fields\. https:\/\/aisle\.example\/tools\/validate\?domain=ucp-fix\.example$/,
    before: inManifest((profile) =>
      patch(profile, 'ucp', (ucp) => without(ucp, 'payment_handlers')),
    ),
    after: inManifest((profile) => profile),
  },
  {
    gap: 'well_known_domain_mismatch',
    of: 'a manifest copied from another shop',
    says: /make sure that its endpoints are yours/,
    before: COPIED,
    after: inManifest((manifest) => manifest),
  },
]

const changes = new Map<string, Change>()
let fetcher: Fetcher

beforeAll(async () => {
  const store = createStore({
    ...(await testDeps({ now: () => new Date() })),
    faults: [],
    platforms: auditPlatforms,
  })
  const front = {
    fetch: async (request: Request, env: object) => {
      const { hostname, pathname } = new URL(request.url)
      // Changed here, where nothing is compressed.
      const headersOf = new Headers(request.headers)
      headersOf.delete('accept-encoding')
      const answer = await store.fetch(new Request(request, { headers: headersOf }), env)
      const change = changes.get(hostname)
      if (change === undefined) return answer
      const [body, headers] = [await answer.text(), new Headers(answer.headers)]
      const changed = change(pathname, { body, headers })
      if (changed !== undefined) headers.delete('content-length')
      const hasBody = ![204, 304].includes(answer.status)
      return new Response(hasBody ? (changed ?? body) : null, { status: answer.status, headers })
    },
  }
  fetcher = await fetcherTo(front, { clock: () => 0 })
})

const audit = (domain: string) =>
  auditHere(
    { domain, checks: DEFAULT_CHECKS },
    { fetcher, links: linksTo('https://aisle.example') },
  )

const ROWS = FIXES.map((fix, index) => ({
  ...fix,
  name: fix.official ? 'ucp-fix' : `fix-${index}`,
}))

test.each(
  fewRows(
    ROWS,
    ({ gap }) => gap.split('_')[0] ?? '',
    ({ gap }) => [gap],
  ),
)(
  '$gap of $of: the fix, applied as it is written, closes it and costs nothing',
  async ({ name, gap, says, ...fix }) => {
    changes.set(`${name}.example`, fix.before)
    changes.set(`${name}-applied.example`, fix.after)
    const before = await audit(`${name}.example`)
    expect(before.gaps.map(({ id }) => id)).toEqual([gap])
    expect(`${before.gaps[0]?.fix} ${before.gaps[0]?.fix_url}`).toMatch(says)
    const after = await audit(`${name}-applied.example`)
    expect(after.gaps).toEqual([])
    expect(after.score).toBeGreaterThanOrEqual(before.score)
  },
)

test('the manifest that is proposed for a copied one leads to the shop itself', async () => {
  const domain = 'copied.example'
  changes.set(domain, COPIED)
  const before = await audit(domain)
  expect(before.gaps).toMatchObject([
    {
      id: 'well_known_domain_mismatch',
      detail: expect.stringMatching(/Endpoints that are there too: product_catalog, checkout/),
    },
  ])
  const deps = { fetcher, judges: JUDGES_HERE, now: () => new Date() }
  const seen = await readEvidence({ domain, reads: MANIFEST_READS }, deps)
  const { files, notes } = proposeManifest({ domain }, seen)
  expect(files[0]?.content).toContain(`https://${domain}${UCP_PATHS.checkout}`)
  expect(files[0]?.content).not.toContain('copied-from.example')
  expect(notes.join()).toContain('Left out, as agents would buy at copied-from.example: product_ca')
  changes.set(
    domain,
    inManifest(() => JSON.parse(files[0]?.content ?? '')),
  )
  const after = await audit(domain)
  expect(after.gaps).toEqual([])
  expect(after.score).toBeGreaterThanOrEqual(before.score)
})
