import { OpenAPIHono } from '@hono/zod-openapi'
import { expect, test } from 'vitest'
import { DEFAULT_CHECKS } from '../../shared/audit/vocabulary.ts'
import { saveAudit } from '../db/audit/audits.ts'
import { setBadge } from '../db/audit/badges.ts'
import type { ServerEnv } from '../http/env.ts'
import { answerError } from '../http/errors.ts'
import { createLog } from '../process/log.ts'
import { cleanResult, testDatabase } from '../testing/app.ts'
import { badgeRoutes } from './badge.ts'

const { db } = await testDatabase()
const app = new OpenAPIHono<ServerEnv>().route('/', badgeRoutes({ db }))
app.onError(answerError(createLog({ write: () => {} })))
const NOON = new Date('2026-11-21T12:00:00Z')
const badge = (domain: string) => app.request(`/badge/${domain}.svg`)

test('the latest grade, once its owner switched it on, and no longer than that', async () => {
  const domain = 'shop.example'
  await saveAudit(db, { ...cleanResult(domain, DEFAULT_CHECKS, NOON), score: 63, grade: 'B' })
  expect((await badge(domain)).status).toBe(404)

  await setBadge(db, domain, true, NOON)
  await setBadge(db, domain, true, NOON)
  const shown = await badge('SHOP.example')
  expect(shown.status).toBe(200)
  expect(shown.headers.get('content-type')).toBe('image/svg+xml')
  expect(await shown.text()).toContain('<title>AI shopping: grade B, 63 of 100</title>')

  await setBadge(db, domain, false, NOON)
  expect((await badge(domain)).status).toBe(404)
})

test('it stays while nobody has audited the domain by the checks of today', async () => {
  const domain = 'upgraded.example'
  const earlier = { ...cleanResult(domain, DEFAULT_CHECKS, NOON), engine_version: 'old' }
  await saveAudit(db, { ...earlier, score: 63, grade: 'B' })
  await setBadge(db, domain, true, NOON)
  expect(await (await badge(domain)).text()).toContain('grade B, 63 of 100')
})

test.each(['never-audited.example', 'a..b', '127.0.0.1', '%3Cscript%3E', 'x'.repeat(5000)])(
  'no badge of %j',
  async (domain) => {
    await setBadge(db, domain, true, NOON).catch(() => {})
    const answer = await badge(domain)
    expect(answer.status).toBe(404)
    expect(await answer.json()).toMatchObject({ error: { code: 'no_badge' } })
  },
)
