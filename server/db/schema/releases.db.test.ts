import { cp, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { expect, inject } from 'vitest'
import { eventually } from '../../../shared/testing/wait.ts'
import { createIngest } from '../../attribution/ingest/ingest.ts'
import { eventOf } from '../../attribution/report/testing/rows.ts'
import { createLog } from '../../process/log.ts'
import { connectAgain, testDatabase } from '../../testing/app.ts'
import { MIGRATIONS } from '../connect.ts'
import { createReadiness } from '../connection/readiness.ts'
import { rebuildRollup } from '../events/rebuild.ts'
import { testOnOnePostgres } from '../testing/locks.ts'
import type { MigrationSet } from './migrations.ts'
import { createSchema } from './schema.ts'

/** What a later release might add to the migrations of this one. */
const LATER = {
  '9001_campaigns': `-- expand
ALTER TABLE "events" ADD COLUMN "campaign" text;--> statement-breakpoint
ALTER TABLE "event_keys" ADD COLUMN "campaign" text;`,
  '9002_sessions_day': `-- index
CREATE INDEX CONCURRENTLY "ai_sessions_day" ON "ai_sessions" USING btree ("day");`,
  '9003_no_currency': `-- contract: serves 9001_campaigns
ALTER TABLE "properties" DROP COLUMN "currency";`,
}

/** A release whose migrations are those of this one and the first `count` later ones. */
async function laterRelease(count: number): Promise<MigrationSet> {
  const folder = await mkdtemp(join(inject('runFolder'), 'migrations-'))
  await cp(fileURLToPath(MIGRATIONS.folder), folder, { recursive: true })
  const path = join(folder, 'meta/_journal.json')
  const journal = JSON.parse(await readFile(path, 'utf8'))
  const last = journal.entries.at(-1)
  for (const [n, [tag, text]] of Object.entries(LATER).slice(0, count).entries()) {
    journal.entries.push({ ...last, idx: last.idx + n + 1, tag, when: last.when + n + 1 })
    await writeFile(join(folder, `${tag}.sql`), text)
  }
  await writeFile(path, JSON.stringify(journal))
  return { ...MIGRATIONS, folder: pathToFileURL(`${folder}/`) }
}

const SHOPS = ['a.example', 'b.example', 'c.example']

testOnOnePostgres(
  'a release and the next one share a database, forwards and back, and lose no event',
  async () => {
    const { db, sql, url, schema: old } = await testDatabase()
    const next = await connectAgain(url)
    const build = async (count: number) =>
      createSchema(next.sql, next.url, await laterRelease(count))
    const [expanding, indexing, contracting] = [await build(1), await build(2), await build(3)]
    const isOldReady = createReadiness(db, old.fault)
    const isNextReady = createReadiness(next.db, contracting.fault)

    // The old release writes from the beginning to the end.
    const ingest = createIngest({ sql, now: () => new Date(), log: createLog({ write: () => {} }) })
    const ids = new Set<string>()
    let isOver = false
    const send = async (domain: string) => {
      for (let n = 0; !isOver; n += 1) {
        const event = eventOf({
          event: 'ai_checkout_completed',
          domain,
          session_id: `order-${n}`,
          source: 'acp',
          properties: { value: 100, currency: 'USD' },
        })
        ids.add((await ingest.record(event)).event_id)
      }
    }
    const senders = Promise.all(SHOPS.map(send))
    const moreArrive = () => {
      const before = ids.size
      return Promise.race([senders, eventually(() => ids.size).toBeGreaterThan(before + 20)])
    }

    await moreArrive()
    expect(await isOldReady()).toBeNull()
    expect(await isNextReady()).toContain('9001_campaigns is missing. Run "aisle db migrate".')

    await expanding.migrate({ onlyNeeded: true })
    await moreArrive()
    expect([await isOldReady(), await isNextReady()]).toEqual([null, null])

    await indexing.migrate()
    await moreArrive()
    // Back: the old release starts with the schema that the next one has made.
    await expect((await connectAgain(url)).schema.assertFits()).resolves.toBeUndefined()
    expect([await isOldReady(), await isNextReady()]).toEqual([null, null])

    isOver = true
    await senders
    await contracting.migrate()
    expect(await isOldReady()).toMatch(/^A newer release has removed .* \(9003_no_currency\)/)
    expect(await isNextReady()).toBeNull()
    await expect(old.assertFits()).rejects.toThrow('Start that release or a later one.')

    const stored = await sql<{ id: string }[]>`select id from events`
    expect(new Set(stored.map(({ id }) => id))).toEqual(ids)
    for (const domain of SHOPS) {
      expect(await rebuildRollup(next.db, { domain, since: '2026-01', dryRun: true })).toEqual([])
    }
  },
)
