import { afterEach, expect, test } from 'vitest'
import { eventually } from '../../shared/testing/wait.ts'
import { createGate, pretendStore } from '../audit/walk/testing/pretend-store.ts'
import { testApp } from '../testing/app.ts'
import { type AskApi, apiBackend } from './api-backend.ts'

const gate = createGate()
const { ask: askApp, walks, sql } = await testApp({ store: pretendStore({ hold: gate.hold }) })
afterEach(() => walks.stop(0))

/** The tools of one client, and their requests to the API. */
function client() {
  const asked: string[] = []
  const leaving = new AbortController()
  const ask: AskApi = async ({ method, path, headers = {}, body, signal }) => {
    const response = await askApp(path, { method, headers, body, signal })
    asked.push(`${method} ${response.status}`)
    return response
  }
  const job = { signal: leaving.signal, progress: () => {} }
  return { asked, job, backend: apiBackend(ask, 1), leave: () => leaving.abort() }
}

test('the transcript of a walk is read where it has grown, and only who began it ends it', async () => {
  const first = client()
  const walked = first.backend.walk({ domain: 'shop.example' }, first.job).catch(() => 'left')
  await eventually(() => first.asked).toContain('GET 304')
  const [row] = await sql<{ id: string }[]>`select id from walks`
  const walk_id = row?.id ?? ''

  const other = client()
  const again = other.backend.walkAgain({ walk_id }, other.job).catch(() => 'left')
  await eventually(() => other.asked).toContain('GET 304')
  other.leave()
  expect(await again).toBe('left')
  expect(other.asked.filter((each) => each.startsWith('DELETE'))).toEqual([])
  expect(await sql`select state from walks`).toEqual([{ state: 'under_way' }])

  first.leave()
  expect(await walked).toBe('left')
  expect(first.asked.at(-1)).toBe('DELETE 200')
  expect(await sql`select state from walks`).toEqual([{ state: 'cancelled' }])
})
