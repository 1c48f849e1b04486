import { statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { availableMemory } from 'node:process'

/** Where Linux keeps shared memory: a file system without a disk. */
const IN_MEMORY = '/dev/shm'

/** All databases of a run take three gigabytes: a machine must have twice as much. */
const PLENTY = 8 * 2 ** 30

/**
 * The folder for a run's files: in memory if there is plenty, because nothing is kept and disks are
 * slow with many small files; else in the folder for temporary files.
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
