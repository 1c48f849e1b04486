import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, inject, test } from 'vitest'
import { Report } from '../../../shared/attribution/report.ts'
import { SURFACES } from '../../../shared/attribution/surfaces.ts'
import { asBrowser, beacon, SHOP } from '../../attribution/beacon/testing/beacon.ts'
import { insertProperty } from '../../db/attribution/properties.ts'
import {
  STORED_AI_SURFACE,
  STORED_PROPERTIES,
  STORED_VISIT,
  unpackModel,
} from '../../db/events/packed.ts'
import { ensureMonths } from '../../db/events/partitions.ts'
import { testApp, testDatabase } from '../../testing/app.ts'
import { program } from '../../testing/program.ts'
import { forgetCommand } from '../report.ts'
import { readTerminal } from '../testing/read-terminal.ts'
import { type ExportFlags, exportCommand } from './export.ts'
import { DOMAINS, manyEvents, SHOPS } from './testing/many-events.ts'
import {
  HAS_CLICKHOUSE,
  HAS_DUCKDB,
  queryClickHouse,
  queryDuckDb,
  type Row,
} from './testing/readers.ts'

const testWithDuckDb = test.skipIf(!HAS_DUCKDB)
const CLI = await program('cli')
const now = () => new Date('2026-11-20T12:00:00Z')
const { app, ask, db, sql } = await testApp({ now })
const newFolder = () => mkdtemp(join(inject('runFolder'), 'export-'))

interface Said {
  print: string
  remark: string[]
}

/** Runs the command; `onProgress` is called with its progress. */
async function runExport(flags: ExportFlags, of = db, onProgress = () => {}): Promise<Said> {
  const { terminal, read, remarks } = readTerminal({ progress: onProgress })
  await exportCommand(flags, { db: of, now }, terminal)
  return { print: read(), remark: remarks() }
}

for (const [n, domain] of DOMAINS.entries()) {
  await insertProperty(db, {
    id: `prop_0000000000000000000${n}`,
    domain,
    origins: [`https://*.${domain}`],
    currency: null,
    time_zone: SHOPS[domain].zone,
    lookback_days: null,
    created_at: now(),
  })
}
const EVENTS = manyEvents(1000)
for (let n = 0; n < EVENTS.length; n += 100) {
  const answer = await ask('/api/report', { body: EVENTS.slice(n, n + 100) })
  expect(answer.status).toBe(200)
  const refused = (await answer.json()).results.filter((each: object) => 'error' in each)
  expect(refused).toEqual([])
}

// Visits, which have a landing page: the others have none.
const visit = asBrowser(app, 'prop_00000000000000000000')
const VISITS = ['/', '/p/caf%C3%A9?a=1', '/%F0%9F%91%A9%F0%9F%8F%BD%E2%80%8D%F0%9F%9A%80/"x"'].map(
  (path, n) => ({ id: `session-000${n}`, landing: `${SHOP}/#${path}` }),
)
for (const each of VISITS) expect((await visit({ body: beacon(each) })).status).toBe(200)

const folder = await newFolder()
const exported = await runExport({ output: join(folder, 'exports'), months: '2026-08..2026-11' })

/** A reader, and how it writes the columns like Postgres below. */
const READERS = [
  {
    name: 'DuckDB',
    heading: 'DuckDB',
    others: { afterwards: [], rows: Array(10).fill([expect.any(String), expect.any(String)]) },
    read: queryDuckDb,
    has: HAS_DUCKDB,
    rows: `select domain, id::text, strftime(ts at time zone 'UTC', '%Y-%m-%d %H:%M:%S.%f'),
        strftime(received_at at time zone 'UTC', '%Y-%m-%d %H:%M:%S.%f'), day::text, event, source,
        session_id, visit_id, opens_session, surface, kind, confidence, model, ai_surface,
        value::text, currency, currency_digits, properties, landing, month
      from read_parquet('exports/month=*/events.parquet') order by domain, id`,
    sums: `select month, domain, coalesce(currency, ''), surface, event, count(*)::text,
        coalesce(sum(value), 0)::text
      from read_parquet('exports/month=*/events.parquet') group by 1, 2, 3, 4, 5`,
  },
  {
    name: 'ClickHouse of CHDB',
    heading: 'ClickHouse',
    others: {
      afterwards: ['select count() from events'],
      rows: [[String(EVENTS.length + VISITS.length)]],
    },
    read: queryClickHouse,
    has: HAS_CLICKHOUSE,
    rows: `select domain, toString(id), formatDateTime(ts, '%F %T.%f', 'UTC'),
        formatDateTime(received_at, '%F %T.%f', 'UTC'), toString(day), event, source, session_id,
        visit_id, opens_session, surface, kind, confidence, model, ai_surface, toString(value),
        currency, currency_digits, properties, landing, month
      from file('exports/month=*/events.parquet', Parquet) order by domain, toString(id)`,
    sums: `select month, domain, coalesce(currency, ''), surface, event, toString(count()),
        toString(coalesce(sum(value), 0))
      from file('exports/month=*/events.parquet', Parquet) group by 1, 2, 3, 4, 5`,
  },
]

