import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, expect, inject, test } from 'vitest'
import { eventually } from '../../shared/testing/wait.ts'
import { testDatabase } from '../testing/app.ts'
import { onLoopback } from '../testing/on-loopback.ts'
import { program } from '../testing/program.ts'
import { createKey } from './make-key.ts'

/** The service as it runs: what it prints, and what is in its database. */

const HUSH = ['hush-header-of-the-owner', 'hush-preview-of-it', 'hush-basic-of-it']

const store = await onLoopback((request, response) => {
  const said = JSON.stringify(request.headers)
  // Headers that cannot be read, an answer that breaks off, and a page: all repeat what was sent.
  if (request.url === '/robots.txt') return request.socket.end(`HTTP/1.1 999 ${said}\r\n\r\n`)
  if (request.url === '/.well-known/ucp') return request.socket.destroy()
  response.setHeader('content-type', 'text/html')
  return response.end(
    `<!doctype html><title>${said}</title><a href="/${encodeURIComponent(said)}">${said}</a>`,
  )
})
afterAll(store.close)

test('neither the output of the service nor its database has a secret in clear', async () => {
  const { url, db, sql } = await testDatabase()
  const request = {
    name: 'test',
    scopes: ['audit' as const],
    domains: ['shop.example'],
    expires_at: null,
  }
  const { key } = await createKey(db, request, new Date())
  const env = {
    PORT: '0',
    STOP_DELAY: '0',
    // vitest sets its own.
    BASE_URL: '',
    LOG_LEVEL: 'debug',
    DATABASE_URL: url,
    DATA_DIR: await mkdtemp(join(inject('runFolder'), 'secrets-')),
    TEST_HOSTS: `*.example=${store.origin}`,
  }
  const child = spawn(process.execPath, [await program('main')], {
    env: { ...process.env, ...env },
  })
  const lines: string[] = []
  for (const input of [child.stdout, child.stderr]) {
    createInterface({ input }).on('line', (line) => lines.push(line))
  }
  try {
    const listening = () => lines.find((line) => line.includes('"listening"'))
    await eventually(() => listening() ?? lines.join('\n')).toContain('listening')
    const origin = `http://127.0.0.1:${JSON.parse(listening() ?? '{}').port}`
    const send = async (method: string, path: string, body?: unknown) => {
      const answer = await fetch(origin + path, {
        method,
        headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      return { status: answer.status, text: await answer.text() }
    }
    const given = {
      headers: { 'X-Door': HUSH[0] },
      preview_password: HUSH[1],
      basic_auth: { username: 'someone', password: HUSH[2] },
    }
    const answers = [
      await send('PUT', '/api/access/shop.example', given),
      await send('PUT', '/api/access/shop.example', { ...given, headers: { Host: HUSH[0] } }),
      await send('PUT', '/api/access/shop.example', `{"headers": "${HUSH[0]}"`),
      await send('POST', '/api/audit', { domain: 'shop.example' }),
      await send('POST', '/api/walk', { domain: 'shop.example', intents: ['po_box'] }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 422, 422, 200, 202])
    const ended = () => sql`select from walks where ended_at is not null`
    await eventually(async () => (await ended()).length).toBe(1)
    child.kill('SIGTERM')
    await once(child, 'exit')
    const tables = await sql<{ name: string }[]>`
      select format('%I.%I', schemaname, tablename) as name from pg_tables
      where schemaname not in ('pg_catalog', 'information_schema')`
    const rows = await Promise.all(
      tables.map(({ name }) => sql.unsafe(`select row_to_json(each)::text from ${name} each`)),
    )
    expect(await sql`select from site_access`).toHaveLength(1)
    const all = [JSON.stringify(rows), lines.join('\n'), ...answers.map(({ text }) => text)].join()
    const basic = Buffer.from(`someone:${HUSH[2]}`).toString('base64')
    for (const secret of [...HUSH, basic]) expect(all).not.toContain(secret)
    expect(lines.length).toBeGreaterThan(5)
  } finally {
    child.kill('SIGKILL')
  }
})
