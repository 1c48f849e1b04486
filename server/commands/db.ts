import { ENGINE_VERSION } from '../../shared/audit/result/result.ts'
import { printableJson, printableLines } from '../../shared/web/text/printable.ts'
import type { Config } from '../config.ts'
import type { Db } from '../db/connect.ts'
import { keptTables } from '../db/retention/kept.ts'
import { readStats, type TableStats } from '../db/retention/stats.ts'
import { keptStoreTables } from '../store/ops/kept.ts'
import { sizeText } from './terminal/size-text.ts'
import type { Terminal } from './terminal/terminal.ts'

/**
 * Lists the tables of the service, and of the store if it uses the same database: rows, bytes, the
 * oldest row, what makes the table grow and how long it is kept.
 */
export async function statsCommand(
  flags: { json?: boolean },
  db: Db,
  { auditRetentionDays }: Pick<Config, 'auditRetentionDays'>,
  terminal: Terminal,
): Promise<void> {
  const settings = { auditDays: auditRetentionDays, engineVersion: ENGINE_VERSION }
  const tables = [...keptTables(settings), ...keptStoreTables(new Date())]
  const stats = await readStats(db.$client, tables)
  const words = new Map(tables.map(({ table, grows, kept }) => [table, { grows, kept }]))
  const rows = stats.map((each) => ({ ...each, ...words.get(each.table) }))
  if (flags.json) return terminal.print(printableJson(rows))
  terminal.print(
    printableLines([
      lineOf('table', 'rows', 'size', 'oldest', 'kept'),
      ...rows.map((each) =>
        lineOf(each.table, rowsText(each), sizeText(each.bytes), dayText(each.oldest), each.kept),
      ),
      '',
      '~ an estimate: large tables are read from the statistics of the last ANALYZE.',
    ]),
  )
}

const lineOf = (table: string, rows: string, size: string, oldest: string, kept = ''): string =>
  `${table.padEnd(26)}${rows.padStart(14)}${size.padStart(11)}  ${oldest.padEnd(12)}${kept}`

function rowsText({ rows, estimated }: TableStats): string {
  if (rows === null) return '?'
  return `${estimated ? '~' : ''}${rows.toLocaleString('en-US')}`
}

const dayText = (oldest: string | null): string => oldest?.slice(0, 10) ?? '-'
