import type { AisleAnswer, AisleOptions } from './index.d.ts'
import { post } from './post.ts'
import {
  createWarner,
  fieldOf,
  isFinalAnswer,
  parse,
  retryAfterOf,
  sleep,
  tryOnce,
  unref,
} from './service.ts'

interface BatchesOptions {
  url: string
  headers: Record<string, string>
  maxWaiting?: number | undefined
  lingerMs?: number | undefined
  retryDelays?: readonly number[] | undefined
  timeoutMs?: number | undefined
  send?: AisleOptions['send']
  onProblem?: ((message: string) => void) | undefined
}

interface LineBatches {
  /** Keeps a line until it is sent. */
  add(line: string): void
  /** Sends what waits immediately. */
  flush(): Promise<void>
  /** The same, for at most `graceMs`. What is left is dropped, and nothing is kept any more. */
  close(graceMs?: number): Promise<void>
}

/** Lines of one call. With the limits of their fields they are below those of the API. */
const MOST_AT_ONCE = 500
const MAX_WAITING = 1000
/** Requests that come together are sent together. */
const LINGER_MS = 2000
const RETRY_DELAYS = [5000, 30_000, 120_000, 600_000]
const TIMEOUT_MS = 10_000
const GRACE_MS = 5000
/** An Aisle that does not know the key, or not this call, is not asked with each request. */
const REFUSED_MS = 600_000

// Unspecified: a collector keeps at most 1000 lines in memory, the newest, and drops the others: a
// visit of an agent is not worth the memory of a shop. A shop that must not lose one sends its log.

/** Sends lines in batches in the background. No fault of Aisle reaches who gives them. */
export function createBatches(options: BatchesOptions): LineBatches {
  const { url, headers, send = post, onProblem = createWarner() } = options
  const { maxWaiting = MAX_WAITING, lingerMs = LINGER_MS, timeoutMs = TIMEOUT_MS } = options
  const { retryDelays = RETRY_DELAYS } = options
  let waiting: string[] = []
  let failures = 0
  /** Before this nothing is sent. */
  let notBefore = 0
  /** Before this nothing is kept either. */
  let refusedUntil = 0
  let working: Promise<void> | null = null
  let retry: ReturnType<typeof setTimeout> | undefined
  const closing = new AbortController()
  const ended = new AbortController()

  const tell = (message: string) => {
    try {
      onProblem(message)
    } catch {
      // The shop's own log must not stop its answers.
    }
  }

  /** Sends all that waits. Ends with the first failure. */
  async function sendAll(): Promise<void> {
    while (waiting.length > 0 && !ended.signal.aborted) {
      const batch = waiting.splice(0, MOST_AT_ONCE)
      const request = { url, headers, body: batch.join('\n') }
      const answer = await tryOnce(send, request, timeoutMs, ended.signal)
      if (answer === null || !isFinalAnswer(answer)) return putOff(batch, answer)
      failures = 0
      if (answer.status >= 200 && answer.status < 300) {
        const fault = faultIn(answer)
        if (fault !== null) tell(fault)
      } else if ([400, 413, 415, 422].includes(answer.status)) {
        tell(`Aisle rejected ${batch.length} lines with HTTP ${answer.status}.`)
      } else {
        refusedUntil = Date.now() + REFUSED_MS
        waiting = []
        return tell(`${whyRefused(answer)} Nothing is collected for ten minutes.`)
      }
    }
  }

  function putOff(batch: readonly string[], answer: AisleAnswer | null): void {
    waiting = [...batch, ...waiting].slice(-maxWaiting)
    const delay = retryDelays[Math.min(failures, retryDelays.length - 1)] ?? 0
    failures += 1
    notBefore = Date.now() + Math.max(delay, retryAfterOf(answer))
    const why = answer === null ? 'There was no answer' : `The answer was HTTP ${answer.status}`
    tell(`${waiting.length} lines wait for Aisle. ${why}. Check ${url}.`)
    if (closing.signal.aborted) return
    clearTimeout(retry)
    retry = setTimeout(() => void (working ?? begin(0)), notBefore - Date.now())
    unref(retry)
  }

  function begin(delay: number): Promise<void> {
    const run = async () => {
      await sleep(delay, closing.signal, unref)
      await sendAll()
      working = null
    }
    working = run()
    return working
  }

  return {
    add(line) {
      const now = Date.now()
      if (closing.signal.aborted || now < refusedUntil) return
      if (waiting.push(line) > maxWaiting) waiting.shift()
      if (working === null && now >= notBefore) void begin(lingerMs)
    },
    async flush() {
      await working
      if (waiting.length > 0) await begin(0)
    },
    async close(graceMs = GRACE_MS) {
      closing.abort()
      clearTimeout(retry)
      const timer = setTimeout(() => ended.abort(), graceMs)
      await working
      if (waiting.length > 0 && !ended.signal.aborted) await begin(0)
      clearTimeout(timer)
      ended.abort()
      const left = waiting.length
      waiting = []
      if (left > 0) tell(`${left} lines were not sent to Aisle: the process was stopping.`)
    },
  }
}

/** What Aisle could not read of lines that it has taken. */
function faultIn({ body }: AisleAnswer): string | null {
  const taken = parse(body)
  const wrong = Number(fieldOf(taken, 'wrong'))
  if (!(wrong > 0)) return null
  const [first] = Object.values(Object(fieldOf(taken, 'faults')))
  return `Aisle could not read ${wrong} lines: ${String(fieldOf(first, 'message')).slice(0, 300)}`
}

function whyRefused({ status, body }: AisleAnswer): string {
  if (status === 401 || status === 403) {
    return `Aisle refused the key with HTTP ${status}: it needs report:write for the domain.`
  }
  if (status === 404 || status === 405 || status === 501) {
    return `This Aisle takes no lines of logs (HTTP ${status}): it is too old, or the URL is wrong.`
  }
  const said = fieldOf(fieldOf(parse(body), 'error'), 'message')
  const why = typeof said === 'string' ? said.slice(0, 500) : 'Check the URL and the key.'
  return `Aisle refused lines with HTTP ${status}. ${why}`
}
