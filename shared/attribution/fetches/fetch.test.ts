import { expect, test } from 'vitest'
import { FETCH_PURPOSES } from '../surfaces.ts'
import {
  type AgentFetch,
  classifyFetch,
  FETCH_PROOFS,
  type FetchProof,
  type LogLine,
  type VerifyFetch,
} from './fetch.ts'

const line: LogLine = {
  ...{ at: '2026-11-29T06:00:00+01:00', method: 'GET', path: '/products/boot', status: 200 },
  userAgent: 'Mozilla/5.0 (compatible; ChatGPT-User/1.0; +https://openai.com/bot)',
}

test.each(FETCH_PROOFS)(
  'of an agent’s line is kept who it was and that it is %s',
  (proof: FetchProof) => {
    const verify: VerifyFetch = () => proof
    const kept: AgentFetch = {
      ...{ at: Date.UTC(2026, 10, 29, 5), path: '/products/boot', status: 200, surface: 'chatgpt' },
      ...{ operator: 'OpenAI', purpose: 'answer', agent: 'ChatGPT-User', verified: proof },
    }
    expect(classifyFetch(line, verify)).toEqual(kept)
    expect(FETCH_PURPOSES).toContain(kept.purpose)
  },
)

test.each([
  { userAgent: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/142.0.0.0 Safari/537.36' },
  // Apps of people, as public lists of devices have them.
  { userAgent: 'ChatGPT/1.2025.322 (iOS 26.1; iPhone17,1; build 19585375154)' },
  { userAgent: 'ChatGPT%20Atlas/20251113004245000 CFNetwork/3860.100.1 Darwin/25.0.0' },
  { userAgent: '' },
  { at: 'yesterday' },
])('nothing is kept of %o', (change) => {
  expect(classifyFetch({ ...line, ...change }, () => 'verified')).toBeNull()
})
