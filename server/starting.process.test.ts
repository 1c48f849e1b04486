import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { eventually } from '../shared/testing/wait.ts'
import { testOnOnePostgres } from './db/testing/locks.ts'
import { connectAgain, testDatabase } from './testing/app.ts'
import { freePort } from './testing/free-port.ts'
import { program } from './testing/program.ts'

const SERVER = await program('test-server')

/** On a port that is known: it says where it listens only once it is ready. */
async function start(env: Record<string, string>) {
  const port = await freePort()
  const child = spawn(process.execPath, [SERVER, JSON.stringify({ PORT: String(port), ...env })])
  const exited = once(child, 'exit')
  let lines = ''
  child.stdout.on('data', (chunk) => {
    lines += chunk
  })
  const ask = async (path: string) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`).catch(() => null)
    return { status: answer?.status, text: (await answer?.text()) ?? '' }
  }
  await eventually(async () => (await ask('/livez')).status).toBe(200)
  return { child, exited, ask, lines: () => lines }
}

testOnOnePostgres(
  'without a migration that it may not apply, it is alive, says what is missing, and waits for it',
  async () => {
    const { sql, url } = await testDatabase()
    await sql`drop schema drizzle cascade`
    await sql`drop schema public cascade`
    await sql`create schema public`
    const { child, exited, ask, lines } = await start({ DATABASE_URL: url, MIGRATE: 'false' })
    const { status, text } = await ask('/readyz')
    expect(status).toBe(503)
    expect(JSON.parse(text).error).toMatchObject({
      code: 'not_ready',
      message: 'The database is not migrated yet: 0000_init is missing. Run "aisle db migrate".',
    })
    expect((await ask('/gaps')).status).toBe(503)
    await eventually(lines).toContain('waiting for the database')
    expect(await sql`select to_regclass('audits') as made`).toEqual([{ made: null }])

    const { schema } = await connectAgain(url)
    await schema.migrate()
    await eventually(async () => (await ask('/readyz')).status).toBe(200)
    expect((await ask('/gaps')).status).toBe(200)
    child.kill('SIGTERM')
    expect(await exited).toEqual([0, null])
  },
)

test('while a dump holds what a migration needs, it is alive, and ends when told', async () => {
  const { sql, url } = await testDatabase()
  // As before the currencies.
  await sql`alter table properties drop column currency`
  await sql`alter table event_keys drop column notes`
  await sql`delete from drizzle.aisle_migrations where created_at = 1795337019419`
  const dump = await sql.reserve()
  await dump`begin`
  await dump`lock table event_keys in access share mode`
  const first = await start({ DATABASE_URL: url })
  await eventually(first.lines).toContain('A migration waits for a lock')
  expect((await first.ask('/readyz')).text).toContain('0006_currencies is missing')
  first.child.kill('SIGTERM')
  expect(await first.exited).toEqual([0, null])

  const second = await start({ DATABASE_URL: url })
  await eventually(second.lines).toContain('A migration waits for a lock')
  await dump`commit`
  dump.release()
  await eventually(async () => (await second.ask('/readyz')).status).toBe(200)
  expect(await sql`select notes from event_keys`).toEqual([])
  second.child.kill('SIGTERM')
  expect(await second.exited).toEqual([0, null])
})
