import { expect, test } from 'vitest'
import { testApp } from '../../server/testing/app.ts'
import { createApiClient } from './client.ts'

// The client against the real server: what one sends, the other must read.

const server = await testApp()
const apiWith = (key: string) =>
  createApiClient({
    baseUrl: 'https://aisle.example',
    key,
    fetch: async (url, init) => server.app.request(new Request(String(url), init)),
  })
const api = apiWith(server.key)

const RANGE = { domain: 'shop.example', start: '2026-11-01', end: '2026-11-07' }

test('before the first audit nothing is stored; after it, the stored one comes back', async () => {
  const dry = { domain: 'shop.example', dry_run: true }
  expect(await api.audit(dry)).toMatchObject({
    ok: false,
    failure: { kind: 'not_found', code: 'no_cached_audit', status: 404 },
  })
  const audited = await api.audit({ domain: 'shop.example' })
  expect(audited).toMatchObject({ ok: true, value: { domain: 'shop.example' } })
  expect(await api.audit(dry)).toEqual(audited)
})

test('a manifest is built in both dialects, and is valid', async () => {
  const request = {
    domain: 'shop.example',
    catalog_endpoint: 'https://shop.example/ucp/products',
    checkout_endpoint: 'https://shop.example/ucp/checkout',
  }
  for (const format of ['1.0', 'ucp'] as const) {
    const built = await api.buildManifest({ ...request, format })
    if (!built.ok) throw new Error(built.failure.message)
    expect(Object.keys(built.value.manifest)).toEqual(
      format === 'ucp' ? ['ucp'] : ['version', 'generated_at', 'domain', 'capabilities'],
    )
    expect(built.value.warnings.length > 0).toBe(format === 'ucp')
    expect(await api.validateManifest({ manifest: built.value.manifest })).toMatchObject({
      ok: true,
      value: { dialect: format === 'ucp' ? expect.stringMatching(/^20/) : '1.0' },
    })
  }
})

test('what the server refuses names its field', async () => {
  const built = await api.buildManifest({
    domain: 'shop.example',
    catalog_endpoint: 'nonsense',
    checkout_endpoint: 'https://shop.example/ucp/checkout',
  })
  expect(built).toMatchObject({
    ok: false,
    failure: { kind: 'invalid', status: 422, details: [{ field: 'catalog_endpoint' }] },
  })
  if (!built.ok) expect(built.failure.request_id).toMatch(/^[0-9a-f-]{36}$/)
})

test('an empty report and its CSV can be read', async () => {
  const report = await api.report({ ...RANGE, granularity: 'week', compare: 'previous' })
  expect(report).toMatchObject({ ok: true, value: { domain: 'shop.example', granularity: 'week' } })
  const csv = await api.reportCsv(RANGE)
  expect(csv.ok && csv.value).toContain('sessions')
})

test('the storefronts of the key, and the connection that is tested by them', async () => {
  expect(await api.properties()).toEqual({ ok: true, value: [] })
  expect(await api.testConnection()).toEqual({ ok: true, value: { properties: [] } })
  const { key } = await server.createTestKey({ scopes: ['audit'] })
  expect(await apiWith(key).testConnection()).toEqual({ ok: true, value: { properties: null } })
  expect(await apiWith('aisle_live_wrong').testConnection()).toMatchObject({
    ok: false,
    failure: { kind: 'unauthorized' },
  })
})

test('a key of another domain is told that it does not reach this one', async () => {
  const { key } = await server.createTestKey({ domains: ['other.example'] })
  expect(await apiWith(key).report(RANGE)).toMatchObject({
    ok: false,
    failure: { kind: 'forbidden', code: 'domain_not_allowed' },
  })
})
