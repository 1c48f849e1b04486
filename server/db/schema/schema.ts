import type { Sql } from 'postgres'
import { type MigrateOptions, migrate } from './migrate.ts'
import { type Migration, type MigrationSet, readMigrations } from './migrations.ts'
import { readApplied, type SchemaState, stateOf } from './state.ts'

/** The tables of one part, the service or the store, as far as migrations made them. */
export interface Schema {
  read: () => Promise<SchemaState>
  /** Why this build does not work with the schema, and what to do; null: it works. */
  fault: () => Promise<string | null>
  /** Applies what is pending and resolves to it. Rejects with what to do. */
  migrate: (options?: MigrateOptions) => Promise<Migration[]>
}

/** `sql` reads; migrations run on a connection of their own to `url`. */
export function createSchema(sql: Sql, url: string, set: MigrationSet): Schema {
  let reading: Promise<Migration[]> | undefined
  const migrations = () => {
    reading ??= readMigrations(set)
    return reading
  }
  const read = async () => stateOf(await migrations(), await readApplied(sql, set), set)
  return {
    read,
    fault: async () => (await read()).fault,
    migrate: async (options) => migrate(url, set, await migrations(), options),
  }
}
