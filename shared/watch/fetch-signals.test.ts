import { expect, test } from 'vitest'
import { shiftDay } from '../web/moment.ts'
import { type AgentDay, judgeAgents } from './fetch-signals.ts'

const TODAY = '2026-11-30'
const daily = (agent: string, { from = 16, to = 1, refused = 0 } = {}): AgentDay[] =>
  Array.from({ length: from - to + 1 }, (_, n) => ({
    ...{ day: shiftDay(TODAY, n - from), agent, fetches: 20, refused },
  }))
const judged = (days: AgentDay[], open: string[] = []) =>
  judgeAgents(days, { today: TODAY, open: new Set(open) })
    .filter(({ seen }) => seen === 'wrong')
    .map(({ subject }) => subject)

test('an agent that came daily and stops is told, while others come', () => {
  const others = daily('PerplexityBot')
  expect(judged([...others, ...daily('GPTBot', { to: 3 })])).toEqual(['agent_stopped:GPTBot'])
  // It still comes, was no daily guest, or the log itself has stopped.
  expect(judged([...others, ...daily('GPTBot', { to: 2 })])).toEqual([])
  expect(judged([...others, ...daily('GPTBot', { from: 8, to: 3 })])).toEqual([])
  expect(judged(daily('GPTBot', { to: 3 }))).toEqual([])
})

test('an agent that is refused is told until it is let through again', () => {
  expect(judged(daily('GPTBot', { refused: 5 }))).toEqual(['agent_walled:GPTBot'])
  expect(judged(daily('GPTBot', { refused: 3 }))).toEqual([])
  const open = ['agent_walled:GPTBot']
  expect(judged(daily('GPTBot', { refused: 3 }), open)).toEqual(open)
  expect(judged(daily('GPTBot', { refused: 1 }), open)).toEqual([])
})
