import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { packagesForTests } from '../../../testing/registry.ts'

/*
 * Readers of the files, each in a process of its own. DuckDB (70 MB) is installed for the test.
 * ClickHouse, as a library, is 550 MB: with CHDB=<folder>, where `npm install chdb` was run, it
 * reads them as well.
 */

/** Values in JSON; integers of 64 bits are texts. */
export type Row = unknown[]
/** Runs statements in a folder; resolves to the rows of the last one. */
export type Reader = (folder: string, ...statements: string[]) => Promise<Row[]>

const run = promisify(execFile)

const execute = async (folder: string, program: string, statements: readonly string[]) => {
  const args = ['--input-type=module', '--eval', program, JSON.stringify(statements)]
  // A zone with daylight saving: reading a time must not depend on it.
  const env = { ...process.env, TZ: 'America/New_York' }
  const maxBuffer = 100_000_000
  const { stdout } = await run(process.execPath, args, { cwd: folder, env, maxBuffer })
  return stdout.trim()
}

const duckDbPackages = await packagesForTests('@duckdb/node-api@1.5.5-r.5')
export const HAS_DUCKDB = duckDbPackages !== null

const DUCKDB = `
const { DuckDBInstance } = await import(${JSON.stringify(join(duckDbPackages ?? '', '@duckdb/node-api/lib/index.js'))})
const connection = await (await DuckDBInstance.create()).connect()
let rows = []
for (const statement of JSON.parse(process.argv.at(-1))) {
  rows = (await connection.runAndReadAll(statement)).getRowsJson()
}
process.stdout.write(JSON.stringify(rows))`

export const queryDuckDb: Reader = async (folder, ...statements) =>
  JSON.parse(await execute(folder, DUCKDB, statements))

const given = process.env.CHDB ?? ''
export const HAS_CLICKHOUSE = existsSync(join(given, 'node_modules/chdb'))

const CLICKHOUSE = `
import { createRequire } from 'node:module'
const { Session } = createRequire(${JSON.stringify(join(given, 'from-here.js'))})('chdb')
const session = new Session()
session.query('set output_format_json_quote_64bit_integers = 1, output_format_json_escape_forward_slashes = 0')
let rows = ''
for (const statement of JSON.parse(process.argv.at(-1))) {
  rows = session.query(statement.trim().replace(/;$/, ''), 'JSONCompactEachRow')
}
process.stdout.write(String(rows))
session.cleanup()`

export const queryClickHouse: Reader = async (folder, ...statements) =>
  (await execute(folder, CLICKHOUSE, statements))
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