const DIGITS = { EUR: 2, USD: 2, KWD: 3, JPY: 0 }

const MODEL_COLUMN = 13

const storedRows = async (): Promise<Row[]> => {
  const rows = await sql`
    select domain, id::text, to_char(ts, 'YYYY-MM-DD HH24:MI:SS.US'),
      to_char(received_at, 'YYYY-MM-DD HH24:MI:SS.US') as received,
      coalesce(day, ts::date)::text, event, source, session_id, ${sql.unsafe(STORED_VISIT)},
      opens_session, surface, kind, confidence, model,
      ${sql.unsafe(STORED_AI_SURFACE)}, value::text,
      currency, 0 as digits, (${sql.unsafe(STORED_PROPERTIES)})::text, landing,
      to_char(ts, 'YYYY-MM') as month
    from events order by domain collate "C", id`.values()
  return rows.map((row) =>
    row.map((value, n) => {
      if (n === MODEL_COLUMN) return unpackModel(String(value))
      return n === 17 ? (DIGITS[row[16] as 'EUR'] ?? null) : value
    }),
  )
}

const sorted = (rows: Row[]) =>
  rows.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))

/** The blocks of SQL below a heading of the documentation. */
async function documented(heading: string): Promise<string[]> {
  const [, part = ''] = (await readFile('docs/operator/export.md', 'utf8')).split(
    `\n## ${heading}\n`,
  )
  const [section = ''] = part.split('\n## ')
  return [...section.matchAll(/^ *```sql\n([\s\S]*?)```/gm)].map(([, statement = '']) => statement)
}

test('there is something of everything', async () => {
  const rows = await storedRows()
  expect(rows.length).toBe(EVENTS.length + VISITS.length)
  expect(rows.length).toBeGreaterThan(3000)
  const column = (n: number) => [...new Set(rows.map((row) => row[n]))]
  expect(column(16).toSorted()).toEqual(['EUR', 'JPY', 'KWD', 'USD', null])
  expect(column(5)).toContain('ai_order_refunded')
  expect(column(20).toSorted()).toEqual(['2026-08', '2026-09', '2026-10', '2026-11'])
  expect(column(19).length).toBeGreaterThan(2)
  // The day of a shop in another zone, and a value beyond 32 bits.
  expect(rows.some((row) => !String(row[2]).startsWith(String(row[4])))).toBe(true)
  expect(rows.some((row) => Number(row[15]) > 2 ** 32)).toBe(true)
})

describe.each(READERS)('$name', ({ read, has, rows, sums }) => {
  test.skipIf(!has)('reads every column of every event as it is stored', async () => {
    const stored = await storedRows()
    const found = await read(folder, rows)
    expect(found.length).toBe(stored.length)
    // One by one: a difference is then shown as that of one event.
    for (const [n, row] of found.entries()) expect(row).toEqual(stored[n])
  })

  test.skipIf(!has)('adds up to what the database does, to the cent', async () => {
    const stored = await sql`
      select to_char(ts, 'YYYY-MM'), domain, coalesce(currency, ''), surface, event,
        count(*)::text as events, coalesce(sum(value), 0)::text as value
      from events group by 1, 2, 3, 4, 5`.values()
    expect(sorted(await read(folder, sums))).toEqual(sorted([...stored]))
  })
})

