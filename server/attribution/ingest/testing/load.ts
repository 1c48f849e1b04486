import { randomBytes } from 'node:crypto'
import { createConnection } from 'node:net'

// A client that costs less than the server: `node testing.ts '{"port":…}'` keeps connections busy
// for a while and prints how many answers of each status came.

/** What to send, to whom and for how long; `ms` in milliseconds. */
interface Load {
  port: number
  key: string
  clients: number
  ms: number
  /** Whose events they are, in turn. */
  shops: number
  /** Sessions of browsers for these properties, in turn; none: orders. */
  properties?: { id: string; domain: string }[]
}

const { port, key, clients, ms, shops, properties = [] }: Load = JSON.parse(process.argv[2] ?? '{}')
const answers: Record<string, number> = {}
const times: number[] = []
const until = performance.now() + ms
/** In minor units; a round has some ten thousands. */
const firstValue = Math.floor(Math.random() * 1e12)
let sent = 0

/**
 * As servers and browsers make the ids of sessions: one that is new is anywhere among those that
 * are stored.
 */
const sessionId = () => randomBytes(12).toString('base64url')

function order(): string {
  sent += 1
  return JSON.stringify({
    event: 'ai_checkout_completed',
    domain: `shop${sent % shops}.example`,
    session_id: sessionId(),
    source: 'acp',
    ai_surface: 'chatgpt',
    // Of values that differ, in this round and from those of the last: orders of one value in one
    // minute are looked at as one sale told twice.
    properties: {
      product_id: 'ao-1101',
      value: firstValue + sent,
      currency: 'USD',
    },
  })
}

/** Each from a network of its own, as visitors are. */
function session(): string {
  const n = ++sent
  const { id, domain } = properties[n % properties.length] ?? { id: '', domain: '' }
  const json = JSON.stringify({
    id: sessionId(),
    referrer: 'https://chatgpt.com/',
    landing: `https://${domain}/?utm_source=chatgpt.com#/products/ao-1101`,
    surface: 'chatgpt',
    confidence: 0.97,
    model: '2026-11-21.1a2b3c4d',
  })
  const network = Math.floor(Math.random() * 2 ** 24)
  const address = `${network >> 16}.${(network >> 8) & 255}.${network & 255}.1`
  return `POST /sessions?id=${id} HTTP/1.1\r\nHost: aisle.example\r\nOrigin: https://${domain}\r\nUser-Agent: ${BROWSER}\r\nX-Forwarded-For: ${address}\r\nContent-Type: text/plain\r\nContent-Length: ${json.length}\r\n\r\n${json}`
}

const BROWSER =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'

function request(): string {
  if (properties.length > 0) return session()
  const json = order()
  return `POST /api/report HTTP/1.1\r\nHost: aisle.example\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: ${json.length}\r\n\r\n${json}`
}

const client = () =>
  new Promise<void>((resolve, reject) => {
    const socket = createConnection(port, '127.0.0.1')
    let got = ''
    let asked = 0
    const ask = () => {
      asked = performance.now()
      socket.write(request())
    }
    socket.setEncoding('latin1').setNoDelay(true)
    socket.on('connect', ask)
    socket.on('error', reject)
    socket.on('data', (chunk) => {
      got += chunk
      const end = got.indexOf('\r\n\r\n')
      const length = Number(/content-length: (\d+)/i.exec(got.slice(0, end))?.[1])
      if (end < 0 || got.length < end + 4 + length) return
      const status = got.slice(9, 12)
      answers[status] = (answers[status] ?? 0) + 1
      times.push(performance.now() - asked)
      got = ''
      if (performance.now() < until) return ask()
      socket.end()
      resolve()
    })
  })

const started = performance.now()
await Promise.all(Array.from({ length: clients }, client))
const seconds = (performance.now() - started) / 1000
const p99 = times.sort((a, b) => a - b)[Math.floor(times.length * 0.99)]
process.stdout.write(JSON.stringify({ answers, seconds, p99 }))
