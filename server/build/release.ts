import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'

/** The build of the newest release, with its migrations: `keep-release.ts` makes it. */
export interface Release {
  version: string
  commit: string
  /** What `dist/` held, by path. All of it is text. */
  files: Record<string, string>
}

/** From the root. */
export const RELEASE_FILE = 'server/testing/release.json.br'

export async function readRelease(): Promise<Release> {
  const text = (await promisify(brotliDecompress)(await readFile(RELEASE_FILE))).toString('utf8')
  return asRelease(text)
}

/** `keep-release.ts` wrote it. */
const asRelease = (text: string) => JSON.parse(text) as Release

/** Writes the programs of a release into a folder, from which they run. */
export async function unpackRelease({ files }: Release, folder: string): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
}
