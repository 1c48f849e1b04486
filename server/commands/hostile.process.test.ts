import { mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, inject, test } from 'vitest'
import { createKey } from '../access/make-key.ts'
import { createIngest } from '../attribution/ingest/ingest.ts'
import { createProperty } from '../attribution/properties.ts'
import { eventOf } from '../attribution/report/testing/rows.ts'
import { createLog } from '../process/log.ts'
import { orders } from '../store/db/tables.ts'
import { storeDatabase } from '../store/db/testing/database.ts'
import { anOrder } from '../store/outbox/testing/receiver.ts'
import { onLoopback } from '../testing/on-loopback.ts'
import { program } from '../testing/program.ts'
import { warmProgram } from './testing/run-program.ts'

/** Hostile text: it clears screens, hides and reorders text, and starts lines. */
const EVIL =
  'evil\u001b[2J\u001b]0;title\u0007\r\b\t\n::error::evil\u007f\u009b31m\u0085\u009d\u202e\u202a\u2066\u2069\u200e\u200f\u061c\u2028\u2029evil'

/** Everything that the output must not contain, except its own line breaks. */
const STEERS =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u

const runWarm = warmProgram(await program('cli'))
const folder = await mkdtemp(join(inject('runFolder'), 'hostile-'))
const database = await storeDatabase()
const { db, sql } = database

/** A store that puts hostile text into each answer. */
const PRODUCT = {
  '@context': 'https://schema.org',
  '@type': 'Product',
  name: EVIL,
  sku: EVIL,
  gtin: EVIL,
  brand: EVIL,
  offers: { '@type': 'Offer', price: EVIL, priceCurrency: EVIL, availability: EVIL },
}
const PROFILE = {
  ucp: {
    version: '2026-08-25',
    [EVIL]: EVIL,
    services: {
      'dev.ucp.shopping': [
        { version: EVIL, transport: EVIL, endpoint: `https://x.example/${EVIL}` },
      ],
    },
    capabilities: { [EVIL]: [{ version: EVIL }] },
    payment_handlers: {},
  },
  signing_keys: EVIL,
}
const MANIFEST = {
  version: '1.0',
  domain: EVIL,
  generated_at: EVIL,
  capabilities: { product_catalog: { endpoint: EVIL, format: EVIL, version: EVIL }, [EVIL]: {} },
}
const PAGE = `<!doctype html><html lang="${EVIL}"><title>${EVIL}</title><link rel="canonical" href="/${EVIL}">
<script type="application/ld+json">${JSON.stringify(PRODUCT)}</script><p>${EVIL}</p></html>`
const ANSWERS: Record<string, [type: string, body: string]> = {
  '/': ['text/html', PAGE],
  '/.well-known/ucp': ['application/json', JSON.stringify(PROFILE)],
  '/robots.txt': ['text/plain', `User-agent: *\nDisallow: /${EVIL}\nSitemap: /${EVIL}`],
  '/llms.txt': ['text/plain', EVIL],
  '/.well-known/acp.json': ['application/json', `{"${EVIL}`],
}
const merchant = await onLoopback((request, response) => {
  const [type, body] = ANSWERS[request.url ?? ''] ?? ['text/html', PAGE]
  response.writeHead(200, { 'content-type': type }).end(body)
})
afterAll(merchant.close)
const TEST_HOSTS = `evil.example=${merchant.origin}`

const fileOf = async (name: string, text: string) => {
  const path = join(folder, name)
  await writeFile(path, text)
  return path
}
const profile = await fileOf('profile.json', JSON.stringify(PROFILE))
const manifest = await fileOf('manifest.json', JSON.stringify(MANIFEST))
const broken = await fileOf('broken.json', `{"evil": ${EVIL}`)

await createKey(db, { name: EVIL, scopes: ['audit'], domains: ['*'], expires_at: null }, new Date())
await createProperty(db, { domain: 'shop.example', origins: [`https://${EVIL}`] }, new Date())
const order = anOrder({ tracking: { number: EVIL }, confirmation_number: EVIL })
await db.insert(orders).values(order)
const ingest = createIngest({ sql, now: () => new Date(), log: createLog({ write: () => {} }) })
for (const domain of ['a.example', 'b.example']) {
  await ingest.record(
    eventOf(
      {
        event: 'ai_product_viewed',
        domain,
        session_id: EVIL,
        timestamp: new Date().toISOString(),
        source: 'acp',
        ai_surface: 'chatgpt',
        properties: {},
      },
      new Date(),
    ),
  )
}
await sql`update rollup_daily set surface = ${EVIL} where domain = 'a.example'`

