import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from 'postgres'
import type { Pool } from '../connection/pool.ts'
import { MIGRATING, type MigrateOptions, migrate } from './migrate.ts'
import { type Migration, type MigrationSet, readMigrations } from './migrations.ts'
import { compareSchema, type MigrationState, readApplied } from './state.ts'

/** The tables of one part, the service or the store, as far as migrations made them. */
export interface Schema {
  read: () => Promise<MigrationState>
  /** Why this build does not work with the schema, and what to do; null: it works. */
  fault: () => Promise<string | null>
  /** Rejects, with what to do, unless this build works with the schema. */
  assertFits: () => Promise<void>
  /** Resolves once this build works with the schema; `onWait` gets the reason once if it waits. */
  untilFits: (signal?: AbortSignal, onWait?: (why: string) => void) => Promise<void>
  /** Applies what is pending and resolves to it. Rejects with what to do. */
  migrate: (options?: MigrateOptions) => Promise<Migration[]>
}

/** Between two looks at the schema while another process migrates it. */
const LOOK_MS = 1000

/**
 * `sql` reads; migrations run on connections of their own to `url`, for each of which `reserveSlot`
 * leaves one of `sql` unused.
 */
export function createSchema(
  sql: Sql,
  url: string,
  set: MigrationSet,
  reserveSlot: Pool['reserveSlot'] = async () => () => {},
): Schema {
  let reading: Promise<Migration[]> | undefined
  const migrations = () => {
    reading ??= readMigrations(set)
    return reading
  }
  const read = async () => compareSchema(await migrations(), await readApplied(sql, set), set)

  async function applyPending(options?: MigrateOptions): Promise<Migration[]> {
    const { pending } = await read()
    if (pending.length === 0) return []
    const leave: (() => void)[] = []
    try {
      while (leave.length < MIGRATING) leave.push(await reserveSlot())
      return await migrate(url, set, await migrations(), options)
    } finally {
      for (const each of leave) each()
    }
  }

  return {
    read,
    fault: async () => (await read()).fault,
    async assertFits() {
      const { fault } = await read()
      if (fault !== null) throw new Error(fault)
    },
    async untilFits(signal, onWait) {
      let isTold = false
      for (;;) {
        const { fault } = await read()
        if (fault === null) return
        if (!isTold) onWait?.(fault)
        isTold = true
        await sleep(LOOK_MS, undefined, signal && { signal })
      }
    },
    async migrate(options) {
      const done = await applyPending(options)
      await set.after?.(sql)
      return done
    },
  }
}
