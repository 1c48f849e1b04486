import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { fetcherTo } from '../../audit/probe/testing/fetcher.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { digestOf } from './compare.ts'
import { HELD, type HeldSpec } from './held.ts'
import { type SpecsFlags, specsCommand } from './specs.ts'

/** What the world publishes, by path. */
const world = new Map([
  ['/versions.json', '[{"version":"2026-04-08"},{"version":"draft"}]'],
  ['/schema.json', '{"a":1,"b":[2]}'],
  ['/page', '<html><script nonce="1">x()</script><p>Send a   feed.</p></html>'],
])
const fetcher = await fetcherTo({
  fetch: (request: Request) => {
    const body = world.get(new URL(request.url).pathname)
    return new Response(body ?? 'Not found', { status: body === undefined ? 404 : 200 })
  },
})

const at = (path: string): string => `https://spec.example${path}`
const HELD_HERE: HeldSpec[] = [
  { url: at('/versions.json'), is: 'versions', holds: ['2026-04-08'], read: '2026-11-30' },
  { url: at('/schema.json'), is: 'json', read: '2026-11-30' },
  { url: at('/page'), is: 'page', read: '2026-08-01' },
]

const folder = await mkdtemp(join(tmpdir(), 'specs-'))
const file = join(folder, 'held.json')
await writeFile(file, JSON.stringify(HELD_HERE))

async function check(flags: SpecsFlags, day = '2026-12-01') {
  let printed = ''
  const terminal = {
    print: (text: unknown) => {
      printed += String(text)
    },
  } as Terminal
  const deps = { fetcher, now: () => new Date(`${day}T00:00:00Z`) }
  const code = await specsCommand(flags, deps, terminal)
  return { code, printed }
}

test('what is recorded is as held, until one thing moves; a nonce and white space do not count', async () => {
  const own = join(folder, 'own.json')
  expect((await check({ held: file, record: own })).code).toBe(0)
  expect((await check({ held: own })).printed).toContain('0 moved, 3 as held')
  world.set('/page', '<html><script nonce="2">y()</script><p>Send a feed.</p></html>')
  world.set('/schema.json', '{ "b": [2], "a": 1 }')
  expect((await check({ held: own })).code).toBe(0)

  for (const [path, body, detail] of [
    ['/page', '<p>Send two feeds.</p>', 'its content is another'],
    ['/schema.json', '{"a":2,"b":[2]}', 'its content is another'],
    ['/versions.json', '["2026-04-08","2027-01-05"]', 'there is 2027-01-05'],
  ] as const) {
    const before = world.get(path) ?? ''
    world.set(path, body)
    const { code, printed } = await check({ held: own, json: true })
    expect(code).toBe(1)
    const { specs } = JSON.parse(printed)
    expect(specs.filter((each: { state: string }) => each.state === 'moved')).toMatchObject([
      { url: at(path), detail },
    ])
    world.set(path, before)
  }
  world.delete('/page')
  expect(await check({ held: own })).toMatchObject({
    code: 1,
    printed: expect.stringContaining('404'),
  })
  expect(JSON.parse(await readFile(own, 'utf8'))).toHaveLength(3)
})

test('offline it says what it holds, of when, and what is old by the given day', async () => {
  const young = await check({ held: file, offline: true }, '2026-10-01')
  expect(young).toMatchObject({ code: 0, printed: expect.stringContaining('0 read more than 90') })
  const old = await check({ held: file, offline: true })
  expect(old.code).toBe(0)
  expect(old.printed).toContain('read from 2026-08-01 to 2026-11-30')
  expect(old.printed).toContain(`Read more than 90 days ago\n  ${at('/page')}  2026-08-01`)
})

test('a schema as its repository has it and as its site publishes it is one', () => {
  const url = 'https://spec.example/2026-04-08/schemas/shopping/cart.json'
  const digest = (schema: object) => digestOf({ is: 'json', url }, JSON.stringify(schema))
  const source = {
    $id: 'https://spec.example/schemas/shopping/cart.json',
    title: 'Cart',
    properties: { of: { $ref: '../ucp.json#/$defs/version' }, line: { $ref: 'types/line.json' } },
    $defs: { own: { $ref: '#/$defs/other' } },
  }
  const site = {
    $id: url,
    version: '2026-04-08',
    title: 'Cart',
    properties: {
      of: { $ref: 'https://spec.example/2026-04-08/schemas/ucp.json#/$defs/version' },
      line: { $ref: 'https://spec.example/2026-04-08/schemas/shopping/types/line.json' },
    },
    $defs: { own: { $ref: `${url}#/$defs/other` } },
  }
  expect(digest(site)).toBe(digest(source))
  for (const moved of [
    { ...site, title: 'Basket' },
    { ...site, version: '2026-05-01' },
    { ...site, properties: { ...site.properties, line: { $ref: `${url}/types/lines.json` } } },
  ]) {
    expect(digest(moved)).not.toBe(digest(source))
  }
})

test('where nothing is reached there is no verdict', async () => {
  const lost = join(folder, 'lost.json')
  await writeFile(lost, JSON.stringify([{ ...HELD_HERE[0], url: 'https://lost.invalid/' }]))
  expect((await check({ held: lost })).code).toBe(2)
})

test('a file of another kind is refused', async () => {
  const other = join(folder, 'other.json')
  await writeFile(other, '{}')
  await expect(check({ held: other })).rejects.toThrow(/is not a list that aisle specs check/)
})

test('each address is held once', () => {
  expect(new Set(HELD.map(({ url }) => url)).size).toBe(HELD.length)
})
