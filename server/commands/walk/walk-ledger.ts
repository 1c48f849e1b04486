import { hash, randomUUID } from 'node:crypto'
import { closeSync, openSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { printable, printableError } from '../../../shared/web/text/printable.ts'
import type { Ledger, OpenEntry } from '../../audit/walk/ledger.ts'
import { type FileLock, loadSqlite, lockFile } from '../../db/embedded/file-lock.ts'
import { makeFolder } from '../../db/embedded/make-folder.ts'
import { CommandError } from '../terminal/command-error.ts'

/** The open checkouts of this machine's walks, in a file. */
export interface FileLedger extends Ledger {
  /** All notes of dead walks. */
  leftOpen: () => Promise<OpenEntry[]>
  /** Releases the remaining notes, and the domain. */
  close: () => Promise<void>
}

/**
 * Opens the ledger for a walk of `domain`. The notes of all walks are in one SQLite file, and each
 * walk has a lock that the kernel releases when its process ends: notes with a free lock belong to
 * a dead walk. Throws a `CommandError` if the domain is being walked already, or nothing can be
 * noted.
 */
export async function openFileLedger(folder: string, domain: string): Promise<FileLedger> {
  const unusable = (error: unknown) =>
    new CommandError(
      printable`What a walk has open is noted in ${folder}, and that is not possible: ${printableError(error)}. Set DATA_DIR to a folder that this user may write to.`,
    )
  await makeFolder(folder).catch((error: unknown) => {
    throw unusable(error)
  })
  // Domains may be too long for the name of a file.
  const walking = await lockFile(
    join(folder, `${hash('sha256', domain).slice(0, 32)}.walking`),
    'exclusive',
    0,
  )
  if (walking === null) {
    throw new CommandError(
      printable`${domain} is being walked already, by another process of this machine. Wait until it is done.`,
      { code: 'walk_under_way' },
    )
  }
  const own = randomUUID()
  /** The walks whose notes this process holds, with their locks. */
  const held = new Map<string, FileLock>()
  const hold = async (walk: string) => {
    const lock = held.has(walk) ? null : await lockFile(lockOf(folder, walk), 'exclusive', 0)
    if (lock !== null) held.set(walk, lock)
  }
  let notes: Notes
  try {
    notes = openNotes(join(folder, 'open.sqlite'))
    await hold(own)
  } catch (error) {
    // A process that goes on, such as that of the MCP tools, may walk it later.
    walking.release()
    throw unusable(error)
  }

  return {
    opening: async (entry) => notes.add(own, entry),
    opened: async (key, session) => notes.name(key, session),
    closed: async (key) => notes.remove(key),
    async leftOpen() {
      const locks = (await readdir(folder)).filter((name) => name.endsWith(LOCK))
      const walks = [...locks.map((name) => name.slice(0, -LOCK.length)), ...notes.walks()]
      for (const walk of new Set(walks)) await hold(walk)
      return notes
        .list()
        .filter(({ walk }) => walk !== own && held.has(walk))
        .map(({ entry }) => entry)
    },
    async close() {
      try {
        const open = new Set(notes.walks())
        notes.close()
        const done = [...held.keys()].filter((walk) => !open.has(walk))
        await Promise.all(done.map((walk) => removeLock(lockOf(folder, walk))))
      } finally {
        for (const lock of [...held.values(), walking]) lock.release()
      }
    },
  }
}

type Notes = ReturnType<typeof openNotes>

/** Each change is on the disk when its function returns. */
function openNotes(path: string) {
  // SQLite would let others read it.
  closeSync(openSync(path, 'a', 0o600))
  const { DatabaseSync } = loadSqlite()
  const db = new DatabaseSync(path, { timeout: 5000 })
  db.exec(`pragma synchronous = extra;
    create table if not exists notes (key text primary key, walk text not null, entry text not null)`)
  return {
    add(walk: string, entry: OpenEntry) {
      db.prepare('insert or replace into notes values (?, ?, ?)').run(
        entry.key,
        walk,
        JSON.stringify(entry),
      )
    },
    name(key: string, session: string) {
      db.prepare(`update notes set entry = json_set(entry, '$.session', ?) where key = ?`).run(
        session,
        key,
      )
    },
    remove(key: string) {
      db.prepare('delete from notes where key = ?').run(key)
    },
    list(): { walk: string; entry: OpenEntry }[] {
      const rows = db.prepare('select walk, entry from notes order by rowid').all()
      return rows.map(({ walk, entry }) => ({ walk: String(walk), entry: parse(String(entry)) }))
    },
    walks(): string[] {
      return this.list().map(({ walk }) => walk)
    },
    close: () => db.close(),
  }
}

/** Only this file writes the notes. */
const parse = (entry: string): OpenEntry => JSON.parse(entry)

const LOCK = '.lock'
const lockOf = (folder: string, walk: string): string => join(folder, `${walk}${LOCK}`)

/** SQLite leaves a journal for the lock of a killed process. */
async function removeLock(lock: string): Promise<void> {
  for (const file of [lock, `${lock}-journal`]) await rm(file, { force: true })
}
