import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

/** An Aisle on loopback that gives the answers that a test sets. Adds its stop to `closing`. */
export async function startApi(closing: (() => Promise<unknown>)[], answer: RequestListener) {
  const api = { answer, got: [] as { url: string; headers: IncomingHttpHeaders; body: string }[] }
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    api.got.push({ url: request.url ?? '', headers: request.headers, body })
    api.answer(request, response)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  closing.push(async () => {
    server.closeAllConnections()
    await new Promise((done) => server.close(done))
  })
  return Object.assign(api, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
}
