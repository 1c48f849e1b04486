import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** A worker's bundle of its own: in the folder of this bundle or above it, or in `dist`. */
export function workerFile(name: 'judging-worker' | 'browser-worker'): string {
  const paths = ['./', '../', '../../dist/'].map((folder) =>
    fileURLToPath(new URL(`${folder}${name}.js`, import.meta.url)),
  )
  const found = paths.find(existsSync)
  if (found === undefined) throw new Error(`The ${name} is missing: ${paths.join(', ')}.`)
  return found
}
