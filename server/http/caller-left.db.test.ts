import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import type { HttpBindings } from '@hono/node-server'
import { afterAll, expect, test } from 'vitest'
import { eventually } from '../../shared/testing/wait.ts'
import { CHROME, SHOP } from '../attribution/beacon/testing/beacon.ts'
import { createProperty } from '../attribution/properties.ts'
import { createListener } from '../process/listener.ts'
import { STOP_TIMES } from '../process/stop-times.ts'
import { testApp } from '../testing/app.ts'

const { app, db, key, lines, sums } = await testApp()
const property = await createProperty(db, { domain: 'shop.example' }, new Date())
const listener = createListener(STOP_TIMES)
/** The newest request, as Node has it. */
let incoming: IncomingMessage | undefined
const serve: typeof app.fetch = (request, env, context) => {
  incoming = (env as HttpBindings).incoming
  return app.fetch(request, env, context)
}
const port = await listener.listen(serve, { host: '127.0.0.1', port: 0, setting: 'PORT' })
afterAll(() => listener.stop())

const JSON_BODY = `Authorization: Bearer ${key}\r\nContent-Type: application/json`
const FORM = 'Content-Type: application/x-www-form-urlencoded'

/** Sends a part of a body, and leaves. */
async function leave(path: string, headers: string, length: string) {
  incoming = undefined
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  socket.write(`POST ${path} HTTP/1.1\r\nHost: aisle.example\r\n${headers}\r\n${length}\r\n\r\n`)
  socket.write(length.startsWith('Content') ? '{"domain"' : '9\r\n{"domain"\r\n')
  // What came of it is read, and the rest is waited for.
  await eventually(() => incoming?.readableDidRead).toBe(true)
  socket.destroy()
}

test.each([
  ['/api/report', JSON_BODY],
  ['/api/audit', JSON_BODY],
  ['/api/manifest', JSON_BODY],
  ['/api/manifest/validate', JSON_BODY],
  ['/tools/validate', FORM],
  ['/sign-in', FORM],
])(
  'a client that leaves in the middle of POST %s is a line, and no error',
  async (path, headers) => {
    for (const length of ['Content-Length: 100', 'Transfer-Encoding: chunked']) {
      lines.splice(0)
      await leave(path, headers, length)
      await eventually(() => lines).toHaveLength(1)
      expect(JSON.parse(lines[0]!)).toMatchObject({ level: 30, method: 'POST', path, status: 499 })
      expect(lines[0]).not.toContain('"err"')
    }
  },
)

test('one that leaves in the middle of a beacon is counted as such', async () => {
  lines.splice(0)
  const headers = `Origin: ${SHOP}\r\nContent-Type: text/plain\r\nUser-Agent: ${CHROME}`
  await leave(`/sessions?id=${property.id}`, headers, 'Content-Length: 100')
  const flushed = () => {
    sums.flush()
    return lines
  }
  await eventually(flushed).toHaveLength(1)
  expect(JSON.parse(lines[0]!)).toMatchObject({ outcome: 'caller_left', count: 1 })
})
