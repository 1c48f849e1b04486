import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { eventually } from '../../../../../shared/testing/wait.ts'
import { onLoopback } from '../../../../testing/on-loopback.ts'
import { answerOf, DOMAIN, PERSON, type Service } from './service.ts'

// The runtimes have no types here: they are installed for their tests alone.
// biome-ignore lint/suspicious/noExplicitAny: see above
type Untyped = any

/** A store behind an edge. */
export interface Edge {
  visit: (
    path: string,
    userAgent: string,
    headers?: Record<string, string>,
  ) => Promise<{ status: number; text: string }>
  close: () => Promise<unknown>
}

const load = (modules: string, path: string): Promise<Untyped> =>
  import(/* @vite-ignore */ pathToFileURL(join(modules, path)).href)

const pageOf = (url: string) => {
  const { status, text } = answerOf(new URL(url).pathname)
  return { status, text }
}

/** workerd by Miniflare. What the Worker fetches is the store's or the service's. */
export async function openCloudflare(modules: string, service: Service): Promise<Edge> {
  const { Miniflare, Response: Answer } = await load(modules, 'miniflare/dist/src/index.js')
  const worker = new Miniflare({
    modules: true,
    script: service.codeOf('cloudflare/worker.js'),
    bindings: { AISLE_KEY: service.key },
    compatibilityDate: '2026-07-30',
    outboundService: async (request: Request) => {
      if (new URL(request.url).host === service.host) return forward(request, Answer)
      const { status, text } = pageOf(request.url)
      return new Answer(text, { status })
    },
  })
  return {
    visit: async (path, userAgent, headers = {}) => {
      const answer = await worker.dispatchFetch(`https://${DOMAIN}${path}`, {
        headers: { 'user-agent': userAgent, 'cf-connecting-ip': '203.0.113.7', ...headers },
      })
      return { status: answer.status, text: await answer.text() }
    },
    close: () => worker.dispose(),
  }
}

async function forward(request: Request, Answer: Untyped): Promise<unknown> {
  const answer = await fetch(request.url, {
    method: request.method,
    headers: [...request.headers].filter(([name]) => /^(authorization|content-type)$/.test(name)),
    body: await request.text(),
    redirect: 'manual',
  })
  return new Answer(await answer.text(), { status: answer.status })
}

/** Vercel's edge-runtime, before a store that is asked where the middleware lets a request pass. */
export async function openVercel(modules: string, service: Service): Promise<Edge> {
  const { EdgeRuntime } = await load(modules, 'edge-runtime/dist/index.js')
  const { outputFiles } = await build({
    stdin: { contents: service.codeOf('vercel/middleware.js') },
    ...{ bundle: true, write: false, format: 'iife', globalName: 'own' },
  })
  const runtime = new EdgeRuntime({
    extend: (context: Untyped) =>
      Object.assign(context, { process: { env: { AISLE_KEY: service.key } } }),
    // What Vercel does with the file: no answer lets the request pass.
    initialCode: `${outputFiles[0]?.text}
addEventListener('fetch', (event) =>
  event.respondWith(own.default(event.request, event) ?? new Response(null, { headers: { 'x-middleware-next': '1' } })))`,
  })
  const passed: Promise<unknown>[] = []
  async function ask(request: Request) {
    const answer = await runtime.dispatchFetch(request.url, { headers: request.headers })
    passed.push(answer.waitUntil())
    if (answer.headers.get('x-middleware-next') !== '1') throw new Error('It does not pass.')
    const { status, text } = pageOf(request.url)
    return new Response(text, { status })
  }
  // The middleware asks for the page once more, by its address.
  const store = await onLoopback({ fetch: ask })
  return {
    visit: async (path, userAgent, headers = {}) => {
      const answer = await ask(
        new Request(`${store.origin}${path}`, {
          headers: { 'user-agent': userAgent, 'x-real-ip': '203.0.113.7', ...headers },
        }),
      )
      return { status: answer.status, text: await answer.text() }
    },
    close: () => store.close(),
  }
}

/**
 * Netlify's local runtime, on Deno, before a store. It ends the code with the answer, whatever that
 * waits for: so the store's answer to an agent ends when the service was asked.
 */
export async function openNetlify(
  modules: string,
  service: Service,
  functions: string,
): Promise<Edge> {
  const deno = join(modules, '@deno', `${process.platform}-${process.arch}-glibc`)
  if (!process.env.PATH?.startsWith(deno)) process.env.PATH = `${deno}:${process.env.PATH}`
  const { EdgeFunctionsHandler } = await load(
    modules,
    '@netlify/edge-functions-dev/dist/node/main.js',
  )
  let asked = 0
  const store = await onLoopback(async (request, response) => {
    const { status, text } = pageOf(`http://store${request.url}`)
    response.writeHead(status).flushHeaders()
    response.write(text.slice(0, 1))
    if (request.headers['user-agent'] !== PERSON && service.isThere()) {
      asked += 1
      await eventually(() => service.bodies.length).toBeGreaterThanOrEqual(asked)
    }
    response.end(text.slice(1))
  })
  const silent = { log: () => {}, warn: () => {}, error: () => {} }
  const handler = new EdgeFunctionsHandler({
    ...{ configDeclarations: [], directories: [functions], geolocation: {}, logger: silent },
    env: { AISLE_KEY: service.key },
  })
  return {
    visit: async (path, userAgent, headers = {}) => {
      const request = new Request(`${store.origin}${path}`, {
        headers: { 'user-agent': userAgent, 'x-nf-request-id': 'another', ...headers },
      })
      const matched = await handler.match(request)
      const answer: Response = await matched.handle(request, store.origin)
      return { status: answer.status, text: await answer.text() }
    },
    close: async () => {
      await handler.stop()
      await store.close()
    },
  }
}
