import { hash } from 'node:crypto'
import { ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { at, type Front, nowhere, withBody } from './front.ts'

// Stores that differ in HTTP alone.

/** Compresses all that it answers, as a CDN does. */
export const compressed: Front = async (asked, ask) => {
  const answer = await ask(asked)
  const body = new Uint8Array(await answer.arrayBuffer())
  const isWanted = asked.headers.get('accept-encoding')?.includes('gzip') ?? false
  if (!isWanted || body.length === 0 || answer.headers.has('content-encoding')) {
    return withBody(answer, body.length === 0 ? null : body)
  }
  return withBody(answer, new Uint8Array(gzipSync(body)), {
    'content-encoding': 'gzip',
    vary: 'accept-encoding',
  })
}

/** The profile with a validator, and 304 to who has it. */
export const validated: Front = at(/^\/\.well-known\//, async (asked, ask) => {
  const answer = await ask(asked)
  const text = await answer.text()
  const etag = `"${hash('sha256', text)}"`
  if (answer.status !== 200) return withBody(answer, text)
  return asked.headers.get('if-none-match') === etag
    ? new Response(null, { status: 304, headers: { etag, 'cache-control': 'public, max-age=300' } })
    : withBody(answer, text, { etag })
})

/** The profile without a validator, as most stores serve it. */
export const untagged: Front = at(/^\/\.well-known\//, async (asked, ask) => {
  const answer = await ask(asked)
  const headers = new Headers(answer.headers)
  headers.delete('etag')
  return new Response(answer.body, { status: answer.status, headers })
})

/** Header names as HTTP/1.1 servers have written them for thirty years: `Content-Type`. */
export const inTitleCase: Front = (asked, ask) => {
  const { outgoing } = asked.env
  if (!(outgoing instanceof ServerResponse)) return ask(asked)
  const write = outgoing.writeHead.bind(outgoing)
  const titled = (name: string) => name.replaceAll(/(^|-)[a-z]/g, (letter) => letter.toUpperCase())
  outgoing.writeHead = (status: number, ...rest: unknown[]) => {
    const [headers] = rest
    const renamed = Object.fromEntries(
      Object.entries(Object(headers)).map(([name, value]) => [titled(name), value]),
    )
    return write(status, renamed as Record<string, string>)
  }
  return ask(asked)
}

/** What another host serves of this store, below a path of its own. */
export const alsoAt = (base: string): Front => {
  const { host, pathname } = new URL(base)
  const prefix = pathname.replace(/\/$/, '')
  return (asked, ask) => {
    if (asked.host !== host) return ask(asked)
    return asked.path.startsWith(`${prefix}/`)
      ? ask({ ...asked, path: asked.path.slice(prefix.length) })
      : ask(nowhere(asked))
  }
}
