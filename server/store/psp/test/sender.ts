import { createHmac, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { createFetcher } from '../../../audit/probe/fetch/fetch.ts'

/**
 * Milliseconds before each attempt: long enough for a store that starts, or is killed in a test.
 */
const PAUSES_MS = [0, 1000, 5000, 30_000]

const MAX_ANSWER_BYTES = 64 * 1024

/** The guard of outbound requests only serves this name from loopback. */
const TARGET = 'store.test'

/** The value of `Stripe-Signature` over a payload. */
export function stripeSignature(payload: string, secret: string, at: Date): string {
  const time = Math.floor(at.getTime() / 1000)
  const signature = createHmac('sha256', secret).update(`${time}.${payload}`).digest('hex')
  return `t=${time},v1=${signature}`
}

interface Sender {
  /** The target of events from now on. Throws unless it is an http URL of this machine. */
  sendTo(url: string): void
  send(type: string, object: object): void
  /** Resolves when no delivery is running. */
  idle(): Promise<void>
  close(): Promise<void>
}

/** Delivers events as Stripe does: signed, at least once, in no order. */
export function createSender(secret: string, now: () => Date): Sender {
  const stop = new AbortController()
  const underWay = new Set<Promise<void>>()
  let target: URL | null = null

  const deliver = async (url: URL, event: object) => {
    for (const pause of PAUSES_MS) {
      await sleep(pause, undefined, { signal: stop.signal, ref: false })
      if (await isAccepted(url, event, stripeSignature(JSON.stringify(event), secret, now()))) break
    }
  }

  return {
    sendTo(text) {
      target = readTarget(text)
    },
    send(type, object) {
      if (target === null) return
      const created = Math.floor(now().getTime() / 1000)
      const id = `evt_${randomUUID().replaceAll('-', '')}`
      const event = { id, object: 'event', type, created, livemode: false, data: { object } }
      // Rejects when it is stopped: then its result is no longer needed.
      const delivery = deliver(target, event).catch(() => {})
      underWay.add(delivery)
      void delivery.finally(() => underWay.delete(delivery))
    },
    async idle() {
      while (underWay.size > 0) await Promise.all(underWay)
    },
    async close() {
      stop.abort()
      await Promise.all(underWay)
    },
  }
}

function readTarget(text: string): URL {
  const url = URL.parse(text)
  if (url?.protocol === 'http:' && ['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname)) {
    return url
  }
  throw new Error(
    `The test PSP delivers only to this machine, not to "${text}". Give it a URL such as http://127.0.0.1:8788/webhooks/psp.`,
  )
}

async function isAccepted(url: URL, event: object, signature: string): Promise<boolean> {
  const session = createFetcher({
    userAgent: 'TestPSP/1.0',
    testHosts: [{ pattern: TARGET, origin: url.origin }],
  }).open()
  try {
    const fetched = await session.request({
      method: 'POST',
      url: `https://${TARGET}${url.pathname}`,
      headers: { 'stripe-signature': signature },
      json: event,
      maxBytes: MAX_ANSWER_BYTES,
    })
    return fetched.kind === 'answer' && fetched.status >= 200 && fetched.status < 300
  } finally {
    await session.close()
  }
}
