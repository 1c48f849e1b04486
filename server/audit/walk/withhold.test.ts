import { expect, test } from 'vitest'
import { withholder } from './withhold.ts'

const withhold = withholder(['tok_a/b+c', 'Bearer agent:key'])

test.each([
  ['as it is', 'paid with tok_a/b+c today', 'paid with (withheld) today'],
  ['twice', 'tok_a/b+ctok_a/b+c', '(withheld)(withheld)'],
  ['in a URL', 'https://x.example/?t=tok_a%2Fb%2Bc', 'https://x.example/?t=(withheld)'],
  ['as JSON of others escapes it', '{"t":"tok_a\\/b+c"}', '{"t":"(withheld)"}'],
  ['with its scheme', 'Bearer agent:key', '(withheld)'],
  ['without its scheme', 'key agent:key is unknown', 'key (withheld) is unknown'],
  ['a scheme alone is none', 'WWW-Authenticate: Bearer', 'WWW-Authenticate: Bearer'],
  ['another is none', 'tok_a', 'tok_a'],
])('a secret %s', (_, text, expected) => {
  expect(withhold(text)).toBe(expected)
})

test('wherever it stands, names included; everything else is as it was', () => {
  const value = {
    a: ['tok_a/b+c', 1, null, true],
    'tok_a/b+c': { deep: 'agent:key' },
    b: undefined,
  }
  expect(withhold(value)).toEqual({
    a: ['(withheld)', 1, null, true],
    '(withheld)': { deep: '(withheld)' },
    b: undefined,
  })
})

test('a secret that is a part of another leaves nothing of that', () => {
  expect(withholder(['tok_1', 'tok_123'])('tok_123')).toBe('(withheld)')
})

test('without secrets texts become what Postgres can store', () => {
  expect(withholder([])({ a: 'x\u0000y\ud800z' })).toEqual({ a: 'x\ufffdy\ufffdz' })
  expect(withholder([])('😀')).toBe('😀')
})
