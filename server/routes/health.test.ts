import { expect, test } from 'vitest'
import { testApp, testDatabase } from '../testing/app.ts'

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
