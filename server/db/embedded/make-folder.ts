import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * As `mkdir -p`, for its owner alone. Node's own never ends in a folder such as /proc, where
 * nothing can be made: ENOENT makes it try the parent again, which exists (libuv's mkdir,
 * `recursive: true`, Node 26).
 */
export async function makeFolder(folder: string): Promise<void> {
  const make = () => mkdir(folder, { mode: 0o700 })
  await make().catch(async (error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST') return
    const parent = dirname(folder)
    const parentExists = await stat(parent).then(
      () => true,
      () => false,
    )
    // The root of a drive that is not there is its own parent, on Windows.
    if (error.code !== 'ENOENT' || parentExists || parent === folder) throw error
    await makeFolder(parent)
    await make()
  })
}
