import { type FetchSeen, isAgent, sentLineOf } from './seen.ts'

interface EdgeOptions {
  url: string
  key: string
  domain: string
}

interface EdgeFetch extends Omit<FetchSeen, 'method' | 'url' | 'host' | 'header'> {
  request: Request
  /** How long to wait for other requests; 0 where a copy of the code may live for one alone. */
  lingerMs?: number
  /** Keeps the runtime awake until the promise has ended. */
  waitUntil: (sending: Promise<void>) => void
}

/** Requests that come together are sent together. */
const LINGER_MS = 2000
const TIMEOUT_MS = 10_000
const MOST_WAITING = 500
const LONGEST_PAUSE_MS = 600_000

/** The lines of all requests that this copy of the code answers. */
let waiting: string[] = []
/** Before this nothing is sent: a sending is under way, or the last one failed. */
let notBefore = 0
let failures = 0

/** Whether an AI agent asks: of other requests nothing is sent. */
export const isOfAgent = ({ headers }: Request): boolean => isAgent(headers.get('user-agent'))

/** Reports an agent's request after its answer. Never throws. */
export function collectAtEdge(
  options: EdgeOptions,
  { request, waitUntil, lingerMs = LINGER_MS, ...seen }: EdgeFetch,
): void {
  try {
    const { method, url, headers } = request
    const host = new URL(url).hostname
    const line = sentLineOf({ ...seen, method, url, host, header: (name) => headers.get(name) })
    waiting = [...waiting, line].slice(-MOST_WAITING)
    const now = Date.now()
    if (now < notBefore) return
    // A runtime may end a sending with its request: after this another one begins.
    notBefore = now + 2 * (LINGER_MS + TIMEOUT_MS)
    waitUntil(send(options, lingerMs))
  } catch {
    // The request is not counted.
  }
}

async function send(options: EdgeOptions, lingerMs: number): Promise<void> {
  if (lingerMs > 0) await new Promise((resolve) => setTimeout(resolve, lingerMs))
  const lines = waiting
  waiting = []
  const answer = await fetch(`${options.url}/api/fetches?domain=${options.domain}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${options.key}`, 'content-type': 'application/x-ndjson' },
    body: lines.join('\n'),
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch(() => null)
  await answer?.body?.cancel()
  if (answer?.ok) {
    failures = 0
    if (waiting.length > 0) return send(options, lingerMs)
    notBefore = 0
    return
  }
  const status = answer?.status ?? 0
  // What Aisle refuses for good is not sent again.
  const isRefused = status >= 300 && status < 500 && ![408, 425, 429].includes(status)
  if (!isRefused) waiting = [...lines, ...waiting].slice(-MOST_WAITING)
  notBefore = Date.now() + Math.min(5000 * 2 ** failures, LONGEST_PAUSE_MS)
  failures += 1
  // biome-ignore lint/suspicious/noConsole: it is the only log at the edge
  console.warn(`Aisle did not take ${lines.length} requests of AI agents: HTTP ${status}`)
}
