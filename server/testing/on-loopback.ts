import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'

/** An app, or a handler of Node's own requests. */
export type LoopbackAnswer = RequestListener | { fetch: Parameters<typeof getRequestListener>[0] }

/** Serves on a free port of loopback. Closing it ends the connections that clients keep alive. */
export async function onLoopback(answer: LoopbackAnswer) {
  const server = createServer(
    typeof answer === 'function' ? answer : getRequestListener(answer.fetch),
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    origin: `http://127.0.0.1:${port}`,
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}
