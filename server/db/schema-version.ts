import { fileURLToPath } from 'node:url'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import type { Sql } from 'postgres'
import type { ConnectConfig } from './connect.ts'

/** How the tables stand to this build. */
export interface SchemaVersion {
  /** Migrations that the database has. */
  applied: number
  /** Migrations that this build knows. */
  known: number
  /** None that this build knows is missing. The database may be ahead, as while a release rolls out. */
  fits: boolean
}

/** Reads which migrations the database has. Rejects when it cannot be asked. */
export function createSchemaReader(
  sql: Sql,
  { folder, table }: NonNullable<ConnectConfig['migrations']>,
): () => Promise<SchemaVersion> {
  const known = readMigrationFiles({ migrationsFolder: fileURLToPath(folder) }).map(
    ({ folderMillis }) => folderMillis,
  )
  return async () => {
    const rows = await sql<{ created_at: string }[]>`
      select created_at::text as created_at from drizzle.${sql(table)}`
    const applied = new Set(rows.map(({ created_at }) => Number(created_at)))
    return {
      applied: applied.size,
      known: known.length,
      fits: known.every((each) => applied.has(each)),
    }
  }
}
