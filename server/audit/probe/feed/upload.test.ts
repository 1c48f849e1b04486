import { gzipSync } from 'node:zlib'
import { ByteWriter, parquetWrite, parquetWriteBuffer } from 'hyparquet-writer'
import { describe, expect, test } from 'vitest'
import { parquetInMemory } from './parquet-file.ts'
import { createUploadReader, readParquetUpload, type UploadRead } from './upload.ts'

const OPTIONS = { destinations: ['google'], mostIds: 1000 } as const

const HEAD = 'id,title,description,link,image_link,availability,price,brand,mpn\n'
const line = (n: number) =>
  `T-${n},Tent ${n},Two people.,https://shop.example/p/${n},https://shop.example/${n}.jpg,in_stock,249.00 EUR,Fjäll,FJ-${n}\n`
const TABLE = HEAD + Array.from({ length: 2000 }, (_, n) => line(n)).join('')
const RSS = `<?xml version="1.0"?><rss version="2.0" xmlns:g="http://base.google.com/ns/1.0"><channel><item>${TABLE.split(
  '\n',
)[1]
  ?.split(',')
  .map((value, n) => {
    const name = HEAD.trim().split(',')[n]
    return `<g:${name}>${value}</g:${name}>`
  })
  .join('')}</item></channel></rss>`

async function readBytes(all: Uint8Array | string, step = 65_536): Promise<UploadRead> {
  const bytes = typeof all === 'string' ? Buffer.from(all) : all
  const reader = createUploadReader(OPTIONS)
  for (let at = 0; at < bytes.length; at += step) {
    if (!(await reader.write(bytes.subarray(at, at + step)))) break
  }
  return reader.end()
}

const summary = ({ kind, gzip, problem, check }: UploadRead) => ({
  kind,
  gzip,
  problem,
  rows: check.rows,
  left_out: check.left_out,
})

const utf16 = (text: string) =>
  Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')])
const meta = `"# Required | A number, your own",# Required | A name\n# ref_application_id 1\n${TABLE}`

test.each<[string, Uint8Array | string, object]>([
  ['a table', TABLE, { kind: 'csv', rows: 2000 }],
  ['a table in gzip', gzipSync(TABLE), { kind: 'csv', gzip: true, rows: 2000 }],
  [
    'two members of gzip',
    Buffer.concat([gzipSync(HEAD + line(1)), gzipSync(line(2))]),
    { kind: 'csv', gzip: true, rows: 2 },
  ],
  ['a table with a mark', `\uFEFF${TABLE}`, { kind: 'csv', rows: 2000 }],
  ['a table in UTF-16', utf16(TABLE), { kind: 'csv', rows: 2000 }],
  ['a table below comments', meta, { kind: 'csv', rows: 2000 }],
  ['RSS', RSS, { kind: 'rss', rows: 1 }],
  [
    'RSS in Latin-1 that says so',
    Buffer.from(RSS.replace('"1.0"?', '"1.0" encoding="ISO-8859-1"?'), 'latin1'),
    { kind: 'rss', rows: 1 },
  ],
])('%s is read to its end', async (_name, bytes, found) => {
  for (const step of [7, 65_536]) {
    if (step === 7 && bytes.length > 100_000) continue
    expect(summary(await readBytes(bytes, step))).toEqual({
      ...{ gzip: false, problem: null, left_out: 0 },
      ...found,
    })
  }
})

const PACKED = gzipSync(TABLE)
const broken = Buffer.from(PACKED)
broken[PACKED.length - 6] = 255 - (PACKED.at(-6) ?? 0)
const garbled = Buffer.from(PACKED)
garbled.fill(0xff, PACKED.length >> 1)
const BOMB = gzipSync(HEAD + line(1).repeat(500_000))
const ENTITIES = `<?xml version="1.0"?><!DOCTYPE rss [<!ENTITY a "aaaaaaaaaa">${Array.from(
  { length: 9 },
  (_, n) => `<!ENTITY a${n} "${`&a${n === 0 ? '' : n - 1};`.repeat(10)}">`,
).join('')}]>${RSS.slice(RSS.indexOf('<rss')).replace('Tent 0', '&a8;')}`

