import { expect, test } from 'vitest'
import { connect } from '../../db/connect.ts'
import { storeDatabase } from '../db/testing/database.ts'
import { testDeps, testStore } from '../testing/store.ts'

/**
 * A store on a pool of its own, which a test may end, under the address that an orchestrator uses.
 */
async function orchestrated(change: Parameters<typeof testStore>[0] = {}) {
  const { url } = await storeDatabase()
  const own = await connect({ databaseUrl: url, dataDir: '', migrations: null })
  const { deps } = await testDeps({ db: own.db })
  const { ask } = await testStore({ deps, hosts: ['shop.test'], ...change })
  const health = async (path: string) => {
    const { status, headers, body } = await ask(path, '10.0.0.7:8788', {
      headers: { 'x-forwarded-proto': 'https' },
    })
    return { status, retry: headers.get('retry-after'), said: JSON.parse(body) }
  }
  return { health, own }
}

test('alive and ready, under any name and with any fault', async () => {
  const { health, own } = await orchestrated({ faults: ['https-missing'] })
  for (const path of ['/livez', '/readyz']) {
    expect(await health(path)).toEqual({ status: 200, retry: null, said: { status: 'ok' } })
  }
  await own.close()
})

test('not ready without its database, but alive', async () => {
  const { health, own } = await orchestrated()
  await own.close()
  expect((await health('/livez')).status).toBe(200)
  expect(await health('/readyz')).toMatchObject({
    status: 503,
    retry: '5',
    said: { error: { code: 'not_ready', message: expect.stringContaining('does not respond') } },
  })
})

test('not ready where the database takes no changes', async () => {
  const { url, db } = await storeDatabase()
  await db.execute(
    `alter database ${new URL(url).pathname.slice(1)} set default_transaction_read_only = on`,
  )
  const own = await connect({ databaseUrl: url, dataDir: '', migrations: null })
  const { deps } = await testDeps({ db: own.db })
  const { ask } = await testStore({ deps })
  const answer = await ask('/readyz')
  expect(answer.status).toBe(503)
  expect(JSON.parse(answer.body).error.message).toContain('takes no changes')
  await own.close()
})

test('not ready while it is shutting down, but alive', async () => {
  const { health, own } = await orchestrated({ isShuttingDown: () => true })
  expect((await health('/livez')).status).toBe(200)
  expect(await health('/readyz')).toMatchObject({
    status: 503,
    said: { error: { message: expect.stringContaining('shutting down') } },
  })
  await own.close()
})
