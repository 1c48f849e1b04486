import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
import { isKnownV8 } from './short-lived.ts'

/** Bytes of new objects after which V8 collects them: enough that few are still needed then. */
const YOUNG = 16 * 1024 * 1024

/**
 * V8 takes more memory the longer a process runs, which a command that reads a long file and keeps
 * nothing of it has no use for.
 */
const FLAGS = [
  // It would place some objects among the old ones immediately, since the first of a kind lasted.
  '--no-allocation-site-pretenuring',
  // Old ones are collected when they are half as many again, not four times as many: JSON.parse
  // makes short texts there.
  '--heap-growing-percent=50',
]
const NO_GROWTH = '--semi-space-growth-factor=1'

/** The flags that are set for a V8, which would complain of one that it does not know. */
export const steadyFlags = (v8: string): string[] => (isKnownV8(v8) ? FLAGS : [])

/**
 * Keeps the memory of this process as it is after a second. What it gives is to be called now and
 * then: the space of new objects, which doubles, stays as it is once it is large enough.
 */
export function keepMemorySteady(): () => void {
  const { v8 } = process.versions
  for (const flag of steadyFlags(v8)) setFlagsFromString(flag)
  let isGrowing = isKnownV8(v8)
  return () => {
    if (!isGrowing) return
    const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')
    if (young === undefined || young.space_size < YOUNG) return
    isGrowing = false
    setFlagsFromString(NO_GROWTH)
  }
}
