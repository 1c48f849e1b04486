import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fakeBrowser } from 'wxt/testing/fake-browser'
import { toPageControls } from '../../shared/markup/control.ts'
import type { Collected } from '../page/collect/collected.ts'

function listeners<Listener>() {
  const all = new Set<Listener>()
  return {
    all,
    addListener: (each: Listener) => void all.add(each),
    removeListener: (each: Listener) => void all.delete(each),
  }
}

const executeScript = vi.fn<(injection: object) => Promise<{ result: unknown }[]>>()
interface Tab {
  id: number
  url?: string
}
const get = vi.fn<(id: number) => Promise<Tab>>()
const query = vi.fn<() => Promise<Tab[]>>()
const onUpdated = listeners<(id: number, change: object, tab: object) => void>()
const onActivated = listeners<() => void>()
const onClicked = listeners<() => void>()
vi.stubGlobal('chrome', {
  ...fakeBrowser,
  action: { onClicked },
  tabs: { get, query, onUpdated, onActivated },
  scripting: { executeScript },
})

const { auditTab, findTab, isSamePage, readPublishedManifest, showOnPage, watchTabs } =
  await import('./tab.ts')

const URL_ = 'https://shop.example/about'
const COLLECTED: Collected = {
  url: URL_,
  content_type: 'text/html',
  status: 200,
  html: '<title>About</title>',
  controls: toPageControls([]),
  served: { kind: 'failed', why: 'unreachable' },
}
const NOTE = {
  target: { kind: 'page' as const },
  title: '',
  detail: '',
  hint: '',
  absent: '',
  close: '',
}

beforeEach(() => {
  vi.useFakeTimers()
  executeScript.mockReset()
})
afterEach(() => {
  vi.useRealTimers()
})

/** The events of a tab, in the order of Chromium. */
function navigate(id: number, url: string) {
  for (const heard of onUpdated.all) {
    heard(id, { status: 'loading', url }, { id, url })
    heard(id, { status: 'complete' }, { id, url })
  }
}

test('a page is told once it stands still, and each tab for itself', async () => {
  const changed = vi.fn()
  const stop = watchTabs('?tab=7', changed)
  navigate(7, `${URL_}?page=1`)
  for (const page of [2, 3, 4]) {
    await vi.advanceTimersByTimeAsync(500)
    navigate(7, `${URL_}?page=${page}`)
    navigate(8, URL_)
  }
  await vi.advanceTimersByTimeAsync(500)
  expect(changed).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(200)
  expect(changed.mock.calls).toEqual([[{ id: 7, url: `${URL_}?page=4` }], [{ id: 8, url: URL_ }]])
  navigate(7, URL_)
  stop()
  await vi.advanceTimersByTimeAsync(1000)
  expect(changed).toHaveBeenCalledTimes(2)
  expect([...onUpdated.all, ...onActivated.all, ...onClicked.all]).toEqual([])
})

test('a page that begins to load is not told before it has loaded', async () => {
  const changed = vi.fn()
  const stop = watchTabs('?tab=7', changed)
  navigate(7, URL_)
  for (const heard of onUpdated.all) heard(7, { status: 'loading' }, { id: 7 })
  await vi.advanceTimersByTimeAsync(5000)
  expect(changed).not.toHaveBeenCalled()
  for (const heard of onUpdated.all) heard(7, { title: 'About' }, { id: 7 })
  for (const heard of onUpdated.all) heard(7, { status: 'complete' }, { id: 7 })
  await vi.advanceTimersByTimeAsync(700)
  expect(changed.mock.calls).toEqual([[{ id: 7, url: undefined }]])
  stop()
})

test('another tab, and a click on the button, are told immediately', () => {
  const changed = vi.fn()
  const stop = watchTabs('', changed)
  for (const { all } of [onActivated, onClicked]) for (const heard of all) heard()
  expect(changed.mock.calls).toEqual([[null], [null]])
  stop()
})

