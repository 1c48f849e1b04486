import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, expect, test } from 'vitest'
import { storeDatabase } from '../../store/db/testing/database.ts'
import { FEED_WRITERS } from '../../store/shop/feeds/feeds.ts'
import { FEED_FORMATS } from '../../store/shop/feeds/formats.ts'
import { visitTo } from '../../store/testing/store.ts'
import { program } from '../../testing/program.ts'
import { readTerminal } from '../testing/read-terminal.ts'
import { type FeedFlags, readFeedFlags, storeFeedCommand } from './feed.ts'

const NAMED = { hosts: ['*.twins.example', 'shop.example'], port: 8788 }
const folder = await mkdtemp(join(tmpdir(), 'feeds-'))
afterAll(() => rm(folder, { recursive: true }))

const { terminal, read, remarks } = readTerminal()

const WRONG: [FeedFlags, string][] = [
  [
    { format: 'yaml' },
    `"yaml" is not a feed format. Give --format one of ${FEED_FORMATS.join(', ')}.`,
  ],
  [
    { format: 'openai-tsv', gzip: true },
    'A compressed feed needs a file: give --out openai.tsv.gz.',
  ],
]
for (const wrong of [
  'shop.example',
  'http://a.example',
  'https://a.example/us',
  'https://b@a.example',
]) {
  WRONG.push([
    { format: 'google-xml', origin: wrong },
    `--origin takes the address of the store without a path, such as https://shop.example, not "${wrong}".`,
  ])
}

test.each(WRONG)('what cannot be done is said before anything is: %j', (flags, message) => {
  expect(() => readFeedFlags(flags, NAMED)).toThrow(message)
})

test('links lead to the origin that is given, to the first host of the store, or here', () => {
  const origin = (given: string | undefined, hosts: string[] | undefined) => {
    const asked = readFeedFlags(
      { format: 'google-xml', ...(given !== undefined && { origin: given }) },
      { hosts, port: 9000 },
    )
    return [asked.origin, asked.isAssumed]
  }
  expect(origin('https://other.example', NAMED.hosts)).toEqual(['https://other.example', false])
  expect(origin(undefined, NAMED.hosts)).toEqual(['https://shop.example', false])
  expect(origin(undefined, undefined)).toEqual(['https://localhost:9000', true])
})

test('a feed is written to a file as the store serves it', async () => {
  const { db } = await storeDatabase()
  const { at } = visitTo()
  for (const format of FEED_FORMATS) {
    const out = join(folder, format)
    const asked = readFeedFlags({ format, out, gzip: format === 'google-tsv' }, NAMED)
    await storeFeedCommand(asked, { db, now: () => at }, terminal)
    const written = await readFile(out)
    const text = format === 'google-tsv' ? gunzipSync(written) : written
    expect(text.toString()).toBe(FEED_WRITERS[format](visitTo()))
  }
  expect(read().split('\n')).toEqual(FEED_FORMATS.map((format) => `Wrote ${join(folder, format)}.`))
  expect(remarks()).toEqual([])
  const taken = join(folder, 'taken')
  await mkdir(taken)
  const nowhere = readFeedFlags({ format: 'acp-metadata', out: taken }, NAMED)
  await expect(storeFeedCommand(nowhere, { db, now: () => at }, terminal)).rejects.toThrow(
    /cannot be written: it is a folder\. Name another file\.$/,
  )
  expect((await readdir(folder)).sort()).toEqual([...FEED_FORMATS, 'taken'].sort())
})

test('the command prints a feed, tabs included, and names its formats', async () => {
  const { url } = await storeDatabase()
  const cli = await program('cli')
  const aisle = (...args: string[]) =>
    new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) => {
      const env = { PATH: process.env.PATH, DATABASE_URL: url }
      execFile(
        process.execPath,
        [cli, 'store', 'feed', ...args],
        { env },
        (error, stdout, stderr) => resolve({ code: error?.code ?? 0, stdout, stderr }),
      )
    })
  const [table, unknown] = await Promise.all([
    aisle('--format', 'openai-tsv', '--origin', 'https://shop.example'),
    aisle('--format', 'yaml'),
  ])
  expect(table).toEqual({ code: 0, stderr: '', stdout: FEED_WRITERS['openai-tsv'](visitTo()) })
  expect(unknown).toMatchObject({ code: 2, stdout: '' })
  expect(unknown.stderr).toContain(FEED_FORMATS.join(', '))
})
