import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import Ajv2020 from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { expect, inject, test } from 'vitest'
import { aisleFileSchema } from '../../../shared/watch/aisle-file.ts'
import { CommandError } from '../terminal/command-error.ts'
import { configOf } from './config-of.ts'
import { readConfigFile } from './read-config-file.ts'

const FULL = {
  $schema: 'https://aisle.example/schemas/aisle.json',
  domains: ['shop.example', 'https://Zweiter.example/'],
  checks: ['catalog', 'checkout'],
  fail_on: 'high',
  baseline: 'last.json',
  asserts: { gaps: { feed_missing: 'off' }, categories: { attribution: 'warn' } },
  budgets: { score: 80, categories: { catalog: 90 } },
  ignore: [{ gap: 'catalog_empty', reason: 'The new shop opens in March', until: '2027-03-31' }],
  audit: { agents: true, deep: true, deadline: 10, walk: 'walk.json' },
  watch: {
    period: 'six_hourly',
    severity: 'critical',
    walk: true,
    quiet_hours: { from: '22:00', to: '07:00' },
    time_zone: 'Europe/Berlin',
    with_report: false,
    tags: ['shoes'],
    overrides: [{ domain: 'shop.example', period: 'hourly', quiet_hours: 'none' }],
  },
}
const ajv = new Ajv2020({ strict: false })
addFormats(ajv)
const isValid = ajv.compile(aisleFileSchema())

test('a whole file is read, and editors find it right', () => {
  const { config, lineOf } = configOf(JSON.stringify(FULL, null, 2), 'aisle.json')
  expect(config).toMatchObject({ ...FULL, domains: ['shop.example', 'zweiter.example'] })
  expect([lineOf('shop.example'), lineOf('zweiter.example'), lineOf('other.example')]).toEqual([
    4, 5, 3,
  ])
  expect(isValid(FULL)).toBe(true)
})

