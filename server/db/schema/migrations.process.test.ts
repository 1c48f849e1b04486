import { execFile } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { STORE_MIGRATIONS } from '../../store/db/migrations.ts'
import { packagesForTests } from '../../testing/registry.ts'
import { MIGRATIONS } from '../connect.ts'
import { type MigrationKind, readMigrations } from './migrations.ts'

/** The migrations of the service and of the store. */
const SETS = await Promise.all(
  [MIGRATIONS, STORE_MIGRATIONS].map(async (set) => ({
    set,
    migrations: (await readMigrations(set)).map((migration) => ({
      ...migration,
      text: migration.statements.join('--> statement-breakpoint'),
    })),
  })),
)

/** Of squawk's rules (https://squawkhq.com/docs/rules): what an earlier build does not survive. */
const BREAKS = [
  'adding-not-nullable-field',
  'adding-required-field',
  'ban-alter-domain-with-add-constraint',
  'ban-drop-column',
  'ban-drop-database',
  'ban-drop-table',
  'ban-truncate-cascade',
  'changing-column-type',
  'constraint-missing-not-valid',
  'adding-foreign-key-constraint',
  'disallowed-unique-constraint',
  'renaming-column',
  'renaming-table',
]

/** The runner sees to these, or they are a matter of taste. */
const LEFT_OUT = [
  'prefer-robust-stmts',
  'require-lock-timeout',
  'require-statement-timeout',
  'require-timeout-settings',
  'prefer-text-field',
  'prefer-bigint-over-int',
  'prefer-bigint-over-smallint',
  'prefer-big-int',
  'prefer-identity',
  'prefer-timestamp-tz',
  'ban-char-field',
]

interface Complaint {
  rule_name: string
  message: string
}

const packages = await packagesForTests('squawk-cli@2.61.0')
const testWithSquawk = test.skipIf(packages === null)
const SQUAWK = join(packages ?? '', 'squawk-cli', 'js', 'bin', 'squawk')

/** What squawk says about a migration; it exits with 1 where it says anything. */
const lint = (text: string): Promise<Complaint[]> =>
  new Promise((resolve, reject) => {
    const isInTransaction = !/\bconcurrently\b/i.test(text)
    const args = [
      SQUAWK,
      ...['--reporter', 'json', '--pg-version', '15'],
      isInTransaction ? '--assume-in-transaction' : '--no-assume-in-transaction',
    ]
    const child = execFile(process.execPath, args, (error, stdout, stderr) => {
      if (error && error.code !== 1) return reject(new Error(stderr || error.message))
      try {
        resolve(JSON.parse(stdout))
      } catch {
        reject(new Error(`squawk says: ${stdout}${stderr}`))
      }
    })
    child.stdin?.end(text)
  })

/** What is wrong with a migration. */
async function faultsOf({ text, kind }: { text: string; kind: MigrationKind }): Promise<string[]> {
  const complaints = (await lint(text)).filter(({ rule_name }) => !LEFT_OUT.includes(rule_name))
  const rest = complaints.filter(
    ({ rule_name }) => kind !== 'contract' || !BREAKS.includes(rule_name),
  )
  const own = [
    ...(/^-- (expand|index|contract)\b/.test(text)
      ? []
      : ['first-line: begin it with "-- expand", "-- index" or "-- contract: serves …"']),
    ...(kind === 'index' && !/\bconcurrently\b/i.test(text)
      ? ['index: make it with .concurrently()']
      : []),
    ...(/\bconcurrently\b/i.test(text) && statementsOf(text).some((each) => !REPEATABLE.test(each))
      ? ['concurrently: a file of its own, as it cannot be rolled back; DROP takes IF EXISTS']
      : []),
  ]
  return [...own, ...rest.map(({ rule_name, message }) => `${rule_name}: ${message}`)]
}

const statementsOf = (text: string) => text.split('--> statement-breakpoint')

/** What may run twice: the runner drops an index that was not finished. */
const REPEATABLE =
  /^(\s|--.*\n)*(CREATE (UNIQUE )?INDEX CONCURRENTLY|DROP INDEX CONCURRENTLY IF EXISTS)\b/i

testWithSquawk('migrations break no other build and hold no table', async () => {
  for (const each of SETS.flatMap(({ migrations }) => migrations)) {
    expect(await faultsOf(each), each.tag).toEqual([])
  }
})