describe('the documented queries', () => {
  const known = new Set(SURFACES.map(({ id }) => id))

  /** Orders, revenue, refunds by domain, surface and currency, as the API reports them. */
  async function reported(): Promise<Row[]> {
    const reportOf = async (domain: string, query = '') => {
      const path = `/api/report?domain=${domain}&start=2026-10-01&end=2026-10-31${query}`
      const answer = await ask(path)
      return Report.parse(await answer.json())
    }
    const rows: Row[] = []
    for (const domain of DOMAINS) {
      for (const surface of Object.keys((await reportOf(domain)).by_surface)) {
        const { revenue_by_currency } = await reportOf(domain, `&surface=${surface}`)
        for (const [currency, figures] of Object.entries(revenue_by_currency)) {
          const { orders, revenue_cents, refunded_cents = 0 } = figures
          if (orders + refunded_cents === 0) continue
          rows.push([domain, surface, currency, orders, revenue_cents, refunded_cents])
        }
      }
    }
    return rows
  }

  /** Surfaces that reports do not know count as one. */
  function asReported(rows: Row[]): Row[] {
    const sums = new Map<string, number[]>()
    for (const [domain, surface, currency, ...figures] of rows) {
      const key = JSON.stringify([
        domain,
        known.has(String(surface)) ? surface : 'other_ai',
        currency,
      ])
      const sum = sums.get(key) ?? [0, 0, 0]
      sums.set(
        key,
        sum.map((value, n) => value + Number(figures[n])),
      )
    }
    return [...sums].map(([key, sum]) => [...JSON.parse(key), ...sum])
  }

  test.each(READERS)('are there for $name', async ({ heading }) => {
    expect(await documented(heading)).toHaveLength(2)
  })

  describe.each(READERS)('$name', ({ heading, read, has, others }) => {
    test.skipIf(!has)('answers what the report does', async () => {
      const [query = ''] = await documented(heading)
      const answered = await read(folder, query)
      expect(sorted(asReported(answered))).toEqual(sorted(await reported()))
      expect(answered.length).toBeGreaterThan(20)
      for (const [, , currency, , revenue, refunded, net] of answered) {
        const digits = DIGITS[String(currency) as 'EUR']
        expect(Number(net)).toBeCloseTo((Number(revenue) - Number(refunded)) / 10 ** digits, 5)
      }
    })

    test.skipIf(!has)('runs the other one', async () => {
      const [, other = ''] = await documented(heading)
      expect(await read(folder, other, ...others.afterwards)).toEqual(others.rows)
    })
  })
})

test('it says what it has written', async () => {
  const text = exported.print
  expect(text).toMatch(/^2026-08: [\d,]+ events, [\d.]+ [kM]B: .*month=2026-08\/events\.parquet$/m)
  expect(text).toMatch(/^ {2}[\d,]+ orders, \d+\.\d{3} KWD, refunded \d+\.\d{3} KWD$/m)
  expect(text).toMatch(/^ {2}[\d,]+ orders, \d+ JPY/m)
  expect(text).toMatch(/Read back: rows and sums are those of the database\.$/)
  expect(exported.remark).toEqual(['2026-11 is not over. Export it again when it is.'])
  const output = await newFolder()
  const json = JSON.parse((await runExport({ output, json: true })).print)
  // Only those that are over, unless others are asked for.
  expect(json.map(({ month }: { month: string }) => month)).toEqual([
    '2026-08',
    '2026-09',
    '2026-10',
  ])
  const [stored] = await sql`
    select count(*) filter (where event = 'ai_checkout_completed')::int as orders,
      sum(value) filter (where event = 'ai_checkout_completed')::float8 as revenue,
      count(*) filter (where event = 'ai_order_refunded')::int as refunds,
      sum(value) filter (where event = 'ai_order_refunded')::float8 as refunded
    from events where currency = 'KWD' and to_char(ts, 'YYYY-MM') = '2026-09'`
  expect(json[1].money).toContainEqual({ currency: 'KWD', ...stored })
  expect(json[1].bytes).toBe((await stat(json[1].file)).size)
})

