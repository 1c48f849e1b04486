import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { inject } from 'vitest'
import { PATIENCE_MS } from './wait.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A folder that is made for the run and deleted after it. */
    runFolder: string
  }
}

/**
 * Makes an expensive folder once for all workers of the run: the first caller makes it while the
 * others wait. Resolves to the folder that `make` filled.
 */
export async function onceInRun(
  name: string,
  make: (folder: string) => Promise<unknown>,
): Promise<string> {
  const folder = join(inject('runFolder'), name)
  const [done, failed] = [`${folder}.done`, `${folder}.failed`]
  const isFirst = await mkdir(folder).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return false
      throw error
    },
  )
  // `mkdir` succeeds for one caller only, so it decides who makes it.
  if (isFirst) {
    try {
      await make(folder)
    } catch (error) {
      await writeFile(failed, String(error))
      throw error
    }
    await writeFile(done, '')
    return folder
  }
  const until = performance.now() + 2 * PATIENCE_MS
  while (!existsSync(done)) {
    if (existsSync(failed)) throw new Error(await readFile(failed, 'utf8'))
    if (performance.now() > until) throw new Error(`${name} has not been made in time.`)
    await sleep(20)
  }
  return folder
}
