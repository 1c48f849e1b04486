import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { advance, type Seen, type WatchState } from './debounce.ts'

const LETTERS: Record<string, Seen> = { w: 'wrong', '.': 'well', '?': 'unknown' }

/**
 * What each look of a pattern opens and closes: `O`, `C` or `-`, and whether it asks for another.
 */
function play(pattern: string) {
  let state: WatchState = {}
  return [...pattern].map((letter, n) => {
    const seen = new Map([['it', LETTERS[letter] ?? 'unknown']])
    const next = advance(state, seen, `2026-11-25T10:${String(n).padStart(2, '0')}:00.000Z`)
    state = next.state
    const did = next.opened.length > 0 ? 'O' : next.closed.length > 0 ? 'C' : '-'
    return { did, again: next.checkAgain, known: next.known.length > 0, state: state.it }
  })
}
const did = (pattern: string) =>
  play(pattern)
    .map((each) => each.did)
    .join('')

/** Each letter is one look: `w` wrong, `.` well, `?` not to be seen. */
const FLAPPING = [
  '.w.',
  '.w.w.',
  '.w.w.w.w.w.',
  '.w..w..w.',
  '.w...w....w',
  '..w.',
  '.w?.',
  '.w??.',
  '.?w.',
  '.?w?.',
  '.w?.w?.',
  '.w.?w.?',
  '.???',
  '.?.?.?',
  '?.w.',
  '??.w.',
  '.?',
  '?',
  '.w',
  '.w?',
  '.w????????.',
  '.w.w?.w.?w.',
  '?.?w?.?w?.',
  '..............w..............',
  '.w.......w.......w.......w.......w.',
  '.?.w.?.w.?.',
  '.w?????',
  '.?????w',
  '.....?????.....',
  '.w..?..w..?..w.',
]

test('there are thirty patterns', () => expect(new Set(FLAPPING).size).toBe(30))

test.each(FLAPPING)('what flaps opens nothing: %s', (pattern) => {
  expect(did(pattern)).not.toMatch(/[OC]/)
})

describe('what is seen twice is believed', () => {
  test.each([
    ['.ww', '--O'],
    ['.w?w', '---O'],
    ['.ww..', '--O-C'],
    ['.ww.w.w..', '--O-----C'],
    ['.ww?', '--O-'],
    ['.ww.?.', '--O--C'],
    ['.ww..ww', '--O-C-O'],
    ['.wwwww', '--O---'],
    // It was there when it was first looked at: nothing changed.
    ['w', '-'],
    ['www', '---'],
    ['?w', '--'],
    ['w..', '--C'],
    ['w..ww', '--C-O'],
  ])('%s: %s', (pattern, expected) => expect(did(pattern)).toBe(expected))
})

test('what was wrong from the beginning is known, and nothing else is', () => {
  expect(play('w')[0]?.known).toBe(true)
  expect(play('.ww').some(({ known }) => known)).toBe(false)
})

test('a change that was seen once asks for another look, and what stays the same for none', () => {
  expect(play('.ww..').map(({ again }) => again)).toEqual([false, true, false, true, false])
  expect(play('.w?').map(({ again }) => again)).toEqual([false, true, false])
})

test('since when, when it was last well, and how often it flapped are kept', () => {
  expect(play('..ww').at(-1)?.state).toEqual({
    is: 'wrong',
    well_at: '2026-11-25T10:01:00.000Z',
    since: '2026-11-25T10:02:00.000Z',
    flaps: 0,
  })
  expect(play('.w.w...').at(-1)?.state).toEqual({
    is: 'well',
    well_at: '2026-11-25T10:06:00.000Z',
    since: null,
    flaps: 2,
    flapped_at: '2026-11-25T10:04:00.000Z',
  })
})

test('whatever is seen, openings and closings take turns, and each needs two looks that agree', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('w', '.', '?'), maxLength: 60 }), (pattern) => {
      const looks = play(pattern)
      let isOpen = looks.some(({ known }) => known)
      const firstSeen = pattern.replaceAll('?', '')[0]
      expect(isOpen).toBe(firstSeen === 'w')
      for (const [n, look] of looks.entries()) {
        const before = pattern.slice(0, n + 1).replaceAll('?', '')
        if (look.did === 'O') {
          expect(isOpen).toBe(false)
          expect(before.endsWith('ww')).toBe(true)
          isOpen = true
        }
        if (look.did === 'C') {
          expect(isOpen).toBe(true)
          expect(before.endsWith('..')).toBe(true)
          isOpen = false
        }
      }
    }),
    { seed: 23 },
  )
})
