import { expect, test } from 'vitest'
import { failureText, waitText } from './failure-text.ts'
import { apiFailure } from './result.ts'

test.each([
  [0, '0 seconds'],
  [1, '1 second'],
  [59, '59 seconds'],
  [119, '119 seconds'],
  [120, '2 minutes'],
  [3541, '60 minutes'],
])('%i s is %s', (seconds, words) => {
  expect(waitText(seconds)).toBe(words)
})

test('the quota says how long, and a fault of the server says what to tell the operator', () => {
  const limited = apiFailure('rate_limited', 'Slow down.', { retry_after_s: 180, request_id: 'r' })
  expect(failureText(limited)).toEqual({
    title: 'Too many requests',
    text: 'Try again in 3 minutes.',
    inOptions: false,
    seconds: 180,
    request_id: 'r',
  })
  const broken = apiFailure('server', 'Something failed on our side.', { request_id: 'r-2' })
  expect(failureText(broken)).toMatchObject({ seconds: null, request_id: 'r-2' })
})

test('what the server says is shown as it says it', () => {
  const told = failureText(apiFailure('invalid', 'Correct domain: <b>$1</b>.'))
  expect(told.text).toBe('Correct domain: <b>$1</b>.')
})

test.each(['domain_unreachable', 'domain_blocked', 'nothing_judged', 'too_large_to_judge'])(
  'a shop that has no result (%s) is not a request that was wrong',
  (code) => {
    const { title, text: advice } = failureText(apiFailure('invalid', 'It says why.', { code }))
    expect([title, advice]).toEqual(['The store could not be audited', 'It says why.'])
  },
)
