import { expect, test } from 'vitest'
import type { Fetched, NoAnswer } from '../../../web/http/fetched.ts'
import { runRules } from '../../rule.ts'
import { wellKnownRules } from './rules.ts'

const rule = wellKnownRules.filter(({ gap }) => gap === 'https_missing')
const answer: Fetched = {
  ...{ kind: 'answer', method: 'GET', url: 'http://shop.example/', redirects: [], status: 301 },
  ...{ final_url: 'http://shop.example/', headers: {}, body: '', truncated: false, ms: 1 },
}
const failed = (why: NoAnswer['why']): Fetched => ({
  ...{ kind: 'no_answer', method: 'GET', url: 'https://shop.example/', why, message: why, ms: 1 },
})
const judge = (https: Fetched, http: Fetched) =>
  runRules(rule, { site: { domain: 'shop.example', label: 'shop', https, http } })[0]?.verdict.kind

test.each<[NoAnswer['why'], string]>([
  ['unreachable', 'gap'],
  ['certificate', 'gap'],
  ['protocol', 'gap'],
  ['timeout', 'skip'],
  ['redirect', 'skip'],
  ['too_large', 'skip'],
])('http answers, and https fails by %s: %s', (why, kind) => {
  expect(judge(failed(why), answer)).toBe(kind)
  expect(judge(failed(why), failed('unreachable'))).toBe('skip')
})

test('what answers over https has it', () => {
  expect(judge(answer, { kind: 'not_asked', reason: 'not needed' })).toBe('pass')
})
