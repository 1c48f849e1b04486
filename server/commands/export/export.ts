import { existsSync } from 'node:fs'
import { mkdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { formatMoney } from '../../../shared/commerce/product.ts'
import {
  type Printable,
  printable,
  printableJson,
  printableLines,
} from '../../../shared/web/text/printable.ts'
import type { Db } from '../../db/connect.ts'
import {
  copyMonth,
  domainsOfMonth,
  type EventSum,
  type MonthOfEvents,
  readByKey,
  sumMonth,
} from '../../db/events/month-events.ts'
import { listMonths, monthOf } from '../../db/events/partitions.ts'
import { addExactly } from '../../db/events/rollups.ts'
import { shardsOf } from '../../db/sharding/shards.ts'
import { readReported } from '../report.ts'
import { CommandError } from '../terminal/command-error.ts'
import { replaceFileBy } from '../terminal/replace-file.ts'
import { sizeText } from '../terminal/size-text.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { contentsOf, sumEventsFile, writeEventsFile } from './events-file.ts'

export interface ExportFlags {
  output: string
  months?: string
  domain?: string
  onlyMissing?: boolean
  json?: boolean
}

interface ExportDeps {
  db: Db
  now: () => Date
}

/** A written file, and the sums of its events. */
interface ExportedMonth {
  month: string
  file: string
  bytes: number
  events: number
  /** Amounts are in the smallest unit of the currency. */
  money: MoneySum[]
}

interface MoneySum {
  currency: string
  orders: number
  revenue: number
  refunds: number
  refunded: number
}

// Unspecified: an export is a folder with one file per month in UTC,
// `month=2026-11/events.parquet`, which DuckDB and ClickHouse read as a partition. Its rows are
// sorted by domain, so that a reader of one domain skips the others; a file per domain would be a
// hundred thousand small ones.

/**
 * Writes the events of months as Parquet files. A file replaces an earlier one when it is complete,
 * and its rows and sums have been read back and match the database.
 */
export async function exportCommand(
  flags: ExportFlags,
  { db, now }: ExportDeps,
  terminal: Terminal,
): Promise<void> {
  const domain = flags.domain === undefined ? undefined : await readReported(db, flags.domain)
  const current = monthOf(now())
  const months = await readMonths(db, flags.months, current)
  if ('none' in months) {
    if (flags.json) terminal.print(printableJson([]))
    return terminal.remark(months.none)
  }
  const exported: ExportedMonth[] = []
  const kept: string[] = []
  for (const month of months.found) {
    const file = join(flags.output, `month=${month}`, 'events.parquet')
    const isThere = await isOfSameExport(file, { month, domain })
    if (isThere && flags.onlyMissing) kept.push(month)
    else exported.push(await exportMonth(db, { month, domain }, file, terminal))
  }
  terminal.endProgress()
  terminal.print(flags.json ? printableJson(exported) : describe(exported, kept, current))
  if (exported.some(({ month }) => month === current)) {
    terminal.remark(printable`${current} is not over. Export it again when it is.`)
  }
}

const A_MONTH = String.raw`\d{4}-(?:0[1-9]|1[0-2])`
const MONTHS = new RegExp(String.raw`^(${A_MONTH})(?:\.\.(${A_MONTH}))?$`)

/**
 * The months to export: those that are named and stored, or all that are over. `none` gives the
 * reason for an empty list, unless it is an error.
 */
// Unspecified: months before the first stored one are not an error, so that a job which exports the
// oldest month before it is dropped works on a young installation, too.
async function readMonths(
  db: Db,
  asked: string | undefined,
  current: string,
): Promise<{ found: string[] } | { none: Printable }> {
  const stored = (await listMonths(db.$client)).filter((month) => month <= current)
  if (asked === undefined) return { found: stored.filter((month) => month < current) }
  const [, first, last = first] = MONTHS.exec(asked) ?? []
  if (first === undefined || last === undefined || last < first) {
    throw new CommandError(
      printable`--months takes a month such as 2026-11 or a range such as 2026-01..2026-11, not "${asked}".`,
    )
  }
  const found = stored.filter((month) => first <= month && month <= last)
  if (found.length > 0) return { found }
  const [oldest = current, newest] = [stored[0], stored.at(-1)]
  if (last < oldest) {
    return {
      none:
        newest === undefined
          ? printable`No events are stored yet.`
          : printable`No events of ${asked} are stored: the first are of ${oldest}.`,
    }
  }
  throw new CommandError(
    newest === undefined
      ? printable`No events are stored yet.`
      : printable`No events of ${asked} are stored. Choose months from ${oldest} to ${newest}.`,
  )
}

/** Whether the file exists. Rejects if it has other content, which would be lost. */
async function isOfSameExport(file: string, { month, domain }: MonthOfEvents): Promise<boolean> {
  if (!existsSync(file)) return false
  const contents = await contentsOf(file)
  if (contents?.month === month && contents.domain === domain) return true
  const holds =
    contents === null
      ? 'was not written by aisle export'
      : `has the events of ${contents.domain ?? 'all domains'}, ${contents.month}`
  throw new CommandError(printable`${file} ${holds}. Choose another folder with --output.`)
}

/** Writes one file, from one snapshot of the database. */
async function exportMonth(
  db: Db,
  what: MonthOfEvents,
  file: string,
  terminal: Terminal,
): Promise<ExportedMonth> {
  await mkdir(join(file, '..'), { recursive: true }).catch((error: Error) => {
    throw new CommandError(
      printable`${file} cannot be written: ${error.message}. Choose another folder with --output.`,
    )
  })
  const areMany = await shardsOf(db.$client).areMany()
  const snapshot = 'isolation level repeatable read read only'
  const sums = await db.$client.begin(snapshot, async (sql) => {
    // A month may need more time than statements usually have.
    await sql`set local statement_timeout = 0`
    const stored = await sumMonth(sql, what)
    await readByKey(sql)
    const copies = async function* () {
      // A cluster would collect all of a month in one place to sort it.
      const parts = areMany
        ? (await domainsOfMonth(sql, what)).map((domain) => ({ ...what, domain }))
        : [what]
      for (const part of parts) yield await copyMonth(sql, part)
    }
    const total = stored.reduce((sum, { events }) => sum + Number(events), 0)
    let done = 0
    await replaceFileBy(file, async ({ path, append }) => {
      await writeEventsFile(append, what, copies(), (rows) => {
        done += rows
        terminal.progress(printable`${what.month}: ${count(done)} of ${count(total)} events`)
      })
      const written = await sumEventsFile(path)
      if (keyOf(written) === keyOf(stored)) return
      throw new CommandError(
        printable`${file} was not written: its sums are not those of the database. Try again, and report it if it keeps happening.`,
      )
    })
    return stored
  })
  const { size } = await stat(file)
  const events = sums.reduce((sum, each) => sum + Number(each.events), 0)
  return { month: what.month, file, bytes: size, events, money: moneyOf(sums) }
}

/** The same for the same sums, in any order. */
const keyOf = (sums: readonly EventSum[]): string =>
  sums
    .map(({ event, currency, events, value }) => `${event} ${currency} ${events} ${value}`)
    .toSorted()
    .join('\n')

/** What was bought and refunded, by currency. */
function moneyOf(sums: readonly EventSum[]): MoneySum[] {
  const byCurrency = new Map<string, MoneySum>()
  for (const { event, currency, events, value } of sums) {
    const isOrder = event === 'ai_checkout_completed'
    if (currency === null || !(isOrder || event === 'ai_order_refunded')) continue
    const sum = byCurrency.get(currency) ?? {
      currency,
      orders: 0,
      revenue: 0,
      refunds: 0,
      refunded: 0,
    }
    // Exact up to 2^53 - 1, as in reports.
    const amount = addExactly(Number(value), 0)
    if (isOrder) Object.assign(sum, { orders: Number(events), revenue: amount })
    else Object.assign(sum, { refunds: Number(events), refunded: amount })
    byCurrency.set(currency, sum)
  }
  return [...byCurrency.values()].toSorted((a, b) => (a.currency < b.currency ? -1 : 1))
}

const count = (n: number): string => n.toLocaleString('en-US')

function describe(
  exported: readonly ExportedMonth[],
  kept: readonly string[],
  current: string,
): Printable {
  const lines = exported.flatMap(({ month, file, bytes, events, money }) => [
    `${month}: ${count(events)} events, ${sizeText(bytes)}: ${file}`,
    ...money.map(({ currency, orders, revenue, refunds, refunded }) => {
      const back = refunds > 0 ? `, refunded ${formatMoney({ amount: refunded, currency })}` : ''
      return `  ${count(orders)} orders, ${formatMoney({ amount: revenue, currency })}${back}`
    }),
  ])
  if (kept.length > 0) lines.push(`Already there: ${kept.join(', ')}.`)
  if (exported.length > 0) lines.push('Read back: rows and sums are those of the database.')
  return lines.length > 0
    ? printableLines(lines)
    : printable`No stored month is over yet. For the events of this one use --months ${current}.`
}
