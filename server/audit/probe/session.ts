import type { PageSeen } from '../../../shared/audit/evidence.ts'
import type { NamedAsProduct } from '../../../shared/markup/product-page.ts'
import {
  type Answer,
  type Fetched,
  type Json,
  type JsonSeen,
  NOT_READ_HERE,
  type NoAnswer,
} from '../../../shared/web/http/fetched.ts'
import { ApiError, RETRY_SOON } from '../../http/api-error.ts'
import { readJson } from '../judging/json.ts'
import type { Exceeded, Judges } from '../judging/judges.ts'
import type { SealedPage } from '../judging/sealed-page.ts'
import type { BodyTask, TaskInputs, TaskOutput } from '../judging/tasks.ts'
import { joinBytes } from './fetch/body.ts'
import { BODY_CAPS, type FetchRequest } from './fetch/request.ts'
import type { FetchSession } from './fetch/session.ts'

/** What a probe works with: the way out to the network, and the readers of what comes back. */
export interface AuditSession
  extends Pick<
    FetchSession,
    'request' | 'agentBase' | 'after' | 'waited' | 'signedAs' | 'stopSigning'
  > {
  run: Judges['run']
  hold: Hold
  /** As in `readPage`: a tenth more work a page, for the check `pages` alone. */
  readsChoices: boolean
  /**
   * Why something was not read or judged, where this machine had too little time for it; else null.
   * What was seen then says less than the store does, and nothing is to be concluded from it.
   */
  starved(): string | null
}

export const auditSession = (
  { request, agentBase, after, aside, waited, signedAs, stopSigning }: FetchSession,
  { run }: Judges,
  { readsChoices = false } = {},
): AuditSession => {
  let starved: string | null = null
  return {
    request,
    agentBase,
    after,
    waited,
    signedAs,
    stopSigning,
    async run(task, input, account) {
      const judged = await aside(run(task, input, account))
      if ('exceeded' in judged && judged.ours === 'starved') starved = judged.exceeded
      return judged
    },
    hold: createHold(),
    readsChoices,
    starved: () => starved,
  }
}

/**
 * Asks, and has the body read apart. `read` is null without an answer, and where reading it took
 * more than it may: `fetched` then says so, and for the rules nothing could be seen. A page that we
 * failed to read is asked for once more; what may change something in the store is not.
 */
export async function requestRead<K extends BodyTask>(
  session: AuditSession,
  input: FetchRequest,
  task: K,
  more: Partial<TaskInputs[K]> = {},
  tries = 2,
): Promise<{ fetched: Fetched; read: TaskOutput<K> | null }> {
  const held = session.hold.open(input.maxBytes)
  try {
    const fetched = await session.request({ ...input, read: held.take })
    if (fetched.kind !== 'answer') return { fetched, read: null }
    const judged = await session.run(task, { ...bodyOf(fetched, held.drain()), ...more })
    if ('done' in judged) return { fetched, read: judged.done }
    const isAgain = judged.ours === 'failed' && tries > 1 && (input.method ?? 'GET') === 'GET'
    if (!isAgain) return { fetched: unread(fetched, judged), read: null }
  } finally {
    held.close()
  }
  return requestRead(session, input, task, more, tries - 1)
}

export const bodyOf = (
  { status, headers, truncated, final_url: url }: Answer,
  bytes: Uint8Array<ArrayBuffer>,
) => ({ status, headers, bytes, contentType: headers['content-type'], truncated, url })

/** An answer that we could not read to its end, by no fault that we can name. */
export const unread = ({ method, url, ms }: Answer, { exceeded, ours }: Exceeded): NoAnswer => ({
  kind: 'no_answer',
  method,
  url,
  why: ours ? 'not_read' : 'too_large',
  message: `${ours ? NOT_READ_HERE : 'its content was not read'}, because ${exceeded}`,
  ms,
})

/** What was seen is nothing to conclude from: this machine had too little time to read it. */
export function demandRead({ starved }: Pick<AuditSession, 'starved'>): void {
  const exceeded = starved()
  if (exceeded !== null) throw notJudgedHere(exceeded)
}

/** Our machine could not judge what the store answered: it says nothing about the store. */
export const notJudgedHere = (exceeded: string) =>
  new ApiError(
    503,
    'busy',
    `What this store answered could not be judged here, because ${exceeded}. Try again.`,
    RETRY_SOON,
  )

/**
 * Asks for JSON, with the Accept header that agents send. What cannot be parsed is evidence too,
 * and what is more than we read counts as cut.
 */
export async function requestJson(session: AuditSession, input: FetchRequest): Promise<JsonSeen> {
  const asked = { ...input, headers: { accept: 'application/json', ...input.headers } }
  const { fetched, read } = await requestRead(session, asked, 'json')
  if (fetched.kind !== 'answer' || read === null) return { fetched, json: null }
  const { excerpt: body, exceeded, json } = read
  return { fetched: { ...fetched, body, truncated: fetched.truncated || exceeded }, json }
}

/** Parses a glimpse: an answer that was read as text, at most `GLIMPSE_BYTES` of it. */
export const parseGlimpse = (fetched: Fetched): Json | null =>
  fetched.kind === 'answer'
    ? readJson(fetched.body, { ...fetched, contentType: fetched.headers['content-type'] }).json
    : null

/** A request that was not made, and why. */
export const notAsked = (reason: string): JsonSeen => ({
  fetched: { kind: 'not_asked', reason },
  json: null,
})

/**
 * Reads one HTML page. An answer with an error status, or with a bot challenge, is kept without a
 * page. `named` as in `judgeKind`.
 */
export async function probePage(
  session: AuditSession,
  url: string,
  named: NamedAsProduct | null = null,
): Promise<PageSeen<SealedPage>> {
  const headers = { accept: 'text/html,application/xhtml+xml' }
  const asked = { url, headers, maxBytes: BODY_CAPS.page }
  const { readsChoices } = session
  const { fetched, read } = await requestRead(session, asked, 'page', { named, readsChoices })
  if (fetched.kind !== 'answer' || read === null) return { fetched, page: null }
  const { challenge, excerpt: body } = read
  return {
    fetched: { ...fetched, body, ...(challenge !== null && { challenge }) },
    page: read.page,
    ...(read.platform !== null && { platform: read.platform }),
    ...(read.signs.length > 0 && { signs: read.signs }),
  }
}

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
interface Hold {
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
