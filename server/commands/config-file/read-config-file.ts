import { existsSync } from 'node:fs'
import { CommandError } from '../terminal/command-error.ts'
import { shownPath } from '../terminal/paths.ts'
import { nameOfFile, readTextFile } from '../terminal/read-text.ts'
import type { ConfigFile } from './config-of.ts'

/** Read if no file is named. */
export const CONFIG_FILE = 'aisle.json'

// Unspecified: an aisle.json has at most 256 KiB, which is a thousand ignored gaps.
const MAX_BYTES = 256 * 1024

/**
 * The configuration in a file; null if none is named and there is no `aisle.json`. Throws a
 * `CommandError` with what to do about it; for wrong text, its `details` name each wrong line.
 */
export async function readConfigFile(named: string | undefined): Promise<ConfigFile | null> {
  const path = named ?? CONFIG_FILE
  const file = nameOfFile(shownPath(path))
  const text = await textOf(path, named !== undefined)
  if (text === null) return null
  // Most runs have none.
  const { configOf } = await import('./config-of.ts')
  return configOf(text, file, path)
}

/** The text of the file; null if it does not exist and is optional. */
async function textOf(path: string, isNamed: boolean): Promise<string | null> {
  if (!isNamed && !existsSync(path)) return null
  return await readTextFile(path, { maxBytes: MAX_BYTES }).catch((error: unknown) => {
    if (!(error instanceof CommandError)) throw error
    throw new CommandError(error.printable, { code: 'invalid_config' })
  })
}
