import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll } from 'vitest'
import { createFetcher, type Fetcher, type FetcherOptions } from '../../audit/probe/fetch/fetch.ts'
import { WEBHOOK_LIMITS } from '../../audit/probe/fetch/webhook.ts'
import { deliverTo, type Outbox } from '../outbox.ts'

const closing: (() => Promise<unknown>)[] = []
afterAll(() => Promise.all(closing.map((close) => close())))

/** Delivers all that is due now. `runOutbox` does so again and again. */
export async function deliverAll<
  Receiver extends { id: string },
  Delivery extends { attempts: number },
>(outbox: Outbox<Receiver, Delivery>): Promise<void> {
  for (;;) {
    const receivers = await outbox.due(outbox.now(), 1000)
    if (receivers.length === 0) return
    await Promise.all(receivers.map((receiver) => deliverTo(outbox, receiver)))
  }
}

export interface Received {
  url: string
  headers: Record<string, string>
  body: string
}

/** A receiver on loopback that notes what it gets, and answers as the test says. */
export async function startReceiver(look: (body: string) => Promise<void> = async () => {}) {
  const received: Received[] = []
  const receiver = { received, answer: ((_, response) => response.end()) as RequestListener }
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    )
    await look(body)
    received.push({ url: request.url ?? '', headers, body })
    receiver.answer(request, response)
  })
  const listen = async (port = 0) => {
    await once(server.listen(port, '127.0.0.1'), 'listening')
    return (server.address() as AddressInfo).port
  }
  const close = async () => {
    server.closeAllConnections()
    await new Promise((done) => server.close(done))
  }
  closing.push(close)
  const port = await listen()
  return Object.assign(receiver, {
    port,
    origin: `http://127.0.0.1:${port}`,
    /** Stops listening; `open` starts again on the same port. */
    close,
    open: () => listen(port),
  })
}

/** Answers every request with a status. */
export const answers =
  (status: number, headers: Record<string, string> = {}): RequestListener =>
  (_, response) =>
    response.writeHead(status, headers).end()

/** A fetcher for which every `*.example` is the receiver. */
export function testFetcher(origin: string, options: Partial<FetcherOptions> = {}): Fetcher {
  const fetcher = createFetcher({
    userAgent: 'Test/1',
    testHosts: [{ pattern: '*.example', origin }],
    ...options,
    limits: { ...WEBHOOK_LIMITS, ...options.limits },
  })
  closing.push(() => fetcher.close())
  return fetcher
}
