import { expect, test } from 'vitest'
import { type BadgeAction, clearBadge, showBadge } from './badge.ts'

function recorded(fails = false) {
  const calls: Record<string, unknown> = {}
  const record = (name: string) => async (details: object) => {
    if (fails) throw new Error('No tab with id: 7.')
    calls[name] = details
  }
  const action: BadgeAction = {
    setBadgeText: record('text'),
    setBadgeBackgroundColor: record('background'),
    setBadgeTextColor: record('color'),
    setTitle: record('title'),
  }
  return { calls, action }
}

/** WCAG 2.2, relative luminance. */
function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

test.each(['A', 'B', 'C', 'D'] as const)(
  'the score of a page that would be %s can be read',
  async (grade) => {
    const { calls, action } = recorded()
    await showBadge(action, 7, { score: 81, grade }, 'Aisle: 81 of 100')
    expect(calls.text).toEqual({ tabId: 7, text: '81' })
    expect(calls.title).toEqual({ tabId: 7, title: 'Aisle: 81 of 100' })
    expect(calls.color).toEqual({ tabId: 7, color: '#ffffff' })
    const { color } = calls.background as { color: string }
    expect(1.05 / (luminance(color) + 0.05)).toBeGreaterThanOrEqual(4.5)
  },
)

test('a page that cannot be checked has no score', async () => {
  const { calls, action } = recorded()
  await clearBadge(action, 7)
  expect(calls).toEqual({ text: { tabId: 7, text: '' }, title: { tabId: 7, title: '' } })
})

test('a tab that was closed is no error', async () => {
  await expect(clearBadge(recorded(true).action, 7)).resolves.toBeUndefined()
  await expect(
    showBadge(recorded(true).action, 7, { score: 81, grade: 'A' }, ''),
  ).resolves.toBeUndefined()
})
