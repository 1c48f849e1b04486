import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { rulesOf } from '../../../shared/audit/checks/index.ts'
import { PATIENCE_MS } from '../../../shared/testing/wait.ts'
import type { Fetched } from '../../../shared/web/http/fetched.ts'
import { program } from '../../testing/program.ts'
import { createJudges, type Judges } from './judges.ts'
import { openPage } from './sealed-page.ts'
import type { PageBody } from './tasks.ts'

/** Of processor: starting a worker takes a tenth of it, however busy the cores are. */
const MAX_MS = 1_000
let judges: Judges
/** Of tasks that failed, what was said of why. */
const failures: unknown[][] = []

beforeAll(async () => {
  judges = createJudges({
    maxMs: MAX_MS,
    longestMs: PATIENCE_MS / 4,
    file: await program('misbehaving-worker'),
    onFailed: (error, task) => failures.push([task, String(error)]),
  })
})
afterAll(() => judges?.close())

const PRODUCT = '<script type="application/ld+json">{"@type":"Product","name":"Mug"}</script>'
const bodyOf = (url: string, text: string, status = 200): PageBody => ({
  status,
  bytes: new TextEncoder().encode(text),
  contentType: 'text/html',
  truncated: false,
  url,
})
const readPage = (name: string) =>
  judges.run('page', bodyOf(`https://${name}.example/`, `<title>${name}</title>${PRODUCT}`))

test('a page is read in another thread, and comes back as it is', async () => {
  const read = await readPage('shop')
  expect(read).toMatchObject({ done: { platform: null } })
  expect('done' in read && read.done.page && openPage(read.done.page)).toMatchObject({
    title: 'shop',
    json_ld_blocks: 1,
  })
})

test('a page under an error status is not read', async () => {
  const read = await judges.run('page', bodyOf('https://shop.example/gone', PRODUCT, 404))
  expect(read).toMatchObject({
    done: { page: null, challenge: null, platform: null, signs: [], excerpt: PRODUCT },
  })
})

test('the bytes are moved, not copied', async () => {
  const body = bodyOf('https://shop.example/', PRODUCT)
  await judges.run('page', body)
  expect(body.bytes.byteLength).toBe(0)
})

test('a page that is judged is moved there as well, a home page that is a product page too', async () => {
  const read = await readPage('shop')
  const page = 'done' in read ? read.done.page : null
  const fetched: Fetched = { kind: 'not_asked', reason: 'it is a test' }
  const evidence = {
    homePage: { fetched, page },
    productPages: [{ fetched, page, found_by: 'home_page' as const }],
  }
  const judged = await judges.run('judge', { checks: ['entity'], evidence })
  expect('done' in judged && Object.keys(judged.done.verdicts)).toEqual(
    rulesOf(['entity']).map(({ id }) => id),
  )
  expect(page?.bytes.byteLength).toBe(0)
})

test('a task waits a moment while this thread is busy', async () => {
  const began = performance.now()
  await readPage('shop')
  // Busy for most of the time since it was last looked at, however long the worker took to start.
  const until = performance.now() + 300 + 3 * (performance.now() - began)
  while (performance.now() < until);
  const asked = performance.now()
  await readPage('shop')
  expect(performance.now() - asked).toBeGreaterThanOrEqual(99)
})

test.each([
  ['loop', { exceeded: 'it took more than 1 s' }, []],
  ['wait', { exceeded: 'the machine of this audit was too busy to read it', ours: 'starved' }, []],
  ['memory', { exceeded: 'it took too much memory' }, []],
  [
    'exit',
    { exceeded: 'reading it failed', ours: 'failed' },
    ['Error: The judging worker ended with 7.'],
  ],
  ['throw', { exceeded: 'reading it failed', ours: 'failed' }, ['Error: thrown']],
])(
  'a task that ends in a %s costs itself alone, and says why if it failed',
  async (name, expected, said) => {
    failures.length = 0
    const before = { ...judges.load().tasks }
    // More than there are workers: those that wait get new ones.
    const [bad, ...good] = await Promise.all(
      [name, 'a', 'b', 'c', 'd', 'e'].map((each) => readPage(each)),
    )
    expect(bad).toMatchObject(expected)
    expect(failures).toEqual(said.map((error) => ['page', error]))
    for (const [n, read] of good.entries()) {
      expect(read).toMatchObject({ done: { page: { url: `https://${'abcde'[n]}.example/` } } })
    }
    const { tasks, workers, most, waiting } = judges.load()
    const given = {
      loop: 'time',
      wait: 'starved',
      memory: 'memory',
      exit: 'failed',
      throw: 'failed',
    } as const
    const became = given[name as keyof typeof given]
    expect(tasks).toEqual({ ...before, [became]: before[became] + 1, done: before.done + 5 })
    expect(workers).toBeGreaterThan(0)
    expect(workers).toBeLessThanOrEqual(most)
    expect(waiting).toBe(0)
  },
)