/** A wrong file, the position of its error, and the message. */
const WRONG: [name: string, text: string, at: string, field: string, says: RegExp][] = [
  ['a comma too many', '{\n  "domains": ["a.example"],\n}', '3:1', '', /Remove the comma/],
  [
    'a comma missing',
    '{\n  "fail_on": "high"\n  "checks": ["feed"]\n}',
    '3:3',
    '',
    /a comma before/,
  ],
  ['a colon missing', '{\n  "fail_on" "high"\n}', '2:13', '', /a colon before/],
  ['a comment', '{\n  // ours\n  "domains": ["a.example"]\n}', '2:3', '', /no comments/],
  ['single quotes', "{ 'domains': [] }", '1:3', '', /double quotes/],
  ['the end missing', '{\n  "domains": ["a.example"', '2:26', '', /ends too early/],
  ['the end missing after a line', '{\n  "domains": ["a.example"\n', '2:26', '', /ends too early/],
  ['the end missing there', '{\r\n  "domains": [\r\n  \r\n', '2:15', '', /ends too early/],
  ['a value missing at the end', '{\n  "fail_on":\n', '2:13', '', /ends too early/],
  ['a text that does not end', '{\n  "fail_on": "high\n', '2:19', '', /ends too early/],
  ['a line break in a text', '{ "baseline": "a\nb" }', '1:17', '', /cannot hold a line break/],
  ['nothing', ' \n', '1:1', '', /is empty/],
  ['no object', '["a.example"]', '1:1', '', /takes an object.*not a list/],
  ['an unknown key', '{\n  "domain": ["a.example"]\n}', '2:3', 'domain', /mean "domains"/],
  [
    'a key twice',
    '{\n  "fail_on": "low",\n  "fail_on": "high"\n}',
    '3:3',
    'fail_on',
    /line 2 has it/,
  ],
  ['a wrong type', '{ "domains": "a.example" }', '1:14', 'domains', /takes a list.*not the text/],
  ['a score as text', '{ "budgets": { "score": "80" } }', '1:25', 'budgets.score', /takes a/],
  [
    'an unknown gap',
    '{ "asserts": { "gaps": { "feed_mising": "off" } } }',
    '1:26',
    'asserts.gaps.feed_mising',
    /mean "feed_missing"/,
  ],
  [
    'a gap like none',
    '{ "asserts": { "gaps": { "qqq": "off" } } }',
    '1:26',
    'asserts.gaps.qqq',
    /aisle explain/,
  ],
  ['an unknown check', '{ "checks": ["catalogue"] }', '1:14', 'checks.0', /mean "catalog"/],
  [
    'an unknown category',
    '{ "budgets": { "categories": { "check_out": 9 } } }',
    '1:32',
    'budgets.categories.check_out',
    /mean "checkout"/,
  ],
  [
    'an unknown assertion',
    '{ "asserts": { "categories": { "catalog": "ignore" } } }',
    '1:43',
    'asserts.categories.catalog',
    /off, warn, error/,
  ],
  ['an unknown severity', '{ "fail_on": "hihg" }', '1:14', 'fail_on', /mean "high"/],
  [
    'a day that does not exist',
    '{ "ignore": [{ "gap": "feed_missing", "reason": "x", "until": "2027-02-30" }] }',
    '1:63',
    'ignore.0.until',
    /not a date/,
  ],
  [
    'no reason',
    '{ "ignore": [\n  { "gap": "feed_missing", "until": "2027-02-28" }] }',
    '2:3',
    'ignore.0.reason',
    /Say why/,
  ],
  [
    'an empty reason',
    '{ "ignore": [{ "gap": "feed_missing", "reason": " ", "until": "2027-02-28" }] }',
    '1:49',
    'ignore.0.reason',
    /Say why/,
  ],
  [
    'no end',
    '{ "ignore": [{ "gap": "feed_missing", "reason": "x" }] }',
    '1:14',
    'ignore.0.until',
    /until which day/,
  ],
  [
    'ignored twice',
    '{ "ignore": [{ "gap": "feed_missing", "reason": "x", "until": "2027-01-01" },\n{ "gap": "feed_missing", "reason": "y", "until": "2027-01-01" }] }',
    '2:1',
    'ignore.1',
    /Remove one/,
  ],
  [
    'a domain twice',
    '{ "domains": ["a.example",\n "https://A.example/"] }',
    '2:2',
    'domains.1',
    /Remove one/,
  ],
  ['no domain', '{ "domains": [] }', '1:14', 'domains', /at least one/],
  [
    'an address of a machine',
    '{ "domains": ["127.0.0.1"] }',
    '1:15',
    'domains.0',
    /own machine.*such as shop\.example/,
  ],
  [
    'the lines of Windows',
    '{\r\n  "domains": ["a.example"],\r\n  "fail_on": "hihg"\r\n}\r\n',
    '3:14',
    'fail_on',
    /mean "high"/,
  ],
  ['a comma too many there', '{\r\n  "domains": [],\r\n}\r\n', '3:1', '', /Remove the comma/],
  ['a tab in a text', '{ "baseline": "a\tb" }', '1:17', '', /cannot hold a line break or a tab/],
  ['a score too high', '{ "budgets": { "score": 101 } }', '1:25', 'budgets.score', /0 to 100/],
  [
    'a deadline of days',
    '{ "audit": { "deadline": 5000 } }',
    '1:26',
    'audit.deadline',
    /1 to 1440/,
  ],
  [
    'an unknown period',
    '{ "watch": { "period": "daly" } }',
    '1:24',
    'watch.period',
    /mean "daily"/,
  ],
  [
    'an unknown setting',
    '{ "watch": { "perod": "daily" } }',
    '1:14',
    'watch.perod',
    /mean "period"/,
  ],
  [
    'an hour that no day has',
    '{ "watch": { "quiet_hours": { "from": "25:00", "to": "07:00" } } }',
    '1:39',
    'watch.quiet_hours.from',
    /"25:00" is not valid. Send a time of day such as 22:00\./,
  ],
  [
    'quiet hours without an end',
    '{ "watch": { "quiet_hours": { "from": "22:00" } } }',
    '1:29',
    'watch.quiet_hours.to',
    /is missing/,
  ],
  [
    'quiet hours that never end',
    '{ "watch": { "quiet_hours": { "from": "22:00", "to": "22:00" } } }',
    '1:54',
    'watch.quiet_hours.to',
    /another time than in from/,
  ],
  [
    'quiet hours as text',
    '{ "watch": { "quiet_hours": "at night" } }',
    '1:29',
    'watch.quiet_hours',
    /takes an object, such as \{ … \}, or "none"/,
  ],
  [
    'an unknown part of quiet hours',
    '{ "watch": { "quiet_hours": { "form": "22:00", "to": "07:00" } } }',
    '1:29',
    'watch.quiet_hours.from',
    /is missing/,
  ],
  [
    'a place that is not a zone',
    '{ "watch": { "time_zone": "Berlin" } }',
    '1:27',
    'watch.time_zone',
    /Europe\/Berlin/,
  ],
  [
    'a long tag',
    `{ "watch": { "tags": ["${'x'.repeat(41)}"] } }`,
    '1:23',
    'watch.tags.0',
    /40 char/,
  ],
  ['an empty tag', '{ "watch": { "tags": [" "] } }', '1:23', 'watch.tags.0', /is empty/],
  [
    'another store than those of the file',
    '{ "domains": ["a.example"],\n "watch": { "overrides": [{ "domain": "b.example" }] } }',
    '2:39',
    'watch.overrides.0.domain',
    /is not one of domains/,
  ],
  [
    'a store twice',
    '{ "domains": ["a.example"],\n "watch": { "overrides": [{ "domain": "a.example" }, { "domain": "A.example" }] } }',
    '2:54',
    'watch.overrides.1',
    /Remove one/,
  ],
]

