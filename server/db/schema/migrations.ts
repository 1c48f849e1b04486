import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import type { Sql } from 'postgres'

/**
 * Migrations that drizzle-kit generated, and the table in the schema `drizzle` that counts them.
 */
export interface MigrationSet {
  folder: URL
  table: string
  /** What applies them by hand. */
  command: string
  /** What is left to do once they are applied: nothing, if it was done. */
  after?: (sql: Sql) => Promise<void>
}

/**
 * What a migration does to builds, by the first line of its file:
 * - `-- expand`, or nothing: it adds what its build needs, and earlier builds work on
 * - `-- index`: it makes builds faster, and none needs it
 * - `-- contract: serves 0009_name`: it removes what no build needs that knows that migration
 */
export type MigrationKind = 'expand' | 'index' | 'contract'

export interface Migration {
  /** `0009_name`. */
  tag: string
  /** When it was generated, in milliseconds: its key in the database. */
  when: number
  hash: string
  kind: MigrationKind
  /** The key of the migration that a build has to know to work after this one; null: any works. */
  serves: number | null
  statements: string[]
  /** Made without blocking writers, which Postgres does outside of a transaction only. */
  isConcurrent: boolean
}

/** Reads a folder of migrations, in order. Throws where a first line names what is not there. */
export async function readMigrations({
  folder,
}: Pick<MigrationSet, 'folder'>): Promise<Migration[]> {
  const path = fileURLToPath(folder)
  const journal = asJournal(await readFile(new URL('meta/_journal.json', folder), 'utf8'))
  const whenOf = new Map(journal.map(({ tag, when }) => [tag, when]))
  return readMigrationFiles({ migrationsFolder: path }).map(({ sql, folderMillis, hash }, n) => {
    const tag = journal[n]?.tag ?? ''
    const [first = ''] = (sql[0] ?? '').split('\n')
    const [, kind = 'expand', served] =
      /^-- (expand|index|contract)(?:: serves (\w+))?\s*$/.exec(first) ?? []
    const serves = served === undefined ? null : whenOf.get(served)
    if (serves === undefined || (serves === null) === (kind === 'contract')) {
      throw new Error(
        `${tag}.sql begins with "${first}". Name the migration that a build has to know: "-- contract: serves 0009_name".`,
      )
    }
    return {
      tag,
      when: folderMillis,
      hash,
      kind: asKind(kind),
      serves,
      statements: sql,
      isConcurrent: sql.some((statement) => CONCURRENT.test(statement)),
    }
  })
}

const CONCURRENT = /\bINDEX CONCURRENTLY\b/i

/** Guaranteed by the expression that found it. */
const asKind = (kind: string) => kind as MigrationKind

/** drizzle-kit writes it: https://orm.drizzle.team/docs/drizzle-kit-generate */
const asJournal = (text: string) =>
  (JSON.parse(text) as { entries: { tag: string; when: number }[] }).entries
