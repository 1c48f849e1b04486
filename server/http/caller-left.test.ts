import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { eventually } from '../../shared/testing/wait.ts'
import { CHROME, SHOP } from '../attribution/beacon/testing/beacon.ts'
import { createProperty } from '../attribution/properties.ts'
import { createListener, STOP_TIMES } from '../listener.ts'
import { testApp } from '../testing/app.ts'

const { app, db, key, lines, sums } = await testApp()
const property = await createProperty(db, { domain: 'shop.example' }, new Date())
const listener = createListener(STOP_TIMES)
const port = await listener.listen(app.fetch, { host: '127.0.0.1', port: 0, setting: 'PORT' })
afterAll(() => listener.stop())

const JSON_BODY = `Authorization: Bearer ${key}\r\nContent-Type: application/json`
const FORM = 'Content-Type: application/x-www-form-urlencoded'

/** Sends a part of a body, and leaves. */
async function leave(path: string, headers: string, length: string) {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  socket.write(`POST ${path} HTTP/1.1\r\nHost: aisle.example\r\n${headers}\r\n${length}\r\n\r\n`)
  socket.write(length.startsWith('Content') ? '{"domain"' : '9\r\n{"domain"\r\n')
  // Its headers are read, and it waits for the rest.
  await new Promise((resolve) => setTimeout(resolve, 100))
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
