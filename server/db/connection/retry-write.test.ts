import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { retryWrite } from './retry-write.ts'

const CALM = new AbortController().signal
const away = () => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })

/** Fails so often, and says how often it was tried. */
function failing(times: number, error: Error) {
  const written = { tries: 0 }
  const write = async () => {
    written.tries += 1
    if (written.tries <= times) throw error
    return 'written'
  }
  return { written, write }
}

test('what cannot be written while the database is away is written once it is back', async () => {
  const { written, write } = failing(2, away())
  expect(await retryWrite(write, CALM)).toBe('written')
  expect(written.tries).toBe(3)
})

test('a standby that has not taken over yet is waited for', async () => {
  const { write } = failing(1, Object.assign(new Error('read-only'), { code: '25006' }))
  expect(await retryWrite(write, CALM)).toBe('written')
})

test('what the database refuses is not tried again', async () => {
  const refused = Object.assign(new Error('value too long'), { code: '22001' })
  const { written, write } = failing(1, refused)
  await expect(retryWrite(write, CALM)).rejects.toBe(refused)
  expect(written.tries).toBe(1)
})

test('an abort ends the wait, and is followed by one last try', async () => {
  const ending = new AbortController()
  const { written, write } = failing(Number.POSITIVE_INFINITY, away())
  const writing = retryWrite(write, ending.signal)
  const over = expect(writing).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  await setImmediate()
  expect(written.tries).toBe(1)
  ending.abort()
  await setImmediate()
  expect(written.tries).toBe(2)
  await over
})
