import { expect, test } from 'vitest'
import { reportDomains } from './report-domains.ts'

test.each([
  [['a.example', 'b.example'], 'b.example', ['a.example', 'b.example'], 'b.example', true],
  [['a.example', 'a.example'], 'c.example', ['a.example', 'c.example'], 'a.example', true],
  [['a.example'], null, ['a.example'], 'a.example', true],
  [[], 'c.example', ['c.example'], 'c.example', false],
  [[], null, [], null, false],
])('of the key %j, open %s', (own, open, options, first, isOwn) => {
  expect(reportDomains(own, open)).toEqual({ options, first, isOwn })
})