test.each(WRONG)('%s: the line, and what to do', (_, text, at, field, says) => {
  const error = refusalOf(() => configOf(text, 'aisle.json'))
  expect(error.code).toBe('invalid_config')
  const [first] = error.details
  expect(`${first?.line}:${first?.column}`).toBe(at)
  expect(first?.field).toBe(field)
  expect(first?.message).toMatch(says)
  expect(first?.file).toBe('aisle.json')
})

test('all that is wrong is told at once, in the order of the lines', () => {
  const error = refusalOf(() =>
    configOf('{\n "checks": [],\n "fail_on": "x",\n "other": 1\n}', 'aisle.json'),
  )
  expect(error.message).toBe('aisle.json has 3 problems.')
  expect(error.details.map(({ line }) => line)).toEqual([2, 3, 4])
})

test('deep nesting and a file of problems are refused in bounds', () => {
  expect(refusalOf(() => configOf('['.repeat(100_000), 'a.json')).details).toHaveLength(1)
  const many = JSON.stringify(
    Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`k${n}`, 1])),
  )
  expect(refusalOf(() => configOf(many, 'a.json')).details).toHaveLength(20)
})

test('files that cannot be read are refused with what to do', async () => {
  const folder = await mkdtemp(join(inject('runFolder'), 'config-'))
  const at = (name: string) => join(folder, name)
  await mkdir(at('folder'))
  await writeFile(at('latin1.json'), Buffer.from('{ "domains": ["caf\xe9.example"] }', 'latin1'))
  await writeFile(at('large.json'), `{}${' '.repeat(300_000)}`)
  await writeFile(at('marked.json'), '\ufeff{ "domains": ["a.example"] }')
  await writeFile(at('powershell.json'), '\ufeff{ "domains": ["a.example"] }\r\n', 'utf16le')
  const said = async (name: string) =>
    readConfigFile(at(name)).then(
      () => '',
      (error: Error) => error.message,
    )
  const refusal = await readConfigFile(at('folder')).catch((error: unknown) => error)
  expect(refusal).toMatchObject({ code: 'invalid_config', details: [] })
  expect(await said('folder')).toMatch(/is a folder\. Name a file in it/)
  expect(await said('latin1.json')).toMatch(/is not UTF-8\. Save it as UTF-8/)
  expect(await said('large.json')).toMatch(/at most 262,144 are read/)
  expect(await said('none.json')).toMatch(/does not exist/)
  for (const name of ['marked.json', 'powershell.json']) {
    expect((await readConfigFile(at(name)))?.config.domains).toEqual(['a.example'])
  }
})

test('the schema that is shipped is that of the code: npx vitest run server/commands/config-file -u', async () => {
  const shipped = `${JSON.stringify(aisleFileSchema())}\n`
  await expect(shipped).toMatchFileSnapshot('../../../docs/aisle.schema.json')
  expect(shipped).toContain('"feed_missing"')
})

function refusalOf(work: () => unknown): CommandError {
  try {
    work()
  } catch (error) {
    if (error instanceof CommandError) return error
    throw error
  }
  throw new Error('It was accepted.')
}
