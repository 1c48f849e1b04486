import type { FeedItem } from '../../../../shared/commerce/feed.ts'
import type { Exceeded } from '../../judging/judges.ts'
import { joinBytes } from '../bytes.ts'
import { createTextStream } from '../fetch/decode.ts'
import type { AuditSession } from '../session.ts'
import { type FeedRead, type FeedState, type Followed, feedOf, notAFeed } from './format.ts'
import { createUnzip } from './unzip.ts'

/**
 * Bytes that are collected before they are read: less than what a request may hold without waiting.
 */
const PART = 192 * 1024

/** What ends the reading of a feed that is longer. */
export interface FeedLimits {
  /** Milliseconds of waiting for its bytes, and of processor for reading them. */
  ms: number
  /** The size of the feed itself, not as it was compressed. */
  bytes: number
}

/** A feed that is read while it arrives. */
interface FeedStream {
  /** False: enough was read. Nothing more is taken while its promise is pending. */
  write(bytes: Uint8Array, contentType: string | undefined): Promise<boolean>
  /** `cut`: the answer goes on, or broke off, where we stopped. */
  end(cut: boolean): Promise<{ read: FeedRead } | Exceeded>
  close(): void
}

/**
 * Reads a feed part by part, each in a worker. Held are one part and the state between two: no more
 * for a feed of a gigabyte than for one of a megabyte.
 */
export function createFeedStream(
  { run, waited }: Pick<AuditSession, 'run' | 'waited'>,
  limits: FeedLimits,
): FeedStream {
  const unzip = createUnzip()
  const items: FeedItem[] = []
  let decoder: ReturnType<typeof createTextStream> | null = null
  let state: FeedState | null = null
  let parts: Uint8Array[] = []
  let size = 0
  let total = 0
  let limit: string | null = null
  let exceeded: Exceeded | null = null
  const began = waited()
  let readingMs = 0

  const isOver = () => limit !== null || exceeded !== null || state?.done === true
  const flush = async (followed: Followed): Promise<void> => {
    const text =
      (decoder?.text(joinBytes(parts)) ?? '') + (followed === 'more' ? '' : (decoder?.end() ?? ''))
    parts = []
    size = 0
    const judged = await run('feed', { before: state, text, followed })
    readingMs += judged.tookMs ?? 0
    if ('exceeded' in judged) {
      exceeded = judged
      return
    }
    state = judged.done.state
    items.push(...judged.done.items)
  }
  const take = async (bytes: Uint8Array): Promise<boolean> => {
    const kept = bytes.subarray(0, limits.bytes - total)
    parts.push(kept)
    size += kept.length
    total += kept.length
    if (kept.length < bytes.length) limit = 'its size'
    else if (waited() - began + readingMs > limits.ms) limit = 'the time it takes'
    if (size >= PART && limit === null) await flush('more')
    return !isOver()
  }

  return {
    async write(bytes, contentType) {
      decoder ??= createTextStream(contentType)
      // What is not read is a part of none that follows.
      if (isOver()) return false
      const goesOn = await unzip.write(bytes, take)
      if (!goesOn && !isOver()) limit = 'its compression'
      return !isOver()
    },
    async end(cut) {
      if (state === null && size === 0) return { read: notAFeed() }
      if (exceeded === null && state?.done !== true) {
        if (cut) limit ??= 'the time it takes'
        await flush(cut || limit !== null ? 'cut' : 'end')
      }
      if (state === null) return exceeded === null ? { read: notAFeed() } : exceeded
      // What was read before still holds.
      if (exceeded !== null && state.tally.rows === 0) return exceeded
      return { read: feedOf(state, items, exceeded === null ? limit : 'the work it takes') }
    },
    close: () => unzip.close(),
  }
}
