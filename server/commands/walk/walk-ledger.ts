import { hash, randomUUID } from 'node:crypto'
import { constants, type FileHandle, open, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import pLimit from 'p-limit'
import { field, isRecord } from '../../../shared/web/json/json.ts'
import { printable, printableError } from '../../../shared/web/text/printable.ts'
import type { Ledger, OpenEntry } from '../../audit/walk/ledger.ts'
import { type FileLock, lockFile } from '../../db/embedded/file-lock.ts'
import { makeFolder } from '../../db/embedded/make-folder.ts'
import { CommandError } from '../terminal/command-error.ts'

/** The open checkouts of this machine's walks, in files. */
export interface FileLedger extends Ledger {
  /** All notes of dead walks. */
  leftOpen: () => Promise<OpenEntry[]>
  /** Releases the remaining notes, and the domain. */
  close: () => Promise<void>
}

const NOTES = '.jsonl'

/** Only appends to an existing file: a deleted one does not come back. */
const ADD = constants.O_RDWR | constants.O_APPEND

/**
 * Opens the ledger for a walk of `domain`. Each walk has its own file, with a line for each note
 * and a lock that the kernel releases when the process ends: notes with a free lock belong to a
 * dead walk. Throws a `CommandError` if the domain is being walked already.
 */
export async function openFileLedger(folder: string, domain: string): Promise<FileLedger> {
  await makeFolder(folder).catch((error: unknown) => {
    throw new CommandError(
      printable`What a walk has open is noted in ${folder}, and that folder cannot be made: ${printableError(error)}. Set DATA_DIR to a folder that this user may write to.`,
    )
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
  // A process that goes on, such as that of the MCP tools, may walk it later.
  const own = await beginNotes(folder).catch((error: unknown) => {
    walking.release()
    throw error
  })
  /** The notes of dead walks, by key, while this process holds them. */
  const left = new Map<string, Notes>()
  const notesOf = (key: string) => left.get(key) ?? own

  return {
    opening: (entry) => own.write({ opening: entry }),
    opened: (key, session) => notesOf(key).write({ opened: key, session }),
    closed: (key) => notesOf(key).write({ closed: key }),
    async leftOpen() {
      const held = new Set([own, ...left.values()].map(({ name }) => name))
      for (const name of await readdir(folder)) {
        if (!name.endsWith(NOTES) || held.has(name)) continue
        const notes = await takeNotes(folder, name)
        for (const key of notes?.open.keys() ?? []) if (notes !== null) left.set(key, notes)
      }
      return [...new Set(left.values())].flatMap(({ open: entries }) => [...entries.values()])
    },
    async close() {
      const all = [...new Set([own, ...left.values()])]
      const ends = await Promise.allSettled(all.map((notes) => notes.end()))
      walking.release()
      for (const end of ends) if (end.status === 'rejected') throw end.reason
    },
  }
}

/** The notes of one walk, while a process holds them. */
interface Notes {
  name: string
  /** What is still open, by key, in the order of opening. */
  open: Map<string, OpenEntry>
  /** Resolves when the line is on the disk. */
  write: (line: Line) => Promise<void>
  /** Releases the notes, and deletes them if nothing is open. */
  end: () => Promise<void>
}

type Line = { opening: OpenEntry } | { opened: string; session: string } | { closed: string }

async function beginNotes(folder: string): Promise<Notes> {
  const name = `${randomUUID()}${NOTES}`
  // Before there is anything to be read: a file without a lock counts as dead.
  const lock = await lockFile(lockOf(folder, name), 'exclusive', 0)
  if (lock === null) throw new Error(`${lockOf(folder, name)} is locked by another process.`)
  try {
    const file = await open(join(folder, name), 'ax', 0o600)
    await syncFolder(folder)
    return notesIn(folder, name, { file, lock, entries: new Map() })
  } catch (error) {
    lock.release()
    throw error
  }
}

/** Takes over the notes of a dead walk; null if it is alive, or another process was faster. */
async function takeNotes(folder: string, name: string): Promise<Notes | null> {
  const lock = await lockFile(lockOf(folder, name), 'exclusive', 0)
  if (lock === null) return null
  const notes = await readNotes(folder, name, lock).catch((error: unknown) => {
    lock.release()
    throw error
  })
  if (notes === null) {
    lock.release()
    await removeLock(folder, name)
    return null
  }
  if (notes.open.size > 0) return notes
  await notes.end()
  return null
}

/** Null if they are gone. */
async function readNotes(folder: string, name: string, lock: FileLock): Promise<Notes | null> {
  const file = await open(join(folder, name), ADD).catch(nullIfGone)
  if (file === null) return null
  // Ends a line that was cut off when its process died, so that the next one is a line.
  await file.appendFile('\n')
  const text = await readFile(join(folder, name), 'utf8')
  return notesIn(folder, name, { file, lock, entries: openIn(text) })
}

function notesIn(
  folder: string,
  name: string,
  { file, lock, entries }: { file: FileHandle; lock: FileLock; entries: Map<string, OpenEntry> },
): Notes {
  // Sessions are closed several at a time, and lines must not run into each other.
  const inTurn = pLimit(1)
  return {
    name,
    open: entries,
    write: (line) =>
      inTurn(async () => {
        note(entries, line)
        await file.appendFile(`${JSON.stringify(line)}\n`)
        await file.datasync()
      }),
    async end() {
      const isDone = entries.size === 0
      try {
        await file.close()
        if (isDone) await rm(join(folder, name), { force: true })
      } finally {
        lock.release()
      }
      if (isDone) await removeLock(folder, name)
    },
  }
}

const lockOf = (folder: string, name: string): string =>
  join(folder, `${name.slice(0, -NOTES.length)}.lock`)

/** SQLite leaves a journal for the lock of a killed process. */
async function removeLock(folder: string, name: string): Promise<void> {
  const lock = lockOf(folder, name)
  for (const file of [lock, `${lock}-journal`]) await rm(file, { force: true })
}

function nullIfGone(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null
  throw error
}

/** Only then the new file is safely in its folder; not every system can sync folders. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => null)
  await handle?.sync().catch(() => {})
  await handle?.close()
}

/** What the lines of a file leave open. A cut-off line was never relied on. */
function openIn(text: string): Map<string, OpenEntry> {
  const entries = new Map<string, OpenEntry>()
  for (const line of text.split('\n')) {
    const read = readLine(line)
    if (read !== null) note(entries, read)
  }
  return entries
}

function note(entries: Map<string, OpenEntry>, line: Line): void {
  if ('opening' in line) entries.set(line.opening.key, line.opening)
  else if ('closed' in line) entries.delete(line.closed)
  else {
    const entry = entries.get(line.opened)
    if (entry !== undefined) entries.set(line.opened, { ...entry, session: line.session })
  }
}

function readLine(line: string): Line | null {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    return null
  }
  const [opening, opened, closed] = ['opening', 'opened', 'closed'].map((name) =>
    field(value, name),
  )
  const session = field(value, 'session')
  if (typeof closed === 'string') return { closed }
  if (typeof opened === 'string' && typeof session === 'string') return { opened, session }
  return isEntry(opening) ? { opening } : null
}

/** Only this file writes the notes, so these fields mean a complete note. */
const isEntry = (value: unknown): value is OpenEntry =>
  typeof field(value, 'key') === 'string' &&
  typeof field(value, 'domain') === 'string' &&
  isRecord(field(value, 'opening')) &&
  isRecord(field(value, 'route'))