testWithDuckDb(
  'one domain has a folder of its own, and no file takes the place of another',
  async () => {
    const output = join(await newFolder(), 'exports')
    await runExport({ output, domain: 'Tokyo.example', months: '2026-10' })
    const rows = await queryDuckDb(
      join(output, '..'),
      `select distinct domain from read_parquet('exports/month=*/events.parquet')`,
    )
    expect(rows).toEqual([['tokyo.example']])
    const again = runExport({ output, months: '2026-10' })
    await expect(again).rejects.toThrow(
      /has the events of tokyo\.example, 2026-10\. Choose another folder with --output\.$/,
    )
    const file = join(output, 'month=2026-10', 'events.parquet')
    await writeFile(file, 'PAR1 nothing')
    await expect(runExport({ output, months: '2026-10' })).rejects.toThrow(
      /was not written by aisle export\. Choose another/,
    )
    expect(await readFile(file, 'utf8')).toBe('PAR1 nothing')
  },
)

test.each([
  [{ months: 'October' }, '--months takes a month such as 2026-11 or a range'],
  [{ months: '2026-13' }, 'not "2026-13"'],
  [{ months: '2026-10..2026-08' }, 'not "2026-10..2026-08"'],
  [
    { months: '2027-01' },
    'No events of 2027-01 are stored. Choose months from 2026-08 to 2026-11.',
  ],
  [{ domain: 'other.example' }, 'No events of other.example were received.'],
  [{ output: '/dev/null/here', months: '2026-10' }, 'Choose another folder with --output.'],
])('%j is refused with what to do', async (flags, sentence) => {
  const output = await newFolder()
  await expect(runExport({ output, ...flags })).rejects.toThrow(sentence)
})

test('months before the first event are no failure of a monthly job', async () => {
  const output = await newFolder()
  const { print, remark } = await runExport({ output, months: '2020-01' })
  expect({ print, remark }).toEqual({
    print: '',
    remark: ['No events of 2020-01 are stored: the first are of 2026-08.'],
  })
  const json = await runExport({ output, months: '2020-01..2020-02', json: true })
  expect(JSON.parse(json.print)).toEqual([])
  const empty = await testDatabase()
  const young = await runExport({ output, months: '2025-09' }, empty.db)
  expect(young.remark).toEqual(['No events are stored yet.'])
  expect(await readdir(output)).toEqual([])
})

test('what is there is left with --only-missing', async () => {
  const output = await newFolder()
  await runExport({ output, months: '2026-09' })
  const file = join(output, 'month=2026-09', 'events.parquet')
  const { mtimeMs } = await stat(file)
  const { print } = await runExport({ output, onlyMissing: true })
  expect(print).toContain('Already there: 2026-09.')
  expect((await stat(file)).mtimeMs).toBe(mtimeMs)
  expect((await readdir(output)).toSorted()).toEqual([
    'month=2026-08',
    'month=2026-09',
    'month=2026-10',
  ])
})

testWithDuckDb('a month without events is a file without rows', async () => {
  const empty = await testDatabase()
  const output = join(await newFolder(), 'exports')
  expect((await runExport({ output }, empty.db)).print).toBe(
    'No stored month is over yet. For the events of this one use --months 2026-11.',
  )
  await ensureMonths(empty.sql, ['2026-10'])
  const { print } = await runExport({ output }, empty.db)
  expect(print).toContain('2026-10: 0 events')
  const count = `select count(*) from read_parquet('exports/month=*/events.parquet')`
  expect(await queryDuckDb(join(output, '..'), count)).toEqual([['0']])
})

