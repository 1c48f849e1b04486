import { expect, test } from 'vitest'
import { findShare, listShares, MAX_SHARES, revokeShare } from '../db/access/shares.ts'
import { shares } from '../db/access/tables.ts'
import { testDatabase } from '../testing/app.ts'
import { createShare, openShare } from './share-links.ts'

const { db } = await testDatabase()
const NOON = new Date('2026-11-21T12:00:00Z')
const days = (count: number) => new Date(NOON.getTime() + count * 86_400_000)
const share = { domain: 'shop.example', view: 'report', key_id: 'abcdefgh' } as const

test('a link opens what it was made for, until it ends', async () => {
  const { token, expires_at } = await createShare(db, { ...share, days: 7 }, NOON)
  expect(token).toMatch(/^aisle_share_\w{8}_\w{49}$/)
  expect(expires_at).toEqual(days(7))
  expect(await openShare(db, token, NOON)).toMatchObject(share)
  expect(await openShare(db, token, new Date(days(7).getTime() - 1))).not.toBeNull()
  expect(await openShare(db, token, days(7))).toBeNull()
})

test('one without an end opens until it is revoked, by its own domain and view only', async () => {
  const { token } = await createShare(db, { ...share, days: null }, NOON)
  const { id } = (await openShare(db, token, days(9999)))!
  expect(await revokeShare(db, { ...share, domain: 'other.example', id }, NOON)).toBe(false)
  expect(await revokeShare(db, { ...share, view: 'audit', id }, NOON)).toBe(false)
  expect(await openShare(db, token, NOON)).not.toBeNull()
  expect(await revokeShare(db, { ...share, id }, NOON)).toBe(true)
  expect(await revokeShare(db, { ...share, id }, new Date(NOON.getTime() + 1))).toBe(true)
  expect((await findShare(db, id))?.revoked_at).toEqual(NOON)
  expect(await openShare(db, token, NOON)).toBeNull()
})

test.each([
  [
    'another secret',
    (token: string) =>
      token.replace(/(.)(.{6})$/, (_, last, sum) => (last === 'A' ? 'B' : 'A') + sum),
  ],
  ['another id', (token: string) => token.replace('aisle_share_', 'aisle_share_x')],
  ['a key in its place', (token: string) => token.replace('share', 'live')],
  ['nothing', () => ''],
  ['a long text', () => 'a'.repeat(100_000)],
])('%s opens nothing', async (_, forge) => {
  const { token } = await createShare(db, { ...share, days: null }, NOON)
  expect(await openShare(db, forge(token), NOON)).toBeNull()
})

test('the secret of one link does not open another', async () => {
  const [one, other] = await Promise.all([
    createShare(db, { ...share, days: null }, NOON),
    createShare(db, { ...share, domain: 'other.example', days: null }, NOON),
  ])
  const swapped = one.token.slice(0, 20) + other.token.slice(20)
  expect(await openShare(db, swapped, NOON)).toBeNull()
})

test('the list is of one domain and one view, of what is open, and holds no hash', async () => {
  const domain = 'listed.example'
  await createShare(db, { ...share, domain, days: 7 }, NOON)
  await createShare(db, { ...share, domain, view: 'audit', days: 7 }, NOON)
  const list = (at: Date) => listShares(db, { domain, view: 'report' }, at)
  const listed = await list(NOON)
  expect(listed).toHaveLength(1)
  expect(Object.keys(listed[0]!)).not.toContain('secret_sha256')
  expect(await list(days(7))).toEqual([])
})

test('links that are more than may be are all listed, so that each can be revoked', async () => {
  const domain = 'many.example'
  const row = { ...share, domain, walk_id: null, secret_sha256: '', created_at: NOON }
  const rows = Array.from({ length: MAX_SHARES + 5 }, (_, n) => ({ ...row, id: `many${n}` }))
  await db.insert(shares).values(rows)
  expect(await listShares(db, { domain, view: 'report' }, NOON)).toHaveLength(rows.length)
  await expect(createShare(db, { ...share, domain, days: 7 }, NOON)).rejects.toMatchObject({
    code: 'too_many_shares',
  })
  const own = await createShare(db, { ...share, domain, view: 'audit', days: 7 }, NOON)
  expect(await openShare(db, own.token, NOON)).not.toBeNull()
})
