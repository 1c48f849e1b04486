import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runProfileCorpus } from './profiles.ts'

const envelope = (demand: object) => ({ required: ['ucp'], properties: { ucp: demand } })
const registries = { required: ['version', 'services', 'payment_handlers'] }
const empty = (version: string) => ({ ucp: { version, services: {}, payment_handlers: {} } })
const acp = (changes: object) => ({
  protocol: { name: 'acp', version: '2026-04-17', supported_versions: ['2026-04-17'] },
  api_base_url: 'https://shop.example/api',
  transports: ['rest'],
  capabilities: { services: ['checkout'] },
  ...changes,
})

/**
 * Schemas of our own in the places where the versions keep theirs, with references between them.
 */
const FILES: Record<string, unknown> = {
  'schemas/ucp/2026-01-11/discovery/profile_schema.json': {
    $id: 'https://elsewhere.example/profile.json',
    ...envelope({ $ref: '../schemas/ucp.json#/$defs/profile' }),
  },
  'schemas/ucp/2026-01-11/schemas/ucp.json': {
    $id: 'https://elsewhere.example/ucp.json',
    $defs: { profile: { required: ['services', 'capabilities'] } },
  },
  'schemas/ucp/2026-01-23/schemas/ucp.json': { $defs: { business_schema: registries } },
  'schemas/ucp/2026-04-08/discovery/profile_schema.json': {
    $defs: {
      business_profile: envelope({
        ...registries,
        properties: { site: { type: 'string', format: 'uri' } },
      }),
    },
  },
  'schemas/ucp/2026-08-25/schemas/profile.json': {
    $defs: { business_schema: { $ref: 'absent.json' } },
  },
  'schemas/acp/2026-04-17/json-schema/schema.agentic_checkout.json': {
    $defs: {
      DiscoveryResponse: {
        required: ['protocol'],
        properties: { api_base_url: { type: 'string', format: 'uri' } },
      },
    },
  },
  'profiles/a-first.json': { ucp: { version: '2026-01-11', services: {}, capabilities: [] } },
  'profiles/b-second.json': { ucp: { version: '2026-01-23', services: {} } },
  'profiles/c-third.json': empty('2026-04-08'),
  'profiles/d-site.json': { ucp: { ...empty('2026-04-08').ucp, site: '/' } },
  'profiles/e-secret.json': {
    ...empty('2026-04-08'),
    signing_keys: [{ kid: 'a', kty: 'EC', d: 'x' }],
  },
  'profiles/f-fourth.json': empty('2026-08-25'),
  'profiles/g-spec.json': { version: '1.0' },
  'profiles/h-broken.json': '{"ucp":',
  'profiles/i-deep.json': `${'['.repeat(10_000)}${']'.repeat(10_000)}`,
  'profiles/readme.txt': 'not read',
  'acp/a-whole.json': acp({}),
  'acp/b-http.json': acp({ api_base_url: 'http://shop.example/api', transports: [] }),
  'acp/c-relative.json': acp({ api_base_url: '/api' }),
}

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'profiles-'))
  for (const [path, content] of Object.entries(FILES)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    const text = typeof content === 'string' ? content : JSON.stringify(content)
    await writeFile(join(folder, path), text)
  }
})
afterAll(() => rm(folder, { recursive: true }))

test('prints both verdicts on every document, and what only we find', async () => {
  const lines: string[] = []
  const count = await runProfileCorpus(folder, (line) => lines.push(line))
  const verdicts = lines.flatMap((line, index) =>
    line.startsWith('  ours ') ? [`${lines[index - 1]}: ${line.trim()}`] : [],
  )
  expect(verdicts).toEqual([
    'profiles/a-first.json  2026-01-11: ours valid, not shoppable  official valid  agree',
    'profiles/b-second.json  2026-01-23: ours invalid, not shoppable  official invalid  agree',
    'profiles/c-third.json  2026-04-08: ours valid, not shoppable  official valid  agree',
    'profiles/d-site.json  2026-04-08: ours valid, not shoppable  official invalid  DIFFER',
    'profiles/e-secret.json  2026-04-08: ours valid, not shoppable  official valid  agree',
    'profiles/f-fourth.json  2026-08-25: ours valid, not shoppable  official no schema',
    'profiles/g-spec.json  1.0: ours invalid, not shoppable  official no schema',
    'profiles/i-deep.json  unknown: ours invalid, not shoppable  official no schema',
    'acp/a-whole.json  acp: ours valid  official valid  agree',
    'acp/b-http.json  acp: ours valid  official valid  agree',
    'acp/c-relative.json  acp: ours invalid  official invalid  agree',
  ])
  const text = lines.join('\n')
  expect(text).toContain('official  /ucp/site must match format "uri"')
  expect(text).toContain('ours      signing_keys.0.d private_key')
  expect(text).toContain('ours      api_base_url must be an absolute https URL (error)')
  expect(text).toContain('profiles/h-broken.json  not JSON')
  expect(lines.at(-1)).toBe(
    '12 documents, 8 with an official schema: 7 verdicts agree, 1 differ; ' +
      '0 of 3 built profiles are valid by both',
  )
  expect(count).toEqual({ read: 12, judgedTwice: 8, agreed: 7 })
})

test('a folder without anything is read to its end', async () => {
  const lines: string[] = []
  await runProfileCorpus(join(folder, 'absent'), (line) => lines.push(line))
  expect(lines).toHaveLength(1)
  expect(lines[0]).toMatch(/^0 documents, 0 with an official schema/)
})
