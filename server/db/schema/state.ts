import type { Sql } from 'postgres'
import type { Migration, MigrationSet } from './migrations.ts'

/** A migration in the database that this build does not have. */
interface UnknownMigration {
  tag: string
  when: number
  serves: number | null
}

export interface MigrationState {
  applied: Migration[]
  pending: Migration[]
  /** Migrations of a newer release, or of one that was never published. */
  unknown: UnknownMigration[]
  /** Why this build does not work with the schema, and what to do; null: it works. */
  fault: string | null
}

type Counted = Pick<MigrationSet, 'table'>

/** Whether a database has the table that counts migrations. */
export async function hasTable(sql: Sql, { table }: Counted): Promise<boolean> {
  const [found] = await sql<{ there: boolean }[]>`
    select to_regclass(${`drizzle.${table}`}) is not null as there`
  return found?.there === true
}

/** What the table of migrations says; empty where there is none. */
export async function readApplied(sql: Sql, set: Counted): Promise<UnknownMigration[]> {
  if (!(await hasTable(sql, set))) return []
  const rows = await sql.unsafe<{ tag: string; when: string; serves: string | null }[]>(
    `select tag, created_at as when, serves from drizzle.${set.table} order by created_at`,
  )
  return rows.map(({ tag, when, serves }) => ({
    tag,
    when: Number(when),
    serves: serves === null ? null : Number(serves),
  }))
}

/** Compares the migrations of a build with those that a database has. */
export function compareSchema(
  migrations: readonly Migration[],
  there: readonly UnknownMigration[],
  { command }: Pick<MigrationSet, 'command'>,
): MigrationState {
  const isThere = new Set(there.map(({ when }) => when))
  const isKnown = new Set(migrations.map(({ when }) => when))
  const pending = migrations.filter(({ when }) => !isThere.has(when))
  const unknown = there.filter(({ when }) => !isKnown.has(when))
  const [missing] = pending.filter(({ kind }) => kind === 'expand')
  const beyond = unknown.find(({ serves }) => serves !== null && !isKnown.has(serves))
  return {
    applied: migrations.filter(({ when }) => isThere.has(when)),
    pending,
    unknown,
    fault: missing
      ? `The database is not migrated yet: ${missing.tag} is missing. Run "${command}".`
      : beyond
        ? `A newer release has removed from the database what this one needs (${beyond.tag}). Start that release or a later one.`
        : null,
  }
}
