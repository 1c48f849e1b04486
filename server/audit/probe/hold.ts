import { joinBytes } from './bytes.ts'

const KIB = 1024

/** Most answers are smaller; these never wait. */
const FREE_BYTES = 256 * KIB

/** What larger answers of one audit may hold in all: two pages of the largest size at a time. */
const MAX_HELD = 4 * KIB * KIB

/** A body that is being collected. */
interface HeldBody {
  /** Waits, beyond the first bytes, until the audit may hold as much as may come. */
  take: (bytes: Uint8Array) => boolean | Promise<boolean>
  readonly size: number
  /** A copy of what has come, with memory of its own. */
  bytes(): Uint8Array<ArrayBuffer>
  /** What has come, at the end: it is not kept here as well while it waits to be read. */
  drain(): Uint8Array<ArrayBuffer>
  /** Lets the next one in. */
  close(): void
}

/**
 * Limits the bytes of bodies that one audit holds. The number of parallel audits is limited too.
 */
export interface Hold {
  open(maxBytes: number): HeldBody
}

export function createHold(): Hold {
  let held = 0
  const waiting: (() => void)[] = []
  const reserve = async (size: number): Promise<void> => {
    while (held > 0 && held + size > MAX_HELD) {
      await new Promise<void>((resolve) => waiting.push(resolve))
    }
    held += size
  }
  const release = (size: number) => {
    held -= size
    for (const wake of waiting.splice(0)) wake()
  }

  return {
    open(maxBytes) {
      const parts: Uint8Array[] = []
      let size = 0
      let reserved = 0
      let closed = false
      const add = (bytes: Uint8Array) => {
        parts.push(bytes)
        size += bytes.length
        return !closed
      }
      const copy = () => joinBytes(parts)
      return {
        take(bytes) {
          if (reserved > 0 || size + bytes.length <= FREE_BYTES) return add(bytes)
          return reserve(maxBytes).then(() => {
            // Its request may have ended while it waited.
            if (closed) release(maxBytes)
            else reserved = maxBytes
            return add(bytes)
          })
        },
        get size() {
          return size
        },
        bytes: copy,
        drain() {
          const all = copy()
          parts.length = 0
          return all
        },
        close() {
          closed = true
          parts.length = 0
          if (reserved > 0) release(reserved)
          reserved = 0
        },
      }
    },
  }
}
