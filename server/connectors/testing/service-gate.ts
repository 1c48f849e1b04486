import { createServer, request } from 'node:http'

/** How the service is: as it is, gone, so slow that nobody waits for it, or without a key. */
type Mood = 'well' | 'away' | 'slow' | 'refusing'

/** What a shop takes for the service at `serviceUrl`: it can be put out of order. */
export async function openGate(serviceUrl: string) {
  let mood: Mood = 'well'
  const server = createServer((asked, answer) => {
    if (mood === 'slow') return
    if (mood === 'away') return void asked.socket.destroy()
    if (mood === 'refusing') {
      answer.writeHead(401, { 'Content-Type': 'application/json' })
      return void answer.end('{"error":{"message":"The key is not known."}}')
    }
    const { method, headers, url = '/' } = asked
    const host = new URL(serviceUrl).host
    const passed = request(`${serviceUrl}${url}`, { method, headers: { ...headers, host } })
    passed.on('response', (said) => {
      answer.writeHead(said.statusCode ?? 502, said.headers)
      said.pipe(answer)
    })
    passed.on('error', () => asked.socket.destroy())
    asked.pipe(passed)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  return {
    url: `http://127.0.0.1:${port}`,
    become(next: Mood) {
      mood = next
      server.closeAllConnections()
    },
    async close() {
      const closed = new Promise((done) => server.close(done))
      server.closeAllConnections()
      await closed
    },
  }
}
