import { readFile, stat } from 'node:fs/promises'
import { relative, sep } from 'node:path'
import { englishCount } from '../../../shared/web/english-count.ts'
import { printable } from '../../../shared/web/printable.ts'
import { CommandError } from '../terminal/command-error.ts'
import type { ConfigFile } from './config-of.ts'

/** What is read where no file is named. */
export const CONFIG_FILE = 'aisle.json'

// Unspecified: an aisle.json has at most 256 KiB, which is a thousand ignored gaps.
const MAX_BYTES = 256 * 1024

/**
 * The configuration in a file; null where none is named and there is no `aisle.json`. Throws a
 * `CommandError` with `details` that name each line that is wrong, and what to do about it.
 */
export async function readConfigFile(named: string | undefined): Promise<ConfigFile | null> {
  const path = named ?? CONFIG_FILE
  const file = relative('.', path).split(sep).join('/') || path
  const text = await textOf(path, named !== undefined)
  if (text === null) return null
  // Most runs have none.
  const { configOf } = await import('./config-of.ts')
  return configOf(text, file, path)
}

/** The text of the file; null where it is not there and need not be. */
async function textOf(path: string, isNamed: boolean): Promise<string | null> {
  try {
    const found = await stat(path)
    if (found.isDirectory()) {
      throw refused(
        path,
        `is a folder. Name the file in it, such as ${path.replace(/[/\\]+$/, '')}/${CONFIG_FILE}.`,
      )
    }
    if (found.size > MAX_BYTES) {
      throw refused(
        path,
        `has ${englishCount(found.size)} bytes, and at most ${englishCount(MAX_BYTES)} are read. Is it the right file?`,
      )
    }
    const bytes = await readFile(path)
    // A byte order mark is left out by the decoder.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    if (error instanceof CommandError) throw error
    if (error instanceof TypeError) throw refused(path, 'is not UTF-8. Save it as UTF-8.')
    const code = error instanceof Error && 'code' in error ? error.code : null
    if (code === 'ENOENT' && !isNamed) return null
    if (code === 'ENOENT')
      throw refused(path, 'does not exist. Name another file, or leave --config out.')
    throw refused(
      path,
      `cannot be read: ${error instanceof Error ? error.message : String(error)}.`,
    )
  }
}

const refused = (path: string, why: string): CommandError => {
  const message = `${path} ${why}`
  const details = [{ field: '', code: 'unreadable', message, file: path, line: 1, column: 1 }]
  return new CommandError(printable`${message}`, { code: 'invalid_config', details })
}
