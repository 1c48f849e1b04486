import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { AuditResult } from '../../shared/audit/result/result.ts'
import { auditedStore } from './formats/testing/audited-store.ts'

const store = await auditedStore()
const folder = await store.folderOf()
const aisle = (...args: string[]) => store.aisle(args, folder)
const inFolder = async (name: string, value: unknown) => {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2)
  await writeFile(join(folder, name), text)
  return name
}
const FEW = ['--checks', 'feed,catalog']

describe('several domains', () => {
  test('each has its result, and one that cannot be audited keeps no other from its own', async () => {
    const ran = await aisle(
      'audit',
      'feed-missing.example',
      'none.test',
      'shop.example',
      ...FEW,
      '--json',
    )
    const { results } = JSON.parse(ran.out)
    expect(results.map(({ domain }: AuditResult) => domain)).toEqual([
      'feed-missing.example',
      'none.test',
      'shop.example',
    ])
    expect(AuditResult.safeParse(results[0]).success).toBe(true)
    expect(results[1].error).toMatchObject({ code: 'domain_unreachable' })
    expect(ran.code).toBe(2)
  })

  test('the JSON of one is its result', async () => {
    const ran = await aisle('audit', 'shop.example', ...FEW, '--format', 'json')
    expect(AuditResult.parse(JSON.parse(ran.out)).domain).toBe('shop.example')
    expect(ran.code).toBe(0)
  })
})

test('a file is written whole, and the terminal has the text', async () => {
  const output = join(folder, 'a.sarif')
  const ran = await aisle('audit', 'shop.example', ...FEW, '--output', output)
  expect(ran.out).toContain('of 100, grade')
  expect(JSON.parse(await readFile(output, 'utf8')).version).toBe('2.1.0')
  const lost = await aisle(
    'audit',
    'shop.example',
    ...FEW,
    '--output',
    join(folder, 'no', 'a.json'),
  )
  expect(lost.err).toContain('cannot be written')
  expect(lost.code).toBe(2)
})

describe('what fails a run', () => {
  test.each<[args: string[], code: number]>([
    [[], 0],
    [['--fail-on', 'high'], 0],
    [['--fail-on', 'medium'], 1],
    [['--fail-on', 'low'], 1],
    [['--fail-under', '100'], 1],
    [['--fail-under', '1'], 0],
    [['--fail-on', 'worst'], 2],
    [['--fail-under', ''], 2],
  ])('one gap of severity medium with %j: %d', async (args, code) => {
    expect((await aisle('audit', 'feed-missing.example', ...FEW, ...args)).code).toBe(code)
  })
})

describe('a baseline', () => {
  test('only new gaps fail, and what is fixed is said', async () => {
    const before = await aisle('audit', 'feed-missing.example', ...FEW, '--json')
    const result = JSON.parse(before.out)
    const baseline = await inFolder('before.json', result)
    const same = await aisle(
      'audit',
      'feed-missing.example',
      ...FEW,
      '--baseline',
      baseline,
      '--fail-on',
      'low',
    )
    expect(same.out).toContain('0 new, 0 fixed, 1 still open')
    expect(same.code).toBe(0)
    const clean = await inFolder('clean.json', { results: [{ ...result, gaps: [] }] })
    const worse = await aisle('audit', 'feed-missing.example', ...FEW, '--baseline', clean)
    expect(worse.out).toContain('Fails: 1 new gap of severity low or worse: feed_missing.')
    expect(worse.code).toBe(1)
    const shown = await aisle(
      'audit',
      'feed-missing.example',
      ...FEW,
      '--baseline',
      clean,
      '--fail-on',
      'none',
    )
    expect(shown.code).toBe(0)
    const moved = { ...result, domain: 'shop.example' }
    const fixed = await aisle(
      'audit',
      'shop.example',
      ...FEW,
      '--baseline',
      await inFolder('moved.json', moved),
    )
    expect(fixed.out).toContain('0 new, 1 fixed, 0 still open')
    const other = await aisle('audit', 'shop.example', ...FEW, '--baseline', baseline)
    expect(other.out).toContain('The baseline has no result of shop.example')
  }, 60_000)

  describe('that the report is written over', () => {
    const read = async (name: string) => JSON.parse(await readFile(join(folder, name), 'utf8'))
    const audit = (...args: string[]) => aisle('audit', ...args, ...FEW)
    const over = (name: string) => ['--baseline', name, '--output', name]

    test('no error takes its place, for the sake of the next run', async () => {
      await audit('feed-missing.example', '--output', 'base.json')
      const before = await read('base.json')
      const wrong: string[][] = [
        ['none.test', ...over('base.json')],
        ['none.test', '--baseline', './base.json', '--output', join(folder, 'base.json')],
        ['feed-missing.example', ...over('base.json'), '--fail-on='],
      ]
      for (const args of wrong) {
        const { code, err } = await audit(...args)
        expect({ code, err }).toEqual({
          code: 2,
          err: expect.stringContaining('base.json stays as it was.'),
        })
        expect(await read('base.json')).toEqual(before)
      }
      const next = await audit('feed-missing.example', ...over('base.json'), '--fail-on', 'low')
      expect(next.code).toBe(0)
      await audit('none.test', '--baseline', 'base.json', '--output', 'other.json')
      expect(await read('other.json')).toHaveProperty('error')
    })

    test('nor where aisle.json names it, or cannot be read', async () => {
      await audit('feed-missing.example', '--output', 'last.json')
      const before = await read('last.json')
      for (const config of [{ baseline: 'last.json', domains: ['none.test'] }, '{ "baseline": ']) {
        const named = await inFolder('named.json', config)
        const { code } = await audit('--config', named, '--output', 'last.json')
        expect(code).toBe(2)
        expect(await read('last.json')).toEqual(before)
      }
    })

    test('a store that was down keeps its earlier result there', async () => {
      await audit('feed-missing.example', 'shop.example', '--output', 'two.json')
      const before = await read('two.json')
      before.results[0].domain = 'none.test'
      await inFolder('two.json', before)
      const two = ['none.test', 'shop.example', '--baseline', 'two.json']
      const { code } = await audit(...two, '--output', 'two.json', '--output', 'report.json')
      expect(code).toBe(2)
      expect((await read('two.json')).results[0]).toEqual(before.results[0])
      expect((await read('two.json')).results[1].checked_at).not.toBe(before.results[1].checked_at)
      expect((await read('report.json')).results[0]).toHaveProperty('error')
    })
  })

  test.each([
    ['http://shop.example/a.json', 'over https or from a file'],
    ['file:///etc/passwd', 'over https or from a file'],
    ['https://127.0.0.1/a.json', 'cannot be read'],
    ['https://shop.example/', 'is not JSON'],
    ['https://shop.example/.well-known/ucp', 'is not a result of aisle audit'],
    ['none.json', 'does not exist'],
  ])('%s is refused', async (baseline, sentence) => {
    const { out, code } = await aisle('audit', 'shop.example', '--baseline', baseline, '--json')
    expect(JSON.parse(out).error.message).toContain(sentence)
    expect(code).toBe(2)
  })
})

