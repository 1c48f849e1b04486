import { readFile, stat } from 'node:fs/promises'
import { englishCount } from '../../../shared/web/text/english-count.ts'
import { printable } from '../../../shared/web/text/printable.ts'
import { CommandError } from './command-error.ts'

/** Means standard input instead of a file. */
export const STDIN = '-'

/** A file's name in messages. */
export const nameOfFile = (path: string): string => (path === STDIN ? 'standard input' : path)

/**
 * The text of a named file, or of standard input, in UTF-8 or, with its mark, in UTF-16, which
 * Windows PowerShell 5 writes for `aisle audit --json > last.json`. `called` begins the messages,
 * such as `The baseline last.json`. Throws a `CommandError` with what to do if it cannot be read,
 * also for one that never ends, such as a pipe or a device.
 */
export async function readTextFile(
  path: string,
  {
    called = path === STDIN ? 'Standard input' : path,
    maxBytes,
  }: { called?: string; maxBytes: number },
): Promise<string> {
  const refused = (why: string) => new CommandError(printable`${called} ${why}`)
  try {
    if (path === STDIN) return decoded(await readInput(maxBytes, refused))
    const found = await stat(path)
    if (found.isDirectory()) throw refused('is a folder. Name a file in it.')
    if (!found.isFile()) throw refused('is not a file. Name a file.')
    if (found.size > maxBytes) {
      throw refused(
        `has ${englishCount(found.size)} bytes, and at most ${englishCount(maxBytes)} are read. Is it the right file?`,
      )
    }
    return decoded(await readFile(path))
  } catch (error) {
    if (error instanceof CommandError) throw error
    if (error instanceof TypeError && 'code' in error && isOfDecoder(error.code)) {
      throw refused('is not UTF-8. Save it as UTF-8.')
    }
    const code = error instanceof Error && 'code' in error ? error.code : null
    if (code === 'ENOENT') throw refused('does not exist. Check its name and the folder.')
    const reason = error instanceof Error ? error.message : String(error)
    throw refused(`cannot be read: ${reason}.`)
  }
}

/** Standard input up to its end. */
async function readInput(
  maxBytes: number,
  refused: (why: string) => CommandError,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of process.stdin) {
    bytes += chunk.length
    if (bytes > maxBytes) {
      throw refused(`has more than the ${englishCount(maxBytes)} bytes that are read.`)
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const isOfDecoder = (code: unknown): boolean => code === 'ERR_ENCODING_INVALID_ENCODED_DATA'

/** Without its mark, which JSON may not have (RFC 8259, 8.1). */
function decoded(bytes: Uint8Array): string {
  const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe
  return new TextDecoder(isUtf16 ? 'utf-16le' : 'utf-8', { fatal: true }).decode(bytes)
}
