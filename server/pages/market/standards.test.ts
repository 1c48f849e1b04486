import { expect, test } from 'vitest'
import { resultOf } from '../../../shared/view/testing/markup.ts'
import { STANDARDS, standardSeen } from './standards.ts'

const [robots] = STANDARDS

test.each([
  [
    { gaps: [{ id: 'robots_blocks_ai_agents', label: 'robots.txt shuts agents out' }] },
    'robots.txt shuts agents out.',
  ],
  [{ passed: ['robots_allows_ai_agents'] }, 'Seen, and in order.'],
  [
    { skipped: [{ id: 'robots_blocks_ai_agents', check: 'well_known', reason: 'timeout' }] },
    'It could not be judged.',
  ],
  [{}, 'Not seen: the store has none, or need not.'],
])('what an audit saw of robots.txt in %j', (more, said) => {
  expect(standardSeen(robots!, resultOf(more as never))).toBe(said)
})

test('what no audit reads says why, and is not said to be missing', () => {
  const unread = STANDARDS.filter(({ seenBy }) => typeof seenBy === 'string')
  expect(unread.length).toBeGreaterThan(0)
  for (const each of unread) {
    expect(standardSeen(each, resultOf({}))).toMatch(
      /^Not (?:asked for|to be seen)[^.]*: .+\.$|^Not to be seen .+: .+\.$/,
    )
  }
  for (const { seenBy } of STANDARDS) expect(seenBy.length).toBeGreaterThan(0)
})

test.each([[{ passed: ['content_signals'] }, 'Seen, and in order.']])(
  'Content-Signal in %j',
  (more, said) => {
    const signal = STANDARDS.find(({ name }) => name.startsWith('Content-Signal'))
    expect(standardSeen(signal!, resultOf(more as never))).toBe(said)
  },
)

test('each row has a name of its own, an https page, and a day where the page may change', () => {
  expect(new Set(STANDARDS.map(({ name }) => name)).size).toBe(STANDARDS.length)
  for (const { source, read } of STANDARDS) {
    expect(source).toMatch(/^https:\/\//)
    expect(read ?? '2026-01-01').toMatch(/^20\d\d-\d\d-\d\d$/)
  }
})
