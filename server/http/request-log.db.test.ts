import { expect, test } from 'vitest'
import { testApp } from '../testing/app.ts'
import { isLogged, type LoggedRequests } from './request.ts'

const LOW = '00000000-0000-4000-8000-000000000000'
const HIGH = 'ffffffff-0000-4000-8000-000000000000'

test.each<[LoggedRequests, string, number, boolean]>([
  [{ share: 1 }, HIGH, 200, true],
  [{ share: 1 }, HIGH, 499, true],
  [{ share: 0 }, LOW, 200, false],
  [{ share: 0 }, LOW, 304, false],
  [{ share: 0 }, LOW, 499, false],
  [{ share: 0 }, HIGH, 400, true],
  [{ share: 0 }, HIGH, 503, true],
  [{ share: 0.01 }, LOW, 200, true],
  [{ share: 0.01 }, HIGH, 200, false],
  [{ share: 0.01 }, HIGH, 500, true],
  ['off', LOW, 200, false],
  ['off', LOW, 500, false],
])('%j: %s with %d is logged: %s', (which, id, status, logged) => {
  expect(isLogged(which, id, status)).toBe(logged)
})

test('a share of the ids is that share', () => {
  // All that an id may begin with, evenly.
  const ids = Array.from(
    { length: 2 ** 12 },
    (_, n) => n.toString(16).padStart(3, '0') + LOW.slice(3),
  )
  expect(ids.filter((id) => isLogged({ share: 0.25 }, id, 200))).toHaveLength(2 ** 10)
})

test.each<[LoggedRequests, string[]]>([
  [{ share: 1 }, ['/livez 200', '/nothing 404', '/api/report 401']],
  [{ share: 0 }, ['/nothing 404', '/api/report 401']],
  ['off', []],
])('with %j the lines are %j', async (loggedRequests, expected) => {
  const { app, lines } = await testApp({ loggedRequests })
  await app.request('/livez')
  await app.request('/nothing')
  await app.request('/api/report', { method: 'POST', body: '{}' })
  expect(
    lines.map((line) => JSON.parse(line)).map(({ path, status }) => `${path} ${status}`),
  ).toEqual(expected)
})
