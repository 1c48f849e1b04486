import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** When a file changed last, or the newest that is below a folder, the folders included. */
function changedAt(path: string): number {
  const own = statSync(path)
  if (!own.isDirectory()) return own.mtimeMs
  const below = readdirSync(path, { recursive: true, encoding: 'utf8' })
  return below.reduce(
    (newest, name) => Math.max(newest, statSync(join(path, name)).mtimeMs),
    own.mtimeMs,
  )
}

/** Whether the file `made` is newer than all of `sources`: files, or folders as a whole. */
export function isNewer(made: string, sources: readonly string[]): boolean {
  const at = statSync(made, { throwIfNoEntry: false })?.mtimeMs
  return at !== undefined && sources.every((source) => changedAt(source) < at)
}
