import { randomBytes } from 'node:crypto'
import postgres from 'postgres'
import { afterAll, inject } from 'vitest'
import { type AuditResult, type CheckName, toResult } from '../shared/audit.ts'
import { createApp, type Deps } from './app.ts'
import { createKey, type NewKey, SCOPES } from './auth.ts'
import { connect, type Database } from './db/connect.ts'
import { createLog } from './log.ts'
import { validateDocument } from './probe/validate-manifest.ts'

const opened: Database[] = []
afterAll(() => Promise.all(opened.map(({ close }) => close())))

/** An empty database of the caller's own. It goes when the run ends, with its template. */
export async function testDatabase(): Promise<Database> {
  const template = new URL(inject('templateUrl'))
  const own = new URL(template)
  own.pathname += `_${randomBytes(6).toString('hex')}`
  await asAdmin(template, (name) => `create database ${own.pathname.slice(1)} template ${name}`)
  const database = await connect({ databaseUrl: own.href, dataDir: '', migrations: null })
  opened.push(database)
  return database
}

/** A template that is being copied must have no other visitor: ask from the database beside it. */
async function asAdmin(template: URL, statement: (template: string) => string) {
  const url = new URL(template)
  url.pathname = 'postgres'
  const sql = postgres(url.href, { max: 1, onnotice: () => {} })
  try {
    await sql.unsafe(statement(template.pathname.slice(1)))
  } finally {
    await sql.end()
  }
}

/** A whole result without a gap, as the engine makes it. */
export const cleanResult = (domain: string, checks: readonly CheckName[], at: Date): AuditResult =>
  toResult(domain, checks, [], at, () => null)

/** The app on a database of its own, with an engine that answers at once and counts its calls. */
export async function testApp(overrides: Partial<Deps> = {}) {
  const { db } = await testDatabase()
  const lines: string[] = []
  const audited: { domain: string; checks: CheckName[] }[] = []
  const now = () => new Date()
  const app = createApp({
    db,
    now,
    log: createLog({ write: (line) => lines.push(line) }),
    baseUrl: 'https://aisle.example',
    isShuttingDown: () => false,
    audit: async (request) => {
      audited.push(request)
      return cleanResult(request.domain, request.checks, now())
    },
    validateManifest: async () => validateDocument({}),
    ...overrides,
  })
  const createTestKey = (change: Partial<NewKey> = {}) =>
    createKey(
      db,
      { name: 'test', scopes: [...SCOPES], domains: ['*'], expires_at: null, ...change },
      now(),
    )
  const { key } = await createTestKey()
  const post = (body: unknown, headers: Record<string, string> = {}) =>
    app.request('/api/audit', {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${key}`,
        'Content-Type': 'application/json',
        ...headers,
      },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
  return { app, db, key, createTestKey, post, lines, audited }
}