/** Runs the command like a person or a pipeline, without a process. */
function aisle(args: readonly string[], env: Record<string, string> = {}) {
  return runWarm(args, {
    env: {
      ...process.env,
      DATABASE_URL: database.url,
      DATA_DIR: folder,
      TEST_HOSTS,
      NODE_ENV: '',
      BASE_URL: '',
      PORT: '',
      DEBUG: '1',
      ...env,
    },
  })
}

const CATALOG = ['--catalog', 'https://evil.example/c', '--checkout', 'https://evil.example/o']

/** `json`: the output is parsed as JSON, and has the hostile text unchanged. */
test.each<{
  name: string
  args: string[]
  code: number
  json?: true
  env?: Record<string, string>
}>([
  { name: 'an audit', args: ['audit', 'evil.example'], code: 0 },
  { name: 'an audit', args: ['audit', 'evil.example', '--json'], code: 0, json: true },
  ...['markdown', 'junit', 'sarif'].map((format) => ({
    name: `an audit as ${format}`,
    args: ['audit', 'evil.example', '--format', format],
    code: 0,
  })),
  { name: 'a profile as junit', args: ['validate', profile, '--format', 'junit'], code: 1 },
  { name: 'an option as SARIF', args: ['audit', `--${EVIL}`, '--format', 'sarif'], code: 2 },
  { name: 'a check', args: ['audit', 'evil.example', '--checks', EVIL], code: 2 },
  { name: 'an intent', args: ['walk', 'evil.example', '--intent', EVIL], code: 2 },
  { name: 'a walk', args: ['walk', 'evil.example', '--yes-open-sessions'], code: 2 },
  { name: 'a profile', args: ['validate', profile], code: 1 },
  { name: 'a manifest', args: ['validate', manifest], code: 1 },
  { name: 'a manifest', args: ['validate', manifest, '--json'], code: 1, json: true },
  { name: 'a file that is no JSON', args: ['validate', broken], code: 1 },
  { name: 'a file that is missing', args: ['validate', EVIL], code: 2 },
  {
    name: 'a published profile',
    args: ['validate', 'https://evil.example/.well-known/ucp'],
    code: 1,
  },
  {
    name: 'a page for a profile',
    args: ['validate', `https://evil.example/${EVIL}`, '--json'],
    code: 1,
  },
  { name: 'filters', args: ['manifest', 'evil.example', ...CATALOG, '--filters', EVIL], code: 0 },
  { name: 'a key', args: ['keys', 'list'], code: 0 },
  { name: 'a name', args: ['keys', 'create', '--name', EVIL, '--scopes', 'audit'], code: 0 },
  { name: 'an origin', args: ['properties', 'list', '--json'], code: 0, json: true },
  { name: 'a surface', args: ['report', 'rebuild', '--dry-run'], code: 1 },
  { name: 'a session', args: ['report', 'forget', EVIL], code: 2 },
  { name: 'a table', args: ['db', EVIL], code: 2 },
  { name: 'a tracking number', args: ['store', 'orders'], code: 0 },
  { name: 'a tracking number', args: ['store', 'orders', '--json'], code: 0, json: true },
  {
    name: 'a parcel page',
    args: ['store', 'ship', order.id, '--tracking', '1', '--tracking-url', EVIL],
    code: 2,
  },
  { name: 'an option', args: ['audit', `--${EVIL}`], code: 2 },
  { name: 'a command', args: [EVIL], code: 2 },
  { name: 'a setting', args: ['keys', 'list'], env: { PORT: EVIL }, code: 2 },
])('$name cannot steer the terminal: $args', async ({ args, code, json, env }) => {
  const ran = await aisle(args, env)
  const all = ran.out + ran.err
  expect(STEERS.exec(all)).toBe(null)
  expect(all).not.toMatch(/^\s*::/m)
  // Otherwise this shows nothing.
  expect(all).toContain('evil')
  expect(ran.code).toBe(code)
  if (json) expect(JSON.stringify(JSON.parse(ran.out))).toContain('\u202e')
})