describe('aisle.json', () => {
  const withFile = async (config: unknown, ...args: string[]) =>
    aisle('audit', '--config', await inFolder('own.json', config), ...args)
  const BASE = { domains: ['feed-missing.example'], checks: ['feed', 'catalog'] }

  test.each<[name: string, config: object, code: number, says: string]>([
    ['what fails', { fail_on: 'medium' }, 1, 'of severity medium or worse: feed_missing'],
    ['a gap that is off', { fail_on: 'low', asserts: { gaps: { feed_missing: 'off' } } }, 0, ''],
    [
      'a category that warns',
      { fail_on: 'low', asserts: { categories: { catalog: 'warn' } } },
      0,
      '',
    ],
    [
      'a gap before its category',
      { asserts: { gaps: { feed_missing: 'error' }, categories: { catalog: 'off' } } },
      1,
      'that aisle.json calls an error',
    ],
    ['a budget', { budgets: { score: 100 } }, 1, 'and has to be at least 100'],
    [
      'a budget of a category',
      { budgets: { categories: { catalog: 100 } } },
      1,
      'score of catalog',
    ],
    [
      'a category that was not judged',
      { budgets: { categories: { attribution: 1 } } },
      1,
      'could not be judged, and has to be at least 1',
    ],
    [
      'a gap that is ignored',
      { fail_on: 'low', ignore: [{ gap: 'feed_missing', reason: 'We know', until: '2999-01-01' }] },
      0,
      'Ignored until 2999-01-01: We know',
    ],
    [
      'one whose time is over',
      { fail_on: 'low', ignore: [{ gap: 'feed_missing', reason: 'We know', until: '2026-01-01' }] },
      1,
      'was ignored until 2026-01-01 and counts again (We know)',
    ],
    [
      'one of another store',
      {
        fail_on: 'low',
        ignore: [{ gap: 'feed_missing', domain: 'a.example', reason: 'x', until: '2999-01-01' }],
      },
      1,
      'feed_missing',
    ],
  ])('%s', async (_, config, code, says) => {
    const ran = await withFile({ ...BASE, ...config })
    expect(ran.out).toContain(says)
    expect(ran.code).toBe(code)
  })

  test('it is read from the working folder, and flags win', async () => {
    await inFolder('aisle.json', { ...BASE, fail_on: 'low' })
    expect((await aisle('audit')).code).toBe(1)
    expect((await aisle('audit', 'shop.example', '--fail-on', 'none')).out).toContain(
      'shop.example',
    )
    expect((await aisle('audit', '--fail-on', 'none')).code).toBe(0)
    await inFolder('aisle.json', {})
    expect((await aisle('audit')).err).toContain('list "domains" in aisle.json')
  })

  test.each(['json', 'sarif', 'junit', 'markdown', 'github', 'text'])(
    'a wrong one is told in the format: %s',
    async (format) => {
      const { out, err, code } = await withFile('{\n  "domain": []\n}', '--format', format)
      expect(code).toBe(2)
      expect(out + err).toContain('Did you mean')
      expect(out + err).toMatch(/own\.json.*2/s)
      if (format === 'json') {
        expect(JSON.parse(out).error).toMatchObject({
          code: 'invalid_config',
          details: [{ field: 'domain', line: 2, column: 3 }],
        })
      }
      if (format === 'sarif') {
        expect(JSON.parse(out).runs[0].invocations[0]).toMatchObject({
          executionSuccessful: false,
          toolExecutionNotifications: [{ level: 'error' }],
        })
      }
      if (format === 'junit') expect(out).toContain('<error type="invalid_config"')
      if (format === 'github') expect(out).toContain('::error file=own.json,line=2,col=3')
    },
  )
})

test.each([
  [['audit', '--nonsense', '--format', 'json'], 2],
  [['validate', '--json'], 2],
  [['walk', 'shop.example', '--format', 'json'], 2],
])('what is typed wrong is an error in the format too: %j', async (args, code) => {
  const ran = await aisle(...args)
  expect(JSON.parse(ran.out).error.code).toBe('invalid_argument')
  expect(ran.code).toBe(code)
})

test.each(['markdown', 'junit', 'sarif', 'github'])('validate as %s', async (format) => {
  const file = await inFolder('ucp.json', { version: '1.0' })
  const ran = await aisle('validate', file, '--format', format)
  expect(ran.code).toBe(1)
  expect(ran.out).toContain('ucp.json')
})
