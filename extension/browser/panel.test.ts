import { expect, test, vi } from 'vitest'
import { eventually } from '../../shared/testing/wait.ts'
import { openPanel } from './panel.ts'

const create = () => vi.fn(async () => undefined)

test('the panel opens within the click, before anything is awaited', () => {
  const open = vi.fn(async () => undefined)
  const tabs = { create: create() }
  openPanel({ sidePanel: { open }, tabs }, { id: 7 })
  expect(open).toHaveBeenCalledExactlyOnceWith({ tabId: 7 })
  expect(tabs.create).not.toHaveBeenCalled()
})

test('a browser without a side panel gets a tab', () => {
  const tabs = { create: create() }
  openPanel({ tabs }, { id: 7 })
  expect(tabs.create).toHaveBeenCalledExactlyOnceWith({ url: '/app.html?tab=7' })
})

test('a panel that may not open becomes a tab', async () => {
  const tabs = { create: create() }
  const open = () => Promise.reject(new Error('no panel here'))
  openPanel({ sidePanel: { open }, tabs }, { id: 7 })
  await eventually(() => tabs.create.mock.calls).toHaveLength(1)
})

test('a click beside any tab opens nothing', () => {
  const tabs = { create: create() }
  openPanel({ tabs }, {})
  expect(tabs.create).not.toHaveBeenCalled()
})
