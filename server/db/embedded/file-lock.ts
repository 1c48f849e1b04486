import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'

export interface FileLock {
  release: () => void
}

const SQLITE_BUSY = 5

/**
 * Locks a file against other processes and other callers of this one. The kernel lets go when the
 * holder dies, SIGKILL included, so a lock is never stale. `shared` holders exclude only `exclusive`
 * ones. Null when the lock was not free within `waitMs`.
 */
export async function lockFile(
  path: string,
  mode: 'shared' | 'exclusive',
  waitMs: number,
): Promise<FileLock | null> {
  const until = performance.now() + waitMs
  for (;;) {
    const lock = tryLock(path, mode)
    if (lock || performance.now() >= until) return lock
    await sleep(25)
  }
}

/** Node has no flock. SQLite's file lock is one, on every platform; nothing is stored in the file. */
function tryLock(path: string, mode: 'shared' | 'exclusive'): FileLock | null {
  const holder = new DatabaseSync(path, { timeout: 0 })
  try {
    holder.exec(mode === 'exclusive' ? 'BEGIN EXCLUSIVE' : 'BEGIN; SELECT 1 FROM sqlite_schema')
    return { release: () => holder.close() }
  } catch (error) {
    holder.close()
    if (error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY) return null
    throw error
  }
}
