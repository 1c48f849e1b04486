import type { Sql } from 'postgres'
import type { Migration, MigrationSet } from './migrations.ts'

/** A migration in the database that this build does not have. */
interface UnknownMigration {
  /** Null: applied by a build that did not write it down. */
  tag: string | null
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

/** What the table of migrations says; empty where there is none. */
export async function readApplied(
  sql: Sql,
  { table }: Pick<MigrationSet, 'table'>,
): Promise<UnknownMigration[]> {
  const name = `drizzle.${table}`
  const [found] = await sql<{ there: boolean }[]>`select to_regclass(${name}) is not null as there`
  if (!found?.there) return []
  // The row is read as JSON: the releases until 0.1.0 made the table without `tag` and `serves`.
  const rows = await sql.unsafe<{ tag: string | null; when: string; serves: string | null }[]>(
    `select to_jsonb(made) ->> 'tag' as tag, made.created_at as when,
      to_jsonb(made) ->> 'serves' as serves
    from ${name} as made order by made.created_at`,
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