test.each([
  ['/mug', '/mug#size', true],
  ['/mug#size', '/mug#reviews', true],
  ['/mug#size', '/mug', true],
  ['/mug', '/mug', false],
  ['/mug#size', '/mug#size', false],
  ['/mug', '/bowl', false],
  ['/mug?variant=1', '/mug?variant=2', false],
  ['/mug', '/bowl#size', false],
  ['/', '/#/mug', false],
  ['/#/mug', '/#/bowl', false],
  ['/#!/mug', '/#!/bowl', false],
  ['/#/mug', '/', false],
])('from %s to %s is the same page: %s', (before, after, expected) => {
  expect(isSamePage(`https://shop.example${before}`, `https://shop.example${after}`)).toBe(expected)
})

test('the tab is the one that the address names, else the one in front', async () => {
  query.mockResolvedValue([{ id: 3, url: URL_ }])
  get.mockImplementation(async (id) => ({ id }))
  expect(await findTab('')).toEqual({ id: 3, url: URL_ })
  expect(await findTab('?tab=')).toEqual({ id: 3, url: URL_ })
  expect(await findTab('?tab=x')).toEqual({ id: 3, url: URL_ })
  expect(await findTab('?tab=8')).toEqual({ id: 8, url: undefined })
})

test('a tab that is gone is none', async () => {
  get.mockRejectedValueOnce(new Error('No tab with id: 99.'))
  expect(await findTab('?tab=99')).toBeNull()
  query.mockResolvedValueOnce([])
  expect(await findTab('')).toBeNull()
  expect(await auditTab(null, null)).toEqual({ refusal: 'no_tab' })
})

test('where nothing may be read, nothing is injected', async () => {
  expect(await auditTab({ id: 1, url: undefined }, null)).toEqual({ refusal: 'no_grant' })
  expect(await auditTab({ id: 1, url: 'about:blank' }, null)).toEqual({
    refusal: 'browser_page',
  })
  expect(executeScript).not.toHaveBeenCalled()
})

test('what the page’s script brings is judged apart', async () => {
  executeScript.mockResolvedValueOnce([{ result: COLLECTED }])
  const judge = vi.fn(async () => ({ refusal: 'too_slow' as const }))
  expect(await auditTab({ id: 7, url: URL_ }, 'https://aisle.example', judge)).toEqual({
    refusal: 'too_slow',
  })
  expect(judge).toHaveBeenCalledExactlyOnceWith({
    collected: COLLECTED,
    serverUrl: 'https://aisle.example',
  })
  expect(executeScript).toHaveBeenCalledExactlyOnceWith({
    target: { tabId: 7 },
    files: ['/collect.js'],
  })
})

test.each<[string, () => Promise<{ result: unknown }[]>]>([
  ['keeps scripts out', () => Promise.reject(new Error('Cannot access contents of the page.'))],
  ['has no document', async () => [{ result: null }]],
  ['gives nothing', async () => []],
])('a page that %s is refused in a sentence', async (_, answer) => {
  executeScript.mockImplementation(answer)
  expect(await auditTab({ id: 7, url: URL_ }, null)).toEqual({ refusal: 'failed' })
  expect(await showOnPage(7, NOTE)).toBe(false)
  expect(await readPublishedManifest(7)).toBeUndefined()
})

test('a page that is too busy to answer is given up', async () => {
  executeScript.mockReturnValue(new Promise(() => {}))
  const audited = auditTab({ id: 7, url: URL_ }, null)
  await vi.advanceTimersByTimeAsync(40_000)
  expect(await audited).toEqual({ refusal: 'no_answer' })
})

test('what a gap is about is pointed at by the script that was injected first', async () => {
  executeScript
    .mockResolvedValueOnce([{ result: undefined }])
    .mockResolvedValueOnce([{ result: true }])
  expect(await showOnPage(7, NOTE)).toBe(true)
  expect(executeScript.mock.calls[0]?.[0]).toMatchObject({ files: ['/highlight.js'] })
  expect(executeScript.mock.calls[1]?.[0]).toMatchObject({ args: [NOTE] })
})
