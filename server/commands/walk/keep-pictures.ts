import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Saves pictures into a folder, in their order; each call resolves to the name of its file. */
export async function keepPictures(
  folder: string,
): Promise<(picture: Uint8Array) => Promise<string>> {
  await mkdir(folder, { recursive: true })
  let kept = 0
  return async (picture) => {
    kept += 1
    const file = join(folder, `link-${String(kept).padStart(2, '0')}.jpg`)
    await writeFile(file, picture)
    return file
  }
}
