import { statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { availableMemory } from 'node:process'

/** Where Linux keeps shared memory: a file system without a disk. */
const IN_MEMORY = '/dev/shm'

/** All databases of a run come to three gigabytes: a machine that lends them has as much again. */
const PLENTY = 8 * 2 ** 30

/**
 * Where what only the run needs is written: in memory where there is plenty of it, as nothing of it
 * is kept, and disks are slow at many small files; else among the temporary files.
 */
export function scratchFolder(): string {
  return Math.min(availableMemory(), freeBytes(IN_MEMORY)) > PLENTY ? IN_MEMORY : tmpdir()
}

function freeBytes(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize
  } catch {
    return 0
  }
}
