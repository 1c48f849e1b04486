import { type FileHandle, open, readdir, realpath, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { printable } from '../../../shared/web/text/printable.ts'
import { CommandError } from './command-error.ts'

/** A file that is being written next to the one that it will replace. */
interface NewFile {
  /** Its path meanwhile, for those who want to read it first. */
  path: string
  append: (data: string | Uint8Array) => Promise<void>
}

/**
 * Writes a file whole or not at all: until it is complete, the old one stays. A link stays, and its
 * target is replaced. A folder or a device such as /dev/null is refused, because the file would
 * replace it.
 */
export const replaceFile = (file: string, data: string | Uint8Array): Promise<void> =>
  replaceFileBy(file, ({ append }) => append(data))

/**
 * The same for a file that `write` makes piece by piece: it gets its name when that has resolved,
 * and is deleted when that rejects. Leftovers of killed runs are deleted as well.
 */
export async function replaceFileBy<Written>(
  named: string,
  write: (made: NewFile) => Promise<Written>,
): Promise<Written> {
  const refused = (reason: string) =>
    new CommandError(printable`${named} cannot be written: ${reason}. Name another file.`)
  const tried = <Done>(work: Promise<Done>): Promise<Done> =>
    work.catch((error: unknown) => {
      throw refused(error instanceof Error ? error.message : String(error))
    })
  const file = await realpath(named).catch(() => named)
  const found = await stat(file).catch(() => null)
  if (found?.isDirectory()) throw refused('it is a folder')
  if (found !== null && !found.isFile()) throw refused('it is not a file')
  const path = `${file}.${process.pid}.tmp`
  await removeLeftovers(file)
  let handle: FileHandle | undefined
  try {
    const opened = await tried(open(path, 'w'))
    handle = opened
    const written = await write({ path, append: (data) => tried(opened.appendFile(data)) })
    // Its source may be deleted next, so it has to be on the disk.
    await tried(opened.sync())
    await tried(opened.close())
    await tried(rename(path, file))
    return written
  } catch (error) {
    await handle?.close().catch(() => {})
    // Without the folder, there is nothing to remove either.
    await rm(path, { force: true }).catch(() => {})
    throw error
  }
}

/** Removes temporary files of processes that no longer exist. */
async function removeLeftovers(file: string): Promise<void> {
  const start = `${basename(file)}.`
  const names = await readdir(dirname(file)).catch(() => [])
  for (const name of names) {
    const pid = name.startsWith(start) && /^(\d+)\.tmp$/.exec(name.slice(start.length))?.[1]
    if (pid && !isAlive(Number(pid))) await rm(join(dirname(file), name), { force: true })
  }
}

/** Signal 0 is never sent, and EPERM means that the process exists. */
function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
