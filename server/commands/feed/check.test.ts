import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseTestHosts } from '../../audit/probe/fetch/test-hosts.ts'
import { onLoopback } from '../../testing/on-loopback.ts'
import { CommandError } from '../terminal/command-error.ts'
import { readTerminal } from '../testing/read-terminal.ts'
import { type FeedCheckFlags, feedCheckCommand } from './check.ts'

const NAMES = ['id', 'title', 'description', 'link', 'image_link', 'availability', 'price', 'brand']
const GOOD = [
  ...['T-1', 'Tent', 'Two people, three seasons.', 'https://shop.example/p/1'],
  ...['https://shop.example/1.jpg', 'in_stock', '249.00 USD', 'Fjell'],
]
const BAD = GOOD.map((value, n) =>
  n === 0 ? 'T-2' : n === 3 ? 'https://shop.example/p/2' : n === 6 ? '249' : value,
)
const table = (...rows: string[][]) => [NAMES, ...rows].map((row) => row.join('\t')).join('\n')

const FILES: Record<string, string | Uint8Array> = {
  'good.tsv': table(GOOD),
  'bad.tsv': table(GOOD, BAD),
  'bad.tsv.gz': gzipSync(table(GOOD, BAD)),
  'bad.parquet': new Uint8Array(
    parquetWriteBuffer({
      columnData: NAMES.map((name, n) => ({ name, data: [GOOD[n] ?? '', BAD[n] ?? ''] })),
    }),
  ),
  'cut.gz': gzipSync(table(GOOD)).subarray(0, -9),
}

const folder = await mkdtemp(join(tmpdir(), 'feed-check-'))
let server: Awaited<ReturnType<typeof onLoopback>>
beforeAll(async () => {
  await Promise.all(
    Object.entries(FILES).map(([name, text]) => writeFile(join(folder, name), text)),
  )
  server = await onLoopback((request, response) => {
    const file = FILES[request.url?.slice(1) ?? '']
    response.writeHead(file === undefined ? 404 : 200)
    response.end(file)
  })
})
afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true })
})

async function run(source: string, flags: FeedCheckFlags = {}) {
  const { terminal, read, remarks } = readTerminal()
  const config = {
    baseUrl: 'https://aisle.example',
    testHosts: parseTestHosts(`shop.example=${server.origin}`, undefined),
  }
  const code = await feedCheckCommand(source, flags, config, terminal)
  return { code, said: read(), remarks: remarks() }
}
const inFolder = (name: string) => join(folder, name)

test.each([
  ['good.tsv', 0, 'ready', 'all 1 would be listed'],
  ['bad.tsv', 1, 'not ready', '1 of 2 would be left out'],
  [
    'bad.tsv.gz',
    1,
    'tab-separated values in the names of Google, gzip',
    '1 of 2 would be left out',
  ],
  ['bad.parquet', 1, 'Parquet in the names of Google', '1 of 2 would be left out'],
  ['cut.gz', 1, 'Its gzip data ends too early.', 'not ready'],
])('%s, from a file and from an address: exit code %d', async (name, code, first, second) => {
  for (const source of [inFolder(name), `https://shop.example/${name}`]) {
    const ran = await run(source, { for: 'google' })
    expect(ran.code).toBe(code)
    expect(ran.said).toContain(first)
    expect(ran.said).toContain(second)
  }
})

test('the product is named with its row, its id and its address, and the page of the rule', async () => {
  const { said } = await run(inFolder('bad.tsv'), { for: 'google' })
  expect(said).toContain('row 2 (T-2) https://shop.example/p/2: 249')
  expect(said).toContain('https://support.google.com/merchants/answer/7052112')
})

test('JSON has the same, and --products every product that is left out', async () => {
  const products = inFolder('products.jsonl')
  const { code, said, remarks } = await run(inFolder('bad.tsv'), { json: true, products })
  expect(code).toBe(1)
  const result = JSON.parse(said)
  expect(result).toMatchObject({ kind: 'tsv', names: 'google', products: 2, left_out: 2 })
  const names = result.destinations.map(({ destination }: { destination: string }) => destination)
  expect(names).toEqual(['openai', 'google', 'microsoft', 'meta', 'stripe', 'paypal'])
  expect(remarks).toEqual([`Wrote ${products}.`])
  const lines = (await readFile(products, 'utf8')).trim().split('\n')
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { row: 1, id: 'T-1' },
    { row: 2, id: 'T-2', link: 'https://shop.example/p/2', title: 'Tent' },
  ])
})

describe('where there is no feed to read, it says what to do', () => {
  test.each<[string, FeedCheckFlags, string]>([
    ['none.tsv', {}, 'does not exist. Check its name and the folder.'],
    ['', {}, 'is a folder. Name a file in it.'],
    ['good.tsv', { for: 'bing' }, '--for does not know "bing". It takes openai, google'],
    ['https://shop.example/none.tsv', {}, 'answers with status 404. Check the address'],
    ['https://', {}, 'is not a valid URL'],
    ['https://10.0.0.1/feed.tsv', {}, 'Check the address and try again.'],
  ])('%s %j', async (source, flags, message) => {
    const named = source.startsWith('https:') ? source : inFolder(source)
    const failure = await run(named, flags).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(CommandError)
    expect(String((failure as CommandError).message)).toContain(message)
  })
})
