import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import {
  request as ask,
  createServer as createHttpServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
} from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

// A key and a certificate of `ucp.example` and `agent.example` that is its own authority, for a
// century: openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 36500
// -addext subjectAltName=DNS:…. Node takes no `*.example`, as a name below a whole domain.
const PEM_FILE = fileURLToPath(new URL('./shops.pem', import.meta.url))

/** A request that was passed on, and its answer, with bodies as text. */
interface Passed {
  method: string
  path: string
  headers: IncomingHttpHeaders
  sent: string
  status: number
  received: string
}

/**
 * What stands before a store on the internet: TLS, and a name. Programs reach it as their proxy, so
 * that `ucp.example` needs no DNS, and any name but those of `origins` leads nowhere: not a packet
 * leaves this machine. `origins` are loopback ones, by host name. `watch` is told of each answer
 * before its client is.
 */
export async function startTlsFront(
  origins: Readonly<Record<string, string>>,
  watch: (passed: Passed) => Promise<unknown>,
) {
  const refused: string[] = []
  const pem = readFileSync(PEM_FILE, 'utf8')
  // No connection is closed while it waits for its next request, here or at the store: a client
  // that sends at that moment would meet a failure that is no answer.
  const kept = { key: pem, cert: pem, keepAliveTimeout: 0 }
  const https = createHttpsServer(kept, async (incoming, response) => {
    const { method = '', url = '', headers } = incoming
    const sent = await text(incoming)
    const onward = ask(`${origins[headers.host ?? '']}${url}`, {
      method,
      agent: false,
      headers: { ...headers, 'x-forwarded-proto': 'https' },
    })
    onward.on('error', () => response.destroy())
    onward.on('response', async (answer: IncomingMessage) => {
      const received = await text(answer)
      const status = answer.statusCode ?? 502
      await watch({ method, path: url, headers, sent, status, received })
      response.writeHead(status, answer.headers).end(received)
    })
    onward.end(sent)
  })
  const tunnels = new Set<Duplex>()
  const proxy = createHttpServer(({ url = '' }, response) => {
    refused.push(url)
    response.writeHead(403).end()
  })
  proxy.on('connect', ({ url = '' }, socket) => {
    const [name, port] = url.split(':')
    if (port !== '443' || name === undefined || !Object.hasOwn(origins, name)) {
      refused.push(url)
      socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')
      return
    }
    tunnels.add(socket.once('close', () => tunnels.delete(socket)))
    socket.write('HTTP/1.1 200 Connection Established\r\n\r\n')
    https.emit('connection', socket)
  })
  await once(proxy.listen(0, '127.0.0.1'), 'listening')
  const { port } = proxy.address() as AddressInfo
  const address = `http://127.0.0.1:${port}`
  return {
    /** For a Node program that heeds the usual variables of a proxy. */
    env: {
      HTTPS_PROXY: address,
      HTTP_PROXY: address,
      NO_PROXY: '',
      NODE_EXTRA_CA_CERTS: PEM_FILE,
    },
    /** The same for the `ProxyAgent` of undici. */
    agent: { uri: address, requestTls: { ca: pem } },
    /** What was asked for beside its names, such as `registry.example:443`. */
    refused,
    close: async () => {
      for (const tunnel of tunnels) tunnel.destroy()
      proxy.closeAllConnections()
      await new Promise((done) => proxy.close(done))
    },
  }
}
