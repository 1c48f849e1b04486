import { expect, test } from 'vitest'
import { reportDomains } from './report-domains.ts'

test.each([
  [['a.example', 'b.example'], 'b.example', null, ['a.example', 'b.example'], 'b.example', true],
  [['a.example', 'a.example'], 'c.example', null, ['a.example', 'c.example'], 'a.example', true],
  [['a.example'], null, null, ['a.example'], 'a.example', true],
  [['a.example'], 'a.example', 'c.example', ['a.example', 'c.example'], 'c.example', false],
  [[], 'c.example', null, ['c.example'], 'c.example', false],
  [[], 'c.example', 'd.example', ['c.example', 'd.example'], 'd.example', false],
  [[], null, null, [], null, false],
  [[], null, 'd.example', [], 'd.example', false],
])('of the key %j, open %s, chosen %s', (own, open, chosen, options, domain, isOwn) => {
  expect(reportDomains(own, open, chosen)).toEqual({ options, domain, isOwn })
})