describe('what cannot be read says what to do', () => {
  test.each<[string, Uint8Array | string, RegExp]>([
    ['nothing', '', /^It is empty: .*Export the feed again\.$/],
    ['white space', ' \n\n ', /^It is not a product feed/],
    ['a header alone', HEAD, /^It has no products\. Export the feed again\.$/],
    ['other columns', 'a,b,c\n1,2,3\n', /^It is not a product feed/],
    ['gzip that is damaged', broken, /^Its gzip data is damaged\. Compress the feed again\.$/],
    ['gzip that ends too early', PACKED.subarray(0, -20), /^Its gzip data ends too early\./],
    ['gzip with half of it overwritten', garbled, /^Its gzip data (?:is damaged|ends too early)/],
    ['a bomb of gzip', BOMB, /^It expands to more than 100 times its size/],
    ['gzip within gzip', gzipSync(PACKED), /^It is compressed twice\. Unpack it once\.$/],
    [
      'a ZIP archive',
      Buffer.from('PK\u0003\u0004....'),
      /^It is a ZIP archive or a spreadsheet\. Unpack/,
    ],
    ['Parquet within gzip', gzipSync('PAR1....'), /^It is Parquet within gzip\. Unpack it/],
    ['a web page', '<!DOCTYPE html><html><body>404</body></html>', /^It is a web page/],
    ['Latin-1', Buffer.from(TABLE, 'latin1'), /^After row 0 it is not UTF-8\. Save it as UTF-8\.$/],
    ['binary', Buffer.from([0, 1, 2, 3, 0xfe, 0xfd]), /not UTF-8|not a product feed/],
    ['entities that expand', ENTITIES, /entity.*Fix it and check again\.$/i],
    ['a quotation mark', `${HEAD}"${'x'.repeat(600_000)}`, /Fix it and check again\.$/],
    [
      'a line of 50 MB',
      `${HEAD}${'x'.repeat(50_000_000)}`,
      /^A row is longer than 500000 characters/,
    ],
    ['one line of 50 MB', 'x'.repeat(50_000_000), /^It is not a product feed/],
    [
      'a cut list',
      `[{"item_id":"1","title":"T","url":"https://a.example"}`,
      /list of products is not closed/,
    ],
    ['an item that is not closed', RSS.slice(0, -40), /Fix it and check again\.$/],
  ])('%s', async (_name, bytes, problem) => {
    const before = process.memoryUsage.rss()
    const read = await readBytes(bytes)
    expect(read.problem).toMatch(problem)
    expect(process.memoryUsage.rss() - before).toBeLessThan(200_000_000)
  })

  test('a line that never ends is not read to its end', async () => {
    const reader = createUploadReader(OPTIONS)
    const piece = Buffer.alloc(65_536, 0x78)
    await reader.write(Buffer.from(HEAD))
    let taken = 0
    while (taken < 1000 && (await reader.write(piece))) taken += 1
    expect(taken).toBeLessThan(20)
  })
})

describe('Parquet', () => {
  const COLUMNS = HEAD.trim().split(',')
  const columnData = (rows: number) => [
    ...COLUMNS.map((name, n) => ({
      name,
      data: Array.from({ length: rows }, (_, row) => line(row).trim().split(',')[n]),
    })),
    { name: 'stock', type: 'INT64' as const, data: Array.from({ length: rows }, () => 5n) },
    {
      name: 'target_countries',
      type: 'JSON' as const,
      data: Array.from({ length: rows }, () => ['US', 'CA']),
    },
  ]
  const asBuffer = (bytes: ArrayBuffer) => parquetInMemory(new Uint8Array(bytes))
  const read = (bytes: ArrayBuffer) => readParquetUpload(asBuffer(bytes), OPTIONS)

  test('its rows are judged as those of a table', async () => {
    const bytes = parquetWriteBuffer({ columnData: columnData(2500), rowGroupSize: 1000 })
    expect(summary(await read(bytes))).toEqual({
      ...{ kind: 'parquet', gzip: false, problem: null, rows: 2500, left_out: 0 },
    })
    const other = columnData(3).filter(({ name }) => name !== 'price')
    const without = await read(parquetWriteBuffer({ columnData: other }))
    expect(summary(without)).toMatchObject({ rows: 3, left_out: 3 })
  })

  test('a list is read as JSON, a number as text', async () => {
    const bytes = parquetWriteBuffer({
      columnData: [
        ...columnData(1).filter(({ name }) => name !== 'mpn'),
        { name: 'mpn', type: 'INT32' as const, data: [7] },
      ],
    })
    const found = await readParquetUpload(asBuffer(bytes), {
      ...{ destinations: ['openai'], mostIds: 10 },
    })
    expect(found.check.destinations[0]?.causes).toEqual([])
  })

  const whole = parquetWriteBuffer({ columnData: columnData(50) })
  const changed = (at: number, byte: number) => {
    const bytes = new Uint8Array(whole.slice(0))
    bytes[at] = byte
    return bytes.buffer
  }
  test.each<[string, ArrayBuffer, RegExp]>([
    ['nothing but its name', new TextEncoder().encode('PAR1').buffer, /ends before it has begun/],
    [
      'half of it',
      whole.slice(0, whole.byteLength >> 1),
      /It is not whole: it does not end as Parquet/,
    ],
    ['a footer of any size', changed(whole.byteLength - 5, 0x7f), /footer is damaged/],
    [
      'other columns',
      parquetWriteBuffer({ columnData: [{ name: 'a', data: ['1'] }] }),
      /It is not a product feed/,
    ],
    [
      'no rows',
      parquetWriteBuffer({
        columnData: COLUMNS.map((name) => ({ name, type: 'STRING' as const, data: [] })),
      }),
      /It has no products/,
    ],
  ])('%s', async (_name, bytes, problem) => {
    expect((await read(bytes)).problem).toMatch(problem)
  })

  test('no change of a byte makes it throw or grow', async () => {
    const before = process.memoryUsage.rss()
    for (let at = 4; at < whole.byteLength; at += 37) {
      for (const byte of [0, 0x7f, 0xff]) {
        const { problem, check } = await read(changed(at, byte))
        expect(problem === null || problem.length < 300).toBe(true)
        expect(check.rows).toBeLessThanOrEqual(1_100_000)
      }
    }
    expect(process.memoryUsage.rss() - before).toBeLessThan(400_000_000)
  })

  test('a group that claims too many rows is not read', async () => {
    const writer = new ByteWriter()
    const rows = 1_200_000
    await parquetWrite({
      writer,
      columnData: [
        { name: 'id', data: new Array<string>(rows).fill('a') },
        { name: 'title', data: new Array<string>(rows).fill('a') },
      ],
      rowGroupSize: rows,
      statistics: false,
    })
    expect((await read(writer.getBuffer())).problem).toMatch(/write groups of at most 1,000,000/)
  })
})