test('a worker is ended once it has had nothing to do for ten seconds since its last task', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const used = createJudges({ file: await program('misbehaving-worker') })
  try {
    const read = () => used.run('page', bodyOf('https://shop.example/', PRODUCT))
    await read()
    vi.advanceTimersByTime(9_900)
    await read()
    vi.advanceTimersByTime(9_900)
    expect(used.load()).toMatchObject({ workers: 1, tasks: { done: 2 } })
    expect(vi.getTimerCount()).toBe(1)
    vi.advanceTimersByTime(100)
    expect(used.load().workers).toBe(0)
  } finally {
    vi.useRealTimers()
    await used.close()
  }
})

test('callers take turns, however much one of them asks for', async () => {
  const done: string[] = []
  const ask = async (caller: string) => {
    const account = { caller, mostMs: MAX_MS, tookMs: 0 }
    await judges.run('page', bodyOf('https://shop.example/', PRODUCT), account)
    done.push(caller)
  }
  await Promise.all([...Array.from({ length: 30 }, () => ask('A')), ask('B'), ask('C')])
  const { most } = judges.load()
  // Those that began before, and one for each worker that is free before theirs.
  for (const caller of ['B', 'C']) expect(done.indexOf(caller)).toBeLessThanOrEqual(3 * most)
})

test('after the time of an audit nothing more is read for it, and what was read is judged', async () => {
  const account = { caller: 'A', mostMs: 0.001, tookMs: 0 }
  const read = () => judges.run('page', bodyOf('https://shop.example/', PRODUCT), account)
  expect(await read()).toMatchObject({ done: { platform: null } })
  const { tookMs } = account
  expect(tookMs).toBeGreaterThan(0)
  expect(await read()).toEqual({
    exceeded: 'it took more than 0.000001 s together with what was read before',
  })
  expect(account.tookMs).toBe(tookMs)
  expect(await judges.run('judge', { checks: ['entity'], evidence: {} }, account)).toMatchObject({
    done: { titles: [] },
  })
  // The next audit of the same caller has its own.
  expect(await readPage('shop')).toMatchObject({ done: {} })
})

test('a worker has few megabytes of young objects, whatever this process has', async () => {
  expect(await readPage('young')).toMatchObject({ done: { page: {} } })
})

test('documents that hold more than is read are not parsed', async () => {
  const read = async (text: string) => {
    const judged = await judges.run('json', { ...bodyOf('https://shop.example/', text) })
    return 'done' in judged ? judged.done : judged
  }
  const objects = (count: number) => `[${Array(count).fill('{}').join(',')}]`
  expect(await read(objects(99_000))).toMatchObject({ exceeded: false, json: { ok: true } })
  expect(await read(objects(101_000))).toMatchObject({
    exceeded: true,
    json: { ok: false, problem: 'it holds more than 200000 values.' },
  })
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
  expect(await read(nested(500))).toMatchObject({ exceeded: false, json: { ok: true } })
  expect(await read(nested(501))).toMatchObject({
    exceeded: true,
    json: { ok: false, problem: 'it is nested deeper than 500 levels.' },
  })
  // Commas and brackets within strings are text.
  expect(await read(JSON.stringify('{,['.repeat(100_000)))).toMatchObject({ json: { ok: true } })
})

test.each([4_000, 8_000, 100_000])('a document of %d levels costs itself alone', async (depth) => {
  const document = JSON.parse('{"a":'.repeat(depth) + '1'.padEnd(depth + 1, '}'))
  // Deeper than this thread can send: it resolves in any case.
  const judged = await judges.run('manifest', { document })
  expect('done' in judged || judged.exceeded === 'reading it failed').toBe(true)
  expect(await readPage('shop')).toMatchObject({ done: { platform: null } })
})

test.each([
  ['\r\n', 'in the lines of Windows'],
  ['\n', 'in others'],
])('an event has one text, whatever ends its lines (%j, %s)', async (end) => {
  const lines = ['event: message', 'data: {"a":1,', 'data: "b":2}', '', '']
  const body = bodyOf('https://shop.example/', lines.join(end))
  const judged = await judges.run('json', { ...body, contentType: 'text/event-stream' })
  expect('done' in judged && judged.done.json).toEqual({ ok: true, value: { a: 1, b: 2 } })
})

test('of a long list a sample is kept', async () => {
  const list = JSON.stringify({ products: Array.from({ length: 5000 }, (_, id) => ({ id })) })
  const judged = await judges.run('json', bodyOf('https://shop.example/', list))
  const json = 'done' in judged ? judged.done.json : null
  expect(json).toMatchObject({ ok: true, value: { products: { length: 1001 } } })
})