describe('a month of many events', async () => {
  const large = await testDatabase()
  await ensureMonths(large.sql, ['2026-10'])
  const COUNT = 200_000
  await large.sql`
    insert into events (domain, id, ts, received_at, event, source, session_id, visit_id,
      opens_session, surface, kind, confidence, model, value, currency, properties)
    select 'shop.example', lpad(to_hex(n), 32, '0')::uuid,
      '2026-10-01T00:00:00Z'::timestamptz + n * interval '8 seconds', now(),
      'ai_checkout_completed', 'acp', 's' || n, 'session:s' || n, true, 'chatgpt', 'protocol', 0.9,
      '1', n, 'USD', '{}' from generate_series(1, ${COUNT}::int) n`
  const sum = `select count(*), sum(value)::text from read_parquet('exports/month=*/events.parquet')`
  const right = [[String(COUNT), String((COUNT * (COUNT + 1)) / 2)]]

  testWithDuckDb('is of one moment, and not of what comes meanwhile', async () => {
    const output = join(await newFolder(), 'exports')
    let more: Promise<{ count: number }> | undefined
    const { print } = await runExport({ output }, large.db, () => {
      more ??= large.sql`
        insert into events (domain, id, ts, received_at, event, source, session_id, visit_id,
          opens_session, surface, kind, confidence, model, value, currency, properties)
        values ('shop.example', 'ffffffff-0000-0000-0000-000000000000', '2026-10-02T00:00:00Z', now(),
          'ai_checkout_completed', 'acp', 'x', 'session:x', true, 'chatgpt', 'protocol', 0.9, '1',
          1, 'USD', '{}')`.execute()
    })
    expect((await more)?.count).toBe(1)
    expect(print).toContain('2026-10: 200,000 events')
    expect(await queryDuckDb(join(output, '..'), sum)).toEqual(right)
    await large.sql`delete from events where session_id = 'x'`
  })

  testWithDuckDb(
    'killed in the middle leaves the file of before, and the next run clears up',
    async () => {
      const parent = await newFolder()
      const month = join(parent, 'exports', 'month=2026-10')
      const start = () =>
        spawn(process.execPath, [CLI, 'export', '--output', 'exports', '--months', '2026-10'], {
          cwd: parent,
          env: { ...process.env, DATABASE_URL: large.url, NODE_ENV: '', BASE_URL: '', PORT: '' },
          stdio: ['ignore', 'ignore', 'inherit'],
        })
      const killInTheMiddle = async () => {
        const child = start()
        const temporary = join(month, `events.parquet.${child.pid}.tmp`)
        await expect
          .poll(
            () =>
              stat(temporary).then(
                ({ size }) => size,
                () => 0,
              ),
            { interval: 2, timeout: 30_000 },
          )
          .toBeGreaterThan(0)
        child.kill('SIGKILL')
        await once(child, 'close')
        return temporary
      }
      const first = await killInTheMiddle()
      expect(await readdir(month)).toEqual([first.split('/').at(-1)])
      const child = start()
      await once(child, 'close')
      expect(child.exitCode).toBe(0)
      expect(await readdir(month)).toEqual(['events.parquet'])
      expect(await queryDuckDb(parent, sum)).toEqual(right)

      const second = await killInTheMiddle()
      expect(existsSync(second)).toBe(true)
      expect(await queryDuckDb(parent, sum)).toEqual(right)
      // Three times 200,000 events, which is much for a slow machine.
    },
    180_000,
  )
})

testWithDuckDb(
  'what was erased is not in the next export, nor where the documented statement was run',
  async () => {
    const parent = await newFolder()
    const output = join(parent, 'exports')
    const record = async (session_id: string, timestamp: string) => {
      const event = {
        event: 'ai_checkout_completed',
        domain: 'shop.example',
        session_id,
        source: 'acp',
        timestamp,
        properties: {
          value: 100,
          currency: 'EUR',
          order_id: session_id,
          visit_id: 'visit-of-cart-7',
        },
      }
      const answer = await ask('/api/report', { body: event })
      expect(answer.status).toBe(200)
    }
    await record('cart-7', '2026-10-10T10:00:00Z')
    await record('of-the-same-visit', '2026-10-10T11:00:00Z')
    await runExport({ output, months: '2026-10' })
    const ids = `select id::text from read_parquet('exports/month=*/events.parquet') order by 1`
    const before = await queryDuckDb(parent, ids)
    const [statement = ''] = await documented('Erased visitors')
    await queryDuckDb(parent, statement)

    await forgetCommand('cart-7', { domain: 'shop.example' }, db, readTerminal().terminal)
    await runExport({ output, months: '2026-10' })
    const after = await queryDuckDb(parent, ids)
    expect(after).toHaveLength(before.length - 2)

    const file = join(output, 'month=2026-10', 'events.parquet')
    await rename(join(output, 'month=2026-10', 'without.parquet'), file)
    expect(await queryDuckDb(parent, ids)).toEqual(after)
  },
)
