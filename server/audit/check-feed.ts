import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type RowOutcome, startUpload } from '../../shared/audit/checks/feed/upload.ts'
import { type UploadResult, uploadResult } from '../../shared/audit/checks/feed/upload-result.ts'
import type { FeedDestination } from '../../shared/audit/checks/feed/vendors/destinations.ts'
import { describeFetch } from '../../shared/web/http/fetched.ts'
import type { Judges, TaskResult } from './judging/judges.ts'
import type { TaskName } from './judging/tasks.ts'
import { createUploadReader, isParquet, type UploadRead } from './probe/feed/upload.ts'
import { joinBytes } from './probe/fetch/body.ts'
import type { FetchSession } from './probe/fetch/session.ts'
import { notJudgedHere } from './probe/session.ts'

const MIB = 1024 * 1024
const PIECE = 256 * 1024

// Unspecified: a page takes a feed of at most 64 MiB as it arrives, which may be compressed, and of
// Parquet, which is read from its end, 16 MiB and 50,000 products. Larger ones are for the command.
export const MAX_FEED = 64 * MIB
const MAX_PARQUET = 16 * MIB
const PARQUET_ROWS = 50_000
const PARQUET_HELD = 96 * MIB
const MOST_IDS = 200_000
const MOST_LEFT_OUT = 100

const LATE = 'It took too long to read all of it here. Check it with the command.'

/** A feed that is sent to us, or one that is published. */
export type FeedSource = { bytes: AsyncIterable<Uint8Array> } | { url: string }

/** The check of a feed, and the first products that are left out of any destination. */
export interface CheckedFeed {
  result: UploadResult
  leftOut: RowOutcome[]
}

/**
 * Checks a feed; nothing of it is kept. All that it says is read by `judges`. `problem` says why
 * there is no feed to check. Throws 503 where this machine failed.
 */
export async function checkFeed(
  source: FeedSource,
  destinations: readonly FeedDestination[],
  {
    request,
    judges,
    signal,
  }: Pick<FetchSession, 'request'> & { judges: Judges; signal: AbortSignal },
): Promise<CheckedFeed | { problem: string }> {
  const sink = createSink(destinations, judges)
  if ('bytes' in source) {
    for await (const bytes of atOnce(source.bytes)) {
      if (signal.aborted) return sink.end(LATE)
      if (!(await sink.write(bytes))) break
    }
    return sink.end()
  }
  const fetched = await request({ url: source.url, maxBytes: MAX_FEED, read: sink.write })
  if (fetched.kind !== 'answer') {
    return { problem: `${describeFetch(fetched)}. Check the address and try again.` }
  }
  const { status, truncated } = fetched
  if (status < 200 || status >= 300) {
    return { problem: `It answers with status ${status}. Check the address, or send the file.` }
  }
  const isCut = truncated && sink.size() >= MAX_FEED
  return sink.end(isCut ? 'It has more than 64 MiB. Check it with the command.' : undefined)
}

/**
 * The same bytes, all of which are taken first: a request that lasts is ended by its server. They
 * stand in a file without a name, which ends with its handle.
 */
async function* atOnce(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const folder = await mkdtemp(join(tmpdir(), 'aisle-feed-'))
  const handle = await open(join(folder, 'feed'), 'w+').finally(() =>
    rm(folder, { recursive: true, force: true }),
  )
  try {
    for await (const piece of bytes) await handle.writeFile(piece)
    let at = 0
    for (;;) {
      const { bytesRead, buffer } = await handle.read(Buffer.alloc(PIECE), 0, PIECE, at)
      if (bytesRead === 0) return
      at += bytesRead
      yield buffer.subarray(0, bytesRead)
    }
  } finally {
    await handle.close()
  }
}

function createSink(destinations: readonly FeedDestination[], judges: Judges) {
  const leftOut: RowOutcome[] = []
  const reader = createUploadReader({
    destinations,
    mostIds: MOST_IDS,
    onLeftOut: (row) => void (leftOut.length < MOST_LEFT_OUT && leftOut.push(row)),
    readPart: async (part) => doneOf(await judges.run('feed_part', part)),
  })
  let parts: Uint8Array[] = []
  let size = 0
  let parquet: boolean | null = null

  return {
    size: () => size,
    async write(bytes: Uint8Array): Promise<boolean> {
      size += bytes.length
      if (parquet === false) return reader.write(bytes)
      parts.push(bytes)
      if (parquet) return size <= MAX_PARQUET
      if (size < 4) return true
      const begun = joinBytes(parts)
      parquet = isParquet(begun)
      if (parquet) return true
      parts = []
      return reader.write(begun)
    },
    async end(stopped?: string): Promise<CheckedFeed> {
      if (parquet !== true) {
        if (parquet === null && size > 0) await reader.write(joinBytes(parts))
        const read = await reader.end(stopped)
        return { result: uploadResult(read, read.check), leftOut }
      }
      const check = startUpload(destinations, MOST_IDS)
      const unread = (problem: string): CheckedFeed => {
        const read: UploadRead = { kind: 'parquet', gzip: false, problem, check }
        return { result: uploadResult(read, check), leftOut: [] }
      }
      if (size > MAX_PARQUET) {
        return unread('It is Parquet of more than 16 MiB. Check it with the command.')
      }
      const bytes = joinBytes(parts)
      parts = []
      const limits = { mostIds: MOST_IDS, mostRows: PARQUET_ROWS, mostHeld: PARQUET_HELD }
      const judged = doneOf(await judges.run('feed_parquet', { bytes, destinations, ...limits }))
      if ('exceeded' in judged) {
        return unread(`It was not read, because ${judged.exceeded}. Check it with the command.`)
      }
      return { result: uploadResult(judged.read, judged.read.check), leftOut: judged.leftOut }
    },
  }
}

/** What a worker made of it, or which limit it went over. A failure of ours is not the feed's. */
function doneOf<K extends TaskName>(judged: TaskResult<K>) {
  if ('done' in judged) return judged.done
  if (judged.ours) throw notJudgedHere(judged.exceeded)
  return judged
}
