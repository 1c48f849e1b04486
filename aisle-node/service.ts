import type { AisleAnswer, AisleOptions, AisleRequest } from './index.d.ts'
import packageJson from './package.json' with { type: 'json' }

/** Aisle refuses what it no longer understands, and says what to update. */
const { version } = packageJson

/** The longest that an answer may ask us to wait. */
const MAX_RETRY_AFTER_MS = 600_000

/** The address of a call. Throws if the address of Aisle is missing or invalid. */
export function readUrl(text: string | undefined, path: string): string {
  const url = text !== undefined && URL.canParse(text) ? new URL(text) : null
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.search || url.hash) {
    throw new TypeError('The url of Aisle is not a valid URL such as https://aisle.example.')
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}${path}`
}

export function readKey(key: string | undefined): Record<string, string> {
  if (typeof key !== 'string' || !/^[\x21-\x7e]+$/.test(key)) {
    throw new TypeError('The key of Aisle is missing or contains other characters than a key has.')
  }
  return { authorization: `Bearer ${key}`, 'user-agent': `aisle-node/${version}` }
}

/** Sends a request once. Null: there was no answer in time, or before `ended`. */
export async function tryOnce(
  send: NonNullable<AisleOptions['send']>,
  request: AisleRequest,
  timeoutMs: number,
  ended: AbortSignal,
): Promise<AisleAnswer | null> {
  const trying = new AbortController()
  const stop = () => trying.abort()
  const timer = setTimeout(stop, timeoutMs)
  ended.addEventListener('abort', stop)
  try {
    // A `send` of the shop's own may ignore its signal.
    return readAnswer(await Promise.race([send(request, trying.signal), aborted(trying.signal)]))
  } catch {
    return null
  } finally {
    clearTimeout(timer)
    ended.removeEventListener('abort', stop)
  }
}

/** A shop's own `send` may resolve to anything. Null if that has no status: there was no answer. */
function readAnswer(answer: unknown): AisleAnswer | null {
  const status = Number(fieldOf(answer, 'status'))
  if (!(status > 0)) return null
  const text = (name: string) => String(fieldOf(answer, name) ?? '')
  return { status, retryAfter: text('retryAfter'), body: text('body') }
}

/** Answers that a retry cannot change: every 3xx and 4xx except timeouts and rate limits. */
export const isFinalAnswer = ({ status }: AisleAnswer): boolean =>
  status < 500 && ![408, 425, 429].includes(status)

/** The `Retry-After` of an answer in milliseconds: it is in seconds or an HTTP date. */
export function retryAfterOf(answer: AisleAnswer | null): number {
  const text = answer?.retryAfter?.trim()
  if (!text) return 0
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now()
  return Number.isNaN(ms) ? 0 : Math.min(Math.max(ms, 0), MAX_RETRY_AFTER_MS)
}

export function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export const fieldOf = (value: unknown, name: string): unknown =>
  Object(value) === value ? Object(value)[name] : undefined

/** Resolves after `ms` milliseconds, or when the signal aborts. `onTimer` gets the timer. */
export const sleep = (
  ms: number,
  signal: AbortSignal,
  onTimer?: (timer: unknown) => void,
): Promise<void> =>
  new Promise((resolve) => {
    const wake = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', wake)
      resolve()
    }
    const timer = setTimeout(wake, ms)
    onTimer?.(timer)
    if (signal.aborted) wake()
    else signal.addEventListener('abort', wake)
  })

/** For a timer that keeps no process alive. Those of other runtimes than Node are numbers. */
export function unref(timer: unknown): void {
  const own = fieldOf(timer, 'unref')
  if (typeof own === 'function') own.call(timer)
}

const aborted = (signal: AbortSignal): Promise<null> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(null)))

/** The default log. It is limited, because an outage would otherwise fill it. */
export function createWarner(): (message: string | null) => void {
  let quietUntil = 0
  return (message) => {
    if (message === null || performance.now() < quietUntil) return
    quietUntil = performance.now() + 60_000
    globalThis.process?.emitWarning?.(message, 'AisleWarning')
  }
}
