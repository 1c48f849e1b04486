import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const PREFIX = 'aisle-browser-'

/** No task lasts so long: an older profile belongs to a process that was killed. */
const OLD_MS = 15 * 60_000

/** Makes a folder for the profile of one browser. */
export const makeProfile = (): Promise<string> => mkdtemp(join(tmpdir(), PREFIX))

/** Removes a profile; what a browser still writes while it ends is tried again. */
export const removeProfile = (profile: string): Promise<void> =>
  rm(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }).catch(() => {})

/** Removes what processes left behind that were killed together with their browsers. */
export async function removeOldProfiles(folder = tmpdir(), now = Date.now()): Promise<void> {
  const names = await readdir(folder).catch(() => [])
  for (const name of names.filter((each) => each.startsWith(PREFIX))) {
    const path = join(folder, name)
    const made = await stat(path).catch(() => null)
    if (made?.isDirectory() && now - made.mtimeMs > OLD_MS) await removeProfile(path)
  }
}
