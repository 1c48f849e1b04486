import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { connect, createServer, type Socket } from 'node:net'

/** A server behind a proxy, which a test takes away, or holds up. */
export interface Proxied {
  port: number
  /** Its connections end, and nothing listens any more. */
  die(): Promise<void>
  /** Its connections stay open, and nothing goes through them. */
  hang(): void
  /** It is there again. */
  recover(): Promise<void>
  close(): Promise<void>
}

/** Puts a proxy before a server. */
export async function proxyTo({
  host,
  port: behind,
}: {
  host: string
  port: number
}): Promise<Proxied> {
  const open = new Set<Socket>()
  let isHung = false
  const server = createServer((from) => {
    const to = connect(behind, host)
    for (const [one, other] of [
      [from, to],
      [to, from],
    ] as const) {
      open.add(one)
      one.on('error', () => {})
      one.on('close', () => {
        open.delete(one)
        other.destroy()
      })
      one.on('data', (data) => other.write(data))
      if (isHung) one.pause()
    }
  })
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  }
  const port = await listen(0)
  const stop = async () => {
    const closed = once(server, 'close')
    server.close()
    for (const socket of open) socket.destroy()
    await closed
  }
  return {
    port,
    die: stop,
    hang() {
      isHung = true
      for (const socket of open) socket.pause()
    },
    async recover() {
      isHung = false
      for (const socket of open) socket.resume()
      if (!server.listening) await listen(port)
    },
    close: async () => {
      if (server.listening) await stop()
    },
  }
}
