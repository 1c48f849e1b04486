import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { copyFile, mkdir, readdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { test } from 'vitest'
import { onceInRun } from '../../../shared/testing/once-in-run.ts'

const run = promisify(execFile)

/** Fetched once for this clone, because it is not installed. */
const CACHE = 'node_modules/.cache/promtool'

/**
 * Prometheus' own tool; null if there is none. As root on Debian it is unpacked from the package:
 * installing that would start a server.
 */
const promtool = await findPromtool()

if (promtool === null && process.env.CI === 'true') {
  throw new Error('No promtool for the tests of alerts. Install it: apt-get install prometheus.')
}

/** `test` if there is promtool; otherwise skipped by name. */
export const testWithPromtool = test.skipIf(promtool === null)

async function findPromtool(): Promise<string | null> {
  const installed = await run('sh', ['-c', 'command -v promtool']).then(
    ({ stdout }) => stdout.trim(),
    () => null,
  )
  const fetched = join(process.cwd(), CACHE, 'promtool')
  const mayFetch = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')
  if (installed === null && mayFetch)
    await onceInRun('promtool', (folder) => fetchTo(fetched, folder))
  return installed ?? (existsSync(fetched) ? fetched : null)
}

async function fetchTo(place: string, folder: string): Promise<void> {
  if (existsSync(place)) return
  try {
    await run('apt-get', ['update'])
    await run('apt-get', ['download', 'prometheus'], { cwd: folder })
    const [name = ''] = (await readdir(folder)).filter((each) => each.endsWith('.deb'))
    await run('dpkg-deb', ['--extract', name, '.'], { cwd: folder })
    await mkdir(CACHE, { recursive: true })
    await copyFile(join(folder, 'usr/bin/promtool'), `${place}.new`)
    await rename(`${place}.new`, place)
  } catch {
    // Without the package lists or a network there is none.
  }
}

/** Runs it. Resolves to its output on success, and rejects with it otherwise. */
export async function askPromtool(...args: string[]): Promise<string> {
  const { stdout, stderr } = await run(promtool ?? '', args).catch(
    ({ stdout, stderr, message }: { stdout: string; stderr: string; message: string }) => {
      throw new Error(`${stdout}${stderr}` || message)
    },
  )
  return stdout + stderr
}

/** `promtool check metrics` only reads standard input. */
export const checkMetrics = async (folder: string, text: string): Promise<string> => {
  const file = join(folder, 'metrics.txt')
  await writeFile(file, text)
  const script = '"$0" check metrics < "$1" 2>&1'
  return run('sh', ['-c', script, promtool ?? '', file]).then(
    ({ stdout }) => stdout,
    ({ stdout }: { stdout: string }) => stdout,
  )
}
