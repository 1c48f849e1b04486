import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { connect } from '../db/connect.ts'
import { ownCluster } from '../db/testing/own-cluster.ts'
import { connectAgain, testApp, testDatabase } from '../testing/app.ts'

test('alive and ready', async () => {
  const { app } = await testApp()
  for (const path of ['/livez', '/readyz']) {
    const answer = await app.request(path)
    expect(answer.status).toBe(200)
    expect(await answer.json()).toEqual({ status: 'ok' })
  }
})

test('not ready while shutting down, but alive', async () => {
  const { app } = await testApp({ isShuttingDown: () => true })
  expect((await app.request('/livez')).status).toBe(200)
  const answer = await app.request('/readyz')
  expect(answer.status).toBe(503)
  expect((await answer.json()).error.code).toBe('not_ready')
})

test('not ready without its database', async () => {
  const { db, sql } = await testDatabase()
  const { app } = await testApp({ db })
  await sql.end()
  const answer = await app.request('/readyz')
  expect(answer.status).toBe(503)
  expect((await answer.json()).error.code).toBe('not_ready')
})

test('not ready where the database is read-only', async () => {
  const { sql, url } = await testDatabase()
  await sql.unsafe(
    `alter database ${new URL(url).pathname.slice(1)} set default_transaction_read_only = on`,
  )
  const { db } = await connectAgain(url)
  const { app } = await testApp({ db })
  const answer = await app.request('/readyz')
  expect(answer.status).toBe(503)
  expect((await answer.json()).error).toMatchObject({
    code: 'not_ready',
    message: expect.stringContaining('takes no changes'),
  })
})

test('not ready where the database cannot write to its disk, and ready again once it can', async () => {
  const cluster = await ownCluster()
  onTestFinished(() => cluster.close())
  const database = await connect({ databaseUrl: cluster.url, dataDir: '', migrations: null })
  onTestFinished(() => database.close())
  const { app } = await testApp({ db: database.db })
  const ask = async () => (await app.request('/readyz')).status
  expect(await ask()).toBe(200)
  const written = join(cluster.dataDir, 'postgres/cluster/pg_snapshots')
  await rename(written, `${written}-away`)
  const all = await Promise.all(Array.from({ length: 30 }, ask))
  expect(new Set(all)).toEqual(new Set([503]))
  await rename(`${written}-away`, written)
  expect(await ask()).toBe(200)
})
