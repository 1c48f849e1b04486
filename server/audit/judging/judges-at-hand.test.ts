import { afterEach, expect, test } from 'vitest'
import { PATIENCE_MS } from '../../../shared/testing/wait.ts'
import { createJudges, type Judges } from './judges.ts'
import { createJudgesAtHand } from './judges-at-hand.ts'
import { openPage } from './sealed-page.ts'
import { type PageBody, runTask } from './tasks.ts'

const opened: Judges[] = []
afterEach(() => Promise.all(opened.splice(0).map((each) => each.close())))

/** How often something was done elsewhere, and what it was done by. */
function judgesOf(options: { maxMs?: number; perform?: typeof runTask } = {}) {
  let started = 0
  const judges = createJudgesAtHand({
    ...options,
    elsewhere: async () => {
      started += 1
      return createJudges({ maxMs: PATIENCE_MS })
    },
  })
  opened.push(judges)
  return { judges, started: () => started }
}

const bodyOf = (text: string): PageBody => ({
  status: 200,
  bytes: new TextEncoder().encode(text),
  contentType: 'text/html',
  truncated: false,
  url: 'https://shop.example/',
})

test('what is small is read without a worker', async () => {
  const { judges, started } = judgesOf()
  const read = await judges.run('page', bodyOf('<title>Shop</title>'))
  expect('done' in read && read.done.page && openPage(read.done.page).title).toBe('Shop')
  expect(await judges.run('json', bodyOf('{"a":1}'))).toMatchObject({
    done: { json: { ok: true, value: { a: 1 } } },
  })
  expect(started()).toBe(0)
  expect(judges.load()).toMatchObject({ workers: 0, tasks: { done: 2, time: 0 } })
})

test('what is large is read in a worker, and so is all that follows', async () => {
  const { judges, started } = judgesOf()
  const large = bodyOf(`<title>Large</title>${'<p>a</p>'.repeat(40_000)}`)
  const read = await judges.run('page', large)
  expect('done' in read && read.done.page && openPage(read.done.page).title).toBe('Large')
  expect(judges.load()).toMatchObject({ workers: 1, tasks: { done: 1 } })
  await judges.run('json', bodyOf('{}'))
  expect(judges.load()).toMatchObject({ workers: 1, tasks: { done: 2 } })
  expect(started()).toBe(1)
})

test.each<[string, () => unknown]>([
  [
    'a loop',
    () => {
      for (;;);
    },
  ],
  [
    'a loop that swallows exceptions',
    () => {
      for (;;) {
        try {
          for (;;);
        } catch {
          // On and on.
        }
      }
    },
  ],
  ['a regular expression', () => /^(a+)+$/.test(`${'a'.repeat(60)}b`)],
  ['an exception', () => JSON.parse('{')],
  [
    'a recursion',
    () => {
      const down = (): number => down() + 1
      return down()
    },
  ],
])('%s holds up this thread for a moment only, and is judged in a worker', async (_, happen) => {
  const perform: typeof runTask = (task, input) => {
    happen()
    return runTask(task, input)
  }
  const { judges, started } = judgesOf({ maxMs: 100, perform })
  const began = performance.now()
  const read = await judges.run('page', bodyOf('<title>Shop</title>'))
  // Without an end it would be forever.
  expect(performance.now() - began).toBeLessThan(PATIENCE_MS)
  expect('done' in read && read.done.page && openPage(read.done.page).title).toBe('Shop')
  expect(started()).toBe(1)
})

test('what is nested deeper than this stack is judged as a worker judges it', async () => {
  const body = () => bodyOf(`${'<div>'.repeat(20_000)}<title>Deep</title>`)
  const { judges } = judgesOf()
  const workers = createJudges({ maxMs: PATIENCE_MS })
  opened.push(workers)
  const { tookMs: _, ...inWorker } = await workers.run('page', body())
  expect(await judges.run('page', body())).toMatchObject(inWorker)
  const document = JSON.parse(`${'{"a":'.repeat(400)}1${'}'.repeat(400)}`)
  const { tookMs: __, ...manifest } = await workers.run('manifest', { document })
  expect(await judges.run('manifest', { document })).toMatchObject(manifest)
})
