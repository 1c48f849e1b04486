import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect } from 'vitest'
import { eventually } from '../../shared/testing/wait.ts'
import { testOnOnePostgres } from '../db/testing/locks.ts'
import { connectAgain, emptyDatabase } from '../testing/app.ts'
import { freePort } from '../testing/free-port.ts'
import { program } from '../testing/program.ts'

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
    const url = await emptyDatabase()
    const { sql, schema } = await connectAgain(url)
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

    await schema.migrate()
    await eventually(async () => (await ask('/readyz')).status).toBe(200)
    expect((await ask('/gaps')).status).toBe(200)
    child.kill('SIGTERM')
    expect(await exited).toEqual([0, null])
  },
)

testOnOnePostgres(
  'while a migration waits for a lock, it is alive, and ends when told',
  async () => {
    const url = await emptyDatabase()
    const { sql } = await connectAgain(url)
    const other = await sql.reserve()
    await other`begin`
    await other`create table audits (id int)`
    const first = await start({ DATABASE_URL: url })
    await eventually(first.lines).toContain('A migration waits for a lock')
    expect((await first.ask('/readyz')).text).toContain('0000_init is missing')
    first.child.kill('SIGTERM')
    expect(await first.exited).toEqual([0, null])

    const second = await start({ DATABASE_URL: url })
    await eventually(second.lines).toContain('A migration waits for a lock')
    await other`rollback`
    other.release()
    await eventually(async () => (await second.ask('/readyz')).status).toBe(200)
    expect(await sql`select checked_at from audits`).toEqual([])
    second.child.kill('SIGTERM')
    expect(await second.exited).toEqual([0, null])
  },
)
