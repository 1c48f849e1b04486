import { expect, test } from 'vitest'
import { MAX_ROBOTS_CHARACTERS } from '../../../web/robots.ts'
import { runRules } from '../../rule.ts'
import { wellKnownRules } from './rules.ts'

const rule = wellKnownRules.filter(({ gap }) => gap === 'robots_blocks_ai_agents')
const judge = (body: string, truncated = false) => {
  const url = 'https://shop.example/robots.txt'
  const robots = {
    ...{ kind: 'answer' as const, method: 'GET', url, final_url: url, redirects: [] },
    ...{ status: 200, headers: {}, body, truncated, ms: 1 },
  }
  const https = { kind: 'not_asked' as const, reason: 'not needed' }
  const site = { domain: 'shop.example', label: 'shop', https, http: https }
  return runRules(rule, { site, robots, productPages: [] })[0]?.verdict.kind
}

test.each([
  ['an open file', '', false, 'pass'],
  ['a closed one', 'User-agent: *\nDisallow: /', false, 'gap'],
  ['the beginning of one', 'User-agent: *\nDisallow: /', true, 'skip'],
  ['one without an end', '#'.repeat(MAX_ROBOTS_CHARACTERS + 1), false, 'skip'],
])('%s', (_, body, truncated, kind) => {
  expect(judge(body, truncated)).toBe(kind)
})
