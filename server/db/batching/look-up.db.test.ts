import { expect, onTestFinished, test, vi } from 'vitest'
import { createKeyring } from '../../access/auth.ts'
import { mintKey } from '../../access/key-format.ts'
import { prepareSnippet } from '../../attribution/snippet/asset.ts'
import { findSnippets } from '../../attribution/snippet/pinned.ts'
import { toApiError } from '../../http/errors.ts'
import { testApp } from '../../testing/app.ts'
import { createLookUp } from './look-up.ts'

const { db, createTestKey } = await testApp()
const asError = (thrown: unknown) => (thrown instanceof Error ? thrown : new Error('no error'))

test('64 who ask for a key at the same time cost two queries at most', async () => {
  const [one, two] = [await createTestKey(), await createTestKey()]
  let queries = 0
  const $client = new Proxy(db.$client, {
    apply: (client, self, given) => {
      queries += 1
      return Reflect.apply(client, self, given)
    },
  })
  const keyring = createKeyring(Object.assign(Object.create(db), { $client }))
  const found = await Promise.all(
    Array.from({ length: 64 }, (_, n) =>
      keyring.find([one.key, two.key, mintKey().key][n % 3] ?? ''),
    ),
  )
  expect(found.slice(0, 3).map((row) => row?.id)).toEqual([one.id, two.id, undefined])
  expect(queries).toBeLessThanOrEqual(2)
})

test('500 who ask for versions that never were cost one query at a time', async () => {
  let queries = 0
  const select = (...given: Parameters<typeof db.select>) => {
    queries += 1
    return db.select(...given)
  }
  const find = findSnippets(
    Object.assign(Object.create(db), { select }),
    await prepareSnippet('/* now */'),
  )
  const version = (n: number) => n.toString(16).padStart(16, '0')
  const found = await Promise.all(Array.from({ length: 500 }, (_, n) => find(version(n))))
  expect(found.filter((each) => each !== null)).toEqual([])
  expect(queries).toBeLessThanOrEqual(2)
})

test('who is too many is told to come again', async () => {
  const gate = Promise.withResolvers<ReadonlyMap<string, string>>()
  const find = createLookUp(() => gate.promise)
  const asked = Array.from({ length: 11_500 }, (_, n) => find(String(n)))
  const settled = Promise.allSettled(asked)
  let refusal: unknown
  asked.at(-1)?.catch((error: unknown) => (refusal = error))
  await new Promise(setImmediate)
  expect(toApiError(asError(refusal))).toMatchObject({ status: 503, code: 'busy' })
  gate.resolve(new Map())
  await settled
})

test('what fails is asked for once, however many wait', async () => {
  let queries = 0
  const find = createLookUp(async () => {
    queries += 1
    throw new Error('the database is away')
  })
  const asked = await Promise.allSettled(Array.from({ length: 64 }, (_, n) => find(String(n))))
  expect(asked.every(({ status }) => status === 'rejected')).toBe(true)
  expect(queries).toBe(1)
})

test('who waits for five seconds is told to come again', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const gate = Promise.withResolvers<ReadonlyMap<string, string>>()
  const find = createLookUp(() => gate.promise)
  let refusal: unknown
  const asked = find('a').catch((error: unknown) => (refusal = error))
  vi.advanceTimersByTime(4_999)
  await Promise.resolve()
  expect(refusal).toBeUndefined()
  vi.advanceTimersByTime(251)
  await asked
  expect(toApiError(asError(refusal))).toMatchObject({ status: 503, code: 'busy' })
  gate.resolve(new Map())
})
