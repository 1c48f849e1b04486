import { beforeEach, expect, test, vi } from 'vitest'
import { fakeBrowser } from 'wxt/testing/fake-browser'
import type { AuditResult } from '../../shared/audit/result/result.ts'
import type { PageAudit } from '../page/audit/page-audit.ts'
import { runsOf } from './history.ts'

vi.stubGlobal('chrome', fakeBrowser)
const storage = await import('./storage.ts')

beforeEach(() => {
  fakeBrowser.reset()
})

const SERVER = 'https://aisle.example'

/** The last stored result of a domain by a server. */
const lastAudit = async (domain: string, server = SERVER) =>
  storage.lastStoreAudit(await storage.storeAudits.getValue(), server, domain)

const result = (over: Partial<AuditResult> = {}): AuditResult => ({
  domain: 'shop.example',
  score: 70,
  grade: 'B',
  checked_at: '2026-11-21T10:00:00.000Z',
  gaps: [],
  breakdown: {},
  coverage: { judged: 0, applicable: 0, breakdown: {} },
  cap: null,
  first_steps: null,
  passed: [],
  passed_notes: {},
  skipped: [],
  product_pages: [],
  readiness: [],
  checks: ['schema'],
  engine_version: '1',
  ...over,
})

test('before anything was typed there is no server, no key, and all is still to be shown', async () => {
  expect(await storage.connection.getValue()).toEqual({ url: '', key: '' })
  expect(await storage.onboarded.getValue()).toBe(false)
  expect(await lastAudit('shop.example')).toBeNull()
})

test('the key is kept on this machine and synced nowhere', async () => {
  const connection = { url: 'https://aisle.example', key: 'aisle_live_secret' }
  await storage.connection.setValue(connection)
  expect(await fakeBrowser.storage.local.get()).toEqual({ connection })
  expect(await fakeBrowser.storage.sync.get()).toEqual({})
  expect(await fakeBrowser.storage.session.get()).toEqual({})
})

test('two windows that write at once lose nothing', async () => {
  const domains = ['a.example', 'b.example', 'c.example']
  await Promise.all(domains.map((domain) => storage.rememberStoreAudit(SERVER, result({ domain }))))
  for (const domain of domains) {
    expect((await lastAudit(domain))?.domain).toBe(domain)
  }
  expect(Object.keys(await storage.history.getValue()).sort()).toEqual(
    domains.map((domain) => storage.auditKey(SERVER, domain)),
  )
})

test('what one server said is not kept as what another says', async () => {
  const other = 'https://other.example'
  await storage.rememberStoreAudit(SERVER, result({ score: 70 }))
  expect(await lastAudit('shop.example', other)).toBeNull()
  await storage.rememberStoreAudit(other, result({ score: 20 }))
  expect((await lastAudit('shop.example'))?.score).toBe(70)
  expect((await lastAudit('shop.example', other))?.score).toBe(20)
  const runs = runsOf(await storage.history.getValue(), storage.auditKey(other, 'shop.example'))
  expect(runs.map(({ score }) => score)).toEqual([20])
})

test('audits can be forgotten, and the server stays', async () => {
  const connection = { url: 'https://aisle.example', key: '' }
  await storage.connection.setValue(connection)
  await storage.rememberStoreAudit(SERVER, result())
  await storage.forgetAudits()
  expect(await fakeBrowser.storage.local.get()).toEqual({ connection })
})

test('a page is known by its address without what may be secret', () => {
  expect(storage.pageKey('https://shop.example/cart?token=1#x')).toBe('https://shop.example/cart')
  expect(storage.pageKey('nonsense')).toBe('')
})

/** As much of an audit as storage reads. */
const pageAudit = (url: string) => ({ url }) as PageAudit

test('the audit of one query is not shown for another, which may be another product', async () => {
  await storage.rememberPageAudit(pageAudit('https://shop.example/item?id=1'))
  expect(await storage.lastPageAudit('https://shop.example/item?id=1')).not.toBeNull()
  expect(await storage.lastPageAudit('https://shop.example/item?id=2')).toBeNull()
})

test('the oldest of too many goes', () => {
  let kept: Record<string, number> = {}
  for (let n = 0; n < 25; n++) kept = storage.keepNewest(kept, `k${n}`, n)
  kept = storage.keepNewest(kept, 'k5', 5.5)
  expect(Object.keys(kept)).toHaveLength(20)
  expect(Object.keys(kept).at(-1)).toBe('k5')
  expect(kept).not.toHaveProperty('k4')
})
