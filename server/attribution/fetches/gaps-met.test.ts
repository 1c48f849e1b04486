import { expect, test } from 'vitest'
import { CHALLENGED } from '../../../shared/attribution/fetches/kept.ts'
import type { AgentSums, Wall } from '../../../shared/attribution/fetches/report.ts'
import { gapsMet } from './gaps-met.ts'

const WALLS: Wall[] = [
  { ...{ agent: 'ChatGPT-User', path: '/boot', status: 403 }, fetches: 10, last_at: '' },
  { ...{ agent: 'ChatGPT-User', path: '/hat', status: CHALLENGED }, fetches: 7, last_at: '' },
]
const PERPLEXITY: AgentSums = {
  ...{ agent: 'PerplexityBot', operator: 'Perplexity', surface: 'perplexity', purpose: 'search' },
  ...{ verified: 'verified', fetches: 4, read: 4, refused: 0, missing: 0, failed: 0, robots: 4 },
  ...{ days: 4, last_at: '2026-11-20T10:00:00.000Z' },
}
const refused = (agent: string, times: number, asked: number, challenged = 0) => ({
  ...{ agent, refused: times, asked, challenged },
})
const pages = (...missing: number[]) => missing.map((each, n) => ({ path: `/${n}`, missing: each }))

test.each<[string, Partial<Parameters<typeof gapsMet>[0]>, string[]]>([
  [
    'one agent is refused most of what it asks for, the others nothing',
    { refused: [refused('ChatGPT-User', 10, 18), refused('Claude-User', 9, 900)] },
    ['agents_refused: The server refused ChatGPT-User 10 times of 18, most often for /boot.'],
  ],
  [
    'one agent gets challenges, and is refused besides',
    { refused: [refused('ChatGPT-User', 3, 18, 7), refused('Claude-User', 0, 9, 4)] },
    [
      'agents_refused: The server refused ChatGPT-User 3 times of 18, most often for /boot.',
      'agents_challenged: The server sent a challenge to ChatGPT-User 7 times of 18, most often for /hat.',
    ],
  ],
  [
    'most product pages are gone',
    { products: pages(6, 4, 0) },
    ['product_pages_dead: Verified agents met 2 of 3 product pages as gone, 10 times: /0, /1.'],
  ],
  [
    'a crawler that the store wants reads robots.txt alone',
    { agents: [PERPLEXITY] },
    [
      'robots_blocks_ai_agents: PerplexityBot read robots.txt 4 times on 4 days, and no page after it.',
    ],
  ],
  ['a page is closed', { refused: [refused('ChatGPT-User', 9, 18)] }, []],
  ['one product page of two is gone', { products: pages(9, 0) }, []],
  ['four requests say nothing', { refused: [refused('GPTBot', 4, 4)], products: pages(4) }, []],
  ['it only calls itself so', { agents: [{ ...PERPLEXITY, verified: 'claimed' }] }, []],
])('%s', (_, met, expected) => {
  const found = gapsMet({ agents: [], refused: [], products: [], walls: WALLS, ...met })
  expect(found.map(({ id, detail }) => `${id}: ${detail}`)).toEqual(expected)
})
