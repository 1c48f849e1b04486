import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { isLoopback } from '../../shared/web/address/loopback.ts'
import { printable, printableLines } from '../../shared/web/text/printable.ts'
import type { CreatedKey } from '../access/make-key.ts'
import { makeFolder } from '../db/embedded/make-folder.ts'
import type { Log } from '../process/log.ts'
import { type Output, STDOUT } from '../process/output.ts'

// Unspecified: the first key is only shown in a terminal. Anywhere else standard output is a log,
// which many can read and which is kept: the key is written to a file that only its owner can read.

/**
 * Shows the operator the key of a fresh database: on the terminal, or else in a file under
 * `dataDir`, or in the system's temporary folder if that is not writable. The log names the file.
 */
export async function tellFirstKey(
  { id, key }: Pick<CreatedKey, 'id' | 'key'>,
  dataDir: string,
  log: Log,
  terminal: Pick<Output, 'isTerminal' | 'line'> = STDOUT,
): Promise<void> {
  if (terminal.isTerminal) {
    return terminal.line(printable`The operator's API key (shown only once): ${key}`)
  }
  const write = async (folder: string) => {
    const path = join(resolve(folder), `first-key-${id}`)
    await writeFile(path, `${key}\n`, { mode: 0o600, flag: 'wx' })
    return path
  }
  const path = await makeFolder(dataDir)
    .then(() => write(dataDir))
    // In a container nothing else may be writable. Only its owner can read the folder.
    .catch(async () => write(await mkdtemp(join(tmpdir(), 'aisle-'))))
    .catch((err: unknown) => {
      const next = `Run "aisle keys create" for another one, and "aisle keys revoke ${id}".`
      log.error({ err, key_id: id }, `the first key cannot be written to a file. ${next}`)
      return null
    })
  if (path !== null) {
    log.warn({ path, key_id: id }, 'the first key is in this file. Store it safely, then delete it')
  }
}

/**
 * Tells the person who started the service in a terminal where it is and what to do next. Anywhere
 * else standard output is a log.
 */
export function sayWhereItIs(
  baseUrl: string,
  terminal: Pick<Output, 'isTerminal' | 'line'> = STDOUT,
): void {
  if (!terminal.isTerminal) return
  terminal.line(
    printableLines([
      '',
      `Aisle is at ${baseUrl}`,
      '',
      `  Audit a store     ${baseUrl}/ needs no key`,
      `  Sign in           ${baseUrl}/sign-in with the operator's key, shown once at the first start`,
      '  Another key       npx aisle keys create --scopes audit,report:read,report:write --domains shop.example',
      `  The tag           ${baseUrl}/properties, once you are signed in`,
      ...(isLoopback(baseUrl)
        ? [
            '',
            'Only this machine reaches it. Set BASE_URL to its public address before you use its tags.',
          ]
        : []),
      '',
    ]),
  )
}
