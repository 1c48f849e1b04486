import { maskedExchange } from '../../../shared/walk/masking/masking.ts'
import type { Exchange } from '../../../shared/walk/transcript.ts'
import { describeFetch, type Fetched } from '../../../shared/web/http/fetched.ts'
import type { FetchRequest } from '../probe/fetch/request.ts'
import type { AuditSession } from '../probe/session.ts'

/** Bytes kept of one body: more than any checkout has, and less than a catalog may have. */
const KEPT_BYTES = 64 * 1024

/** How exchanges are kept. */
export interface Recording {
  /** Masked at every place. */
  secrets: readonly string[]
  now: () => Date
  onExchange: (exchange: Exchange) => void
}

/** A session that records what it sends and receives, masked. */
export function recordingSession(session: AuditSession, recording: Recording): AuditSession {
  return {
    ...session,
    async request(input) {
      const at = recording.now().toISOString()
      const kept = keepBeginning(input.read)
      const fetched = await session.request({ ...input, ...(kept.read && { read: kept.read }) })
      recording.onExchange(exchangeOf(input, fetched, { ...kept.said(), at }, recording.secrets))
      return fetched
    },
  }
}

type Read = NonNullable<FetchRequest['read']>

/** Copies the first bytes of a body while it is read. */
function keepBeginning(read: Read | undefined) {
  const parts: Uint8Array[] = []
  let bytes = 0
  const along: Read | undefined =
    read &&
    ((chunk, headers) => {
      const left = KEPT_BYTES - bytes
      if (left > 0) parts.push(chunk.slice(0, left))
      bytes += chunk.length
      return read(chunk, headers)
    })
  return {
    read: along,
    /** Null if the body was not read. */
    said: () => ({
      text: read === undefined ? null : Buffer.concat(parts).toString('utf8'),
      bytes,
    }),
  }
}

function exchangeOf(
  { method = 'GET', url, headers = {}, json }: FetchRequest,
  fetched: Fetched,
  { text, bytes, at }: { text: string | null; bytes: number; at: string },
  secrets: readonly string[],
): Exchange {
  const body = json === undefined ? null : JSON.stringify(json)
  const answered = fetched.kind === 'answer'
  const masked = maskedExchange(
    {
      request: {
        method,
        url,
        headers: body === null ? headers : { ...headers, 'content-type': 'application/json' },
        body,
      },
      answer: answered
        ? {
            status: fetched.status,
            headers: fetched.headers,
            body: text ?? fetched.body,
            truncated: fetched.truncated || bytes > KEPT_BYTES,
          }
        : null,
      failure: answered ? null : describeFetch(fetched),
      ms: fetched.kind === 'not_asked' ? 0 : fetched.ms,
      at,
    },
    secrets,
  )
  const { answer } = masked
  if (answer === null || text === null) return masked
  return { ...masked, answer: { ...answer, bytes } }
}
