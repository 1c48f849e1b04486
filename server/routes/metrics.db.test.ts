import { expect, test } from 'vitest'
import { testApp } from '../testing/app.ts'

const TOKEN = 'a-token-of-the-operator'

test('metrics are for who has the token', async () => {
  const { app, key } = await testApp({ metricsToken: TOKEN })
  const ask = (authorization?: string) =>
    app.request('/metrics', { headers: authorization ? { Authorization: authorization } : {} })
  const right = await ask(`Bearer ${TOKEN}`)
  expect(right.status).toBe(200)
  expect(right.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
  expect(right.headers.get('cache-control')).toBe('no-store')
  expect(await right.text()).toContain('\naisle_database_up 1\n')
  for (const wrong of [
    undefined,
    TOKEN,
    'Bearer',
    `Bearer ${TOKEN}x`,
    `Bearer ${TOKEN.slice(1)}`,
    `Bearer ${key}`,
    `Basic ${TOKEN}`,
  ]) {
    const answer = await ask(wrong)
    expect(answer.status, wrong).toBe(401)
    expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="metrics"')
    const text = await answer.text()
    expect(JSON.parse(text).error.code).toBe('invalid_token')
    expect(text).not.toContain('aisle_')
  }
})

test('without a token there are none here', async () => {
  const { app } = await testApp()
  for (const headers of [{}, { Authorization: 'Bearer ' }, { Authorization: 'Bearer undefined' }]) {
    const answer = await app.request('/metrics', { headers: headers as Record<string, string> })
    expect(answer.status).toBe(404)
    const elsewhere = await app.request('/nothing', { headers: headers as Record<string, string> })
    const ids = /[0-9a-f-]{36}/g
    expect((await answer.text()).replace(ids, '')).toBe((await elsewhere.text()).replace(ids, ''))
  }
})
