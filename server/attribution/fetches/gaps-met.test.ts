import { expect, test } from 'vitest'
import type { AgentSums, Wall } from '../../../shared/attribution/fetches/report.ts'
import { gapsMet } from './gaps-met.ts'

const sums = (agent: string, counts: Partial<AgentSums>): AgentSums => ({
  ...{ agent, operator: 'OpenAI', surface: 'chatgpt', purpose: 'answer', verified: 'verified' },
  ...{ fetches: 20, read: 0, refused: 0, missing: 0, failed: 0, robots: 0, days: 2 },
  ...{ last_at: '2026-11-20T10:00:00.000Z', ...counts },
})
const wall = (agent: string, path: string, status: number): Wall => ({
  ...{ agent, path, status, fetches: 10, last_at: '2026-11-20T10:00:00.000Z' },
})
const WALLS = [wall('ChatGPT-User', '/boot', 403), wall('OAI-SearchBot', '/gone', 404)]

test.each<[string, AgentSums[], string[]]>([
  [
    'one agent is refused most of what it asks for, the others nothing',
    [sums('ChatGPT-User', { refused: 10, robots: 2 }), sums('Claude-User', { fetches: 900 })],
    [
      'agents_refused: The server refused verified agents 10 times of 18: ChatGPT-User, most often for /boot.',
    ],
  ],
  [
    'most pages are gone',
    [sums('OAI-SearchBot', { missing: 12 })],
    [
      'product_pages_dead: Verified agents met a missing page 12 times of 20: OAI-SearchBot, most often for /gone.',
    ],
  ],
  ['a page is closed and a link is dead', [sums('ChatGPT-User', { refused: 9, missing: 9 })], []],
  ['four requests say nothing', [sums('ChatGPT-User', { fetches: 4, refused: 4 })], []],
  ['nobody proved who they are', [sums('ChatGPT-User', { refused: 20, verified: 'claimed' })], []],
])('%s', (_, agents, expected) => {
  expect(gapsMet(agents, WALLS).map(({ id, detail }) => `${id}: ${detail}`)).toEqual(expected)
})
