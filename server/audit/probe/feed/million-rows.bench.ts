import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { HAS_DUCKDB, queryDuckDb } from '../../../commands/export/testing/readers.ts'
import { FEED_FORMS, writeFeed } from './testing/large-feeds.ts'

// `aisle feed check` of a file of 100,000 products, and of ROWS: what it takes of the processor for
// each of them, and at most of memory. A million is what the documentation states.

const FEW = 100_000
const MANY = Number(process.env.ROWS ?? 300_000)

/**
 * The ids of a million products take 14, and the full row groups of Parquet a quarter more than the
 * single one of 100,000.
 */
const MOST_MORE_MIB = 40
const MOST_RATIO = 1.3

const TEXTS = Object.keys(FEED_FORMS).flatMap((form) => [form, `${form}.gz`])
const FORMS = HAS_DUCKDB ? [...TEXTS, 'parquet'] : TEXTS

/** Says at the end of a process what it took. */
const AT_EXIT = `data:text/javascript,process.on('exit',()=>process.stderr.write('\\n'+JSON.stringify(process.resourceUsage())))`

const run = promisify(execFile)
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'aisle-million-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function make(form: string, rows: number): Promise<string> {
  if (form !== 'parquet') return writeFeed(folder, form, rows)
  const table = await writeFeed(folder, 'tsv', rows)
  const path = join(folder, `${rows}.parquet`)
  const read = `read_csv('${table}', delim = '\t', header = true, all_varchar = true)`
  await queryDuckDb(folder, `COPY (SELECT * FROM ${read}) TO '${path}' (FORMAT parquet)`)
  await rm(table)
  return path
}

async function check(form: string, rows: number) {
  const path = await make(form, rows)
  const args = ['--import', AT_EXIT, 'dist/cli.js', 'feed', 'check', path, '--json']
  // Some products are left out, which the exit code says.
  // Vite sets a BASE_URL of its own.
  const env = { ...process.env, BASE_URL: 'http://localhost:8080' }
  const ended = await run(process.execPath, args, { env }).catch((error: unknown) => Object(error))
  await rm(path)
  const { products, problem } = JSON.parse(String(ended.stdout))
  expect({ products, problem }).toEqual({ products: rows, problem: null })
  const used = JSON.parse(String(ended.stderr).trim().split('\n').at(-1) ?? '')
  return {
    seconds: (used.userCPUTime + used.systemCPUTime) / 1e6,
    most: used.maxRSS / 1024,
  }
}

test.each(FORMS)(
  '%s',
  async (form) => {
    const [few, many] = [await check(form, FEW), await check(form, MANY)]
    const said = [
      { rows: FEW, ...few },
      { rows: MANY, ...many },
    ].map(
      ({ rows, seconds, most }) =>
        `${rows} products: ${seconds.toFixed(1)} s of processor, ${most.toFixed(0)} MiB`,
    )
    process.stdout.write(`${form}: ${said.join('; ')}\n`)
    expect(many.seconds / MANY / (few.seconds / FEW)).toBeLessThan(MOST_RATIO)
    expect(many.most - few.most).toBeLessThan(MOST_MORE_MIB)
  },
  1_800_000,
)