testWithSquawk.each<{ says: string | null; kind: MigrationKind; sql: string }>([
  { says: null, kind: 'expand', sql: 'ALTER TABLE "audits" ADD COLUMN "note" text;' },
  {
    says: null,
    kind: 'expand',
    sql: 'CREATE TABLE "a" ("b" text NOT NULL);--> statement-breakpoint\nCREATE INDEX "c" ON "a" ("b");',
  },
  { says: null, kind: 'contract', sql: 'ALTER TABLE "audits" DROP COLUMN "result";' },
  { says: null, kind: 'contract', sql: 'ALTER TABLE "audits" ALTER COLUMN "checks" SET NOT NULL;' },
  { says: 'ban-drop-column', kind: 'expand', sql: 'ALTER TABLE "audits" DROP COLUMN "result";' },
  { says: 'ban-drop-table', kind: 'expand', sql: 'DROP TABLE "audits";' },
  {
    says: 'renaming-column',
    kind: 'expand',
    sql: 'ALTER TABLE "store"."orders" RENAME COLUMN "total" TO "sum";',
  },
  { says: 'renaming-table', kind: 'expand', sql: 'ALTER TABLE "audits" RENAME TO "results";' },
  {
    says: 'adding-not-nullable-field',
    kind: 'expand',
    sql: 'ALTER TABLE "audits" ALTER COLUMN "checks" SET NOT NULL;',
  },
  {
    says: 'adding-required-field',
    kind: 'expand',
    sql: 'ALTER TABLE "audits" ADD COLUMN "note" text NOT NULL;',
  },
  {
    says: 'changing-column-type',
    kind: 'expand',
    sql: 'ALTER TABLE "store"."idempotency_keys" ALTER COLUMN "body" SET DATA TYPE json;',
  },
  {
    says: 'require-concurrent-index-creation',
    kind: 'expand',
    sql: 'CREATE INDEX "orders_new" ON "store"."orders" ("total");',
  },
  {
    says: 'require-concurrent-index-creation',
    kind: 'contract',
    sql: 'CREATE INDEX "orders_new" ON "store"."orders" ("total");',
  },
  {
    says: 'require-concurrent-index-deletion',
    kind: 'contract',
    sql: 'DROP INDEX "store"."orders_buyer";',
  },
  {
    says: 'concurrently',
    kind: 'expand',
    sql: 'ALTER TABLE "audits" ADD COLUMN "note" text;--> statement-breakpoint\nCREATE INDEX CONCURRENTLY "n" ON "audits" ("note");',
  },
  {
    says: 'concurrently',
    kind: 'contract',
    sql: 'DROP INDEX CONCURRENTLY "store"."orders_buyer";',
  },
])('$kind, $sql: $says', async ({ says, kind, sql }) => {
  const faults = await faultsOf({ text: `-- ${kind}\n${sql}`, kind })
  expect(faults.map((fault) => fault.split(':')[0])).toEqual(says === null ? [] : [says])
})

testWithSquawk('a first line is asked for', async () => {
  const sql = 'ALTER TABLE "audits" ADD COLUMN "note" text;'
  expect(await faultsOf({ text: sql, kind: 'expand' })).toEqual([
    expect.stringMatching(/^first-line/),
  ])
})

test('the folders hold what the journals name, and nothing else', async () => {
  for (const { set, migrations } of SETS) {
    const names = (await readdir(set.folder)).filter((name) => name.endsWith('.sql')).toSorted()
    expect(migrations.map(({ tag }) => `${tag}.sql`)).toEqual(names)
  }
})

test('a contract names a migration that is there', async () => {
  const { mkdtemp, mkdir, rm, writeFile } = await import('node:fs/promises')
  const { tmpdir } = await import('node:os')
  const folder = await mkdtemp(join(tmpdir(), 'aisle-migrations-'))
  const read = async (first: string) => {
    await mkdir(join(folder, 'meta'), { recursive: true })
    const entries = ['0000_one', '0001_two'].map((tag, idx) => ({ idx, tag, when: idx + 1 }))
    await writeFile(join(folder, 'meta/_journal.json'), JSON.stringify({ entries }))
    await writeFile(join(folder, '0000_one.sql'), 'select 1')
    await writeFile(join(folder, '0001_two.sql'), `${first}\nselect 2`)
    return (await readMigrations({ folder: pathToFileURL(`${folder}/`) })).map(
      ({ kind, serves }) => [kind, serves],
    )
  }
  expect(await read('-- contract: serves 0000_one')).toEqual([
    ['expand', null],
    ['contract', 1],
  ])
  expect(await read('-- index')).toContainEqual(['index', null])
  for (const wrong of [
    '-- contract: serves 0007_else',
    '-- contract',
    '-- index: serves 0000_one',
  ]) {
    await expect(read(wrong)).rejects.toThrow('0001_two.sql begins with')
  }
  await rm(folder, { recursive: true })
})
