import { setTimeout as sleep } from 'node:timers/promises'

/** A lock that is held until it is released or the process ends. */
export interface FileLock {
  release: () => void
}

/** https://sqlite.org/rescode.html#busy */
const SQLITE_BUSY = 5

/**
 * Locks a file against other processes and other callers of this one. The kernel releases it when
 * the holder dies, even by SIGKILL, so a lock is never stale. `shared` holders exclude only
 * `exclusive` ones. Null if the lock was not free within `waitMs`.
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

/** Node 22 warns that it is experimental, which users of a command cannot change. */
export function loadSqlite() {
  const { emitWarning } = process
  process.emitWarning = () => {}
  try {
    return process.getBuiltinModule('node:sqlite')
  } finally {
    process.emitWarning = emitWarning
  }
}

/** Node cannot lock files; SQLite can, on every platform (https://sqlite.org/lockingv3.html). */
function tryLock(path: string, mode: 'shared' | 'exclusive'): FileLock | null {
  const { DatabaseSync } = loadSqlite()
  // `timeout: 0`: SQLite would block the whole event loop while it waits.
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
