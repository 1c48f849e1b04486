import { createBatches } from './batches.ts'
import type * as api from './index.d.ts'
import { type FetchSeen, isAgent, sentLineOf } from './seen.ts'
import { fieldOf, readKey, readUrl } from './service.ts'

export const createCollector: typeof api.createCollector = (options) => {
  const { domain, address = addressOf } = options
  if (typeof domain !== 'string' || domain === '') {
    throw new TypeError('The domain of the collector is missing, such as shop.example.')
  }
  const batches = createBatches({
    ...options,
    url: `${readUrl(options.url, '/api/fetches')}?domain=${encodeURIComponent(domain)}`,
    headers: { ...readKey(options.key), 'content-type': 'application/x-ndjson' },
  })
  // A process that ends by itself has nothing else to do.
  const flush = () => void batches.flush()
  globalThis.process?.once?.('beforeExit', flush)

  /** Nothing that a shop passes may throw in its answer. */
  const take = (seen: FetchSeen): void => {
    try {
      if (isAgent(seen.header('user-agent'))) batches.add(sentLineOf(seen))
    } catch {
      // The request is not counted.
    }
  }

  return {
    node(request, response, next) {
      try {
        watch(request, response)
      } catch {
        // The request is not counted.
      }
      next?.()
    },
    async hono(context, next) {
      const at = Date.now()
      await next()
      const request = context.req.raw
      const header = (name: string) => request.headers.get(name)
      take({
        ...{ at, method: request.method, url: request.url, host: hostOf(header), header },
        ...{ status: context.res.status, address: attempt(() => address(context)) },
      })
    },
    close: (graceMs) => {
      globalThis.process?.removeListener?.('beforeExit', flush)
      return batches.close(graceMs)
    },
  }

  /** Reports a request of Node when its answer is sent, or its connection is closed. */
  function watch(request: api.NodeRequest, response: api.NodeResponse): void {
    const header = (name: string) => textOf(request.headers[name])
    if (!isAgent(header('user-agent'))) return
    const at = Date.now()
    // Routers change `url`, and Node forgets the address when the connection is closed.
    const url = request.originalUrl ?? request.url ?? '/'
    const { method = 'GET' } = request
    const caller = attempt(() => address(request))
    response.once('close', () =>
      take({
        ...{ at, method, url, host: hostOf(header), header, address: caller },
        status: response.headersSent === false ? 0 : response.statusCode,
      }),
    )
  }
}

/** Behind a proxy it is the proxy's, unless the framework is told to trust it. */
function addressOf(request: unknown): string | undefined {
  // Express, Fastify; Node; Hono on Node.
  const incoming = fieldOf(fieldOf(request, 'env'), 'incoming') ?? request
  const found = fieldOf(incoming, 'ip') ?? fieldOf(fieldOf(incoming, 'socket'), 'remoteAddress')
  return typeof found === 'string' ? found : undefined
}

const hostOf = (header: FetchSeen['header']): string | undefined =>
  (header('x-forwarded-host') ?? header('host'))?.split(',')[0]?.trim()

const textOf = (value: unknown): string | undefined =>
  Array.isArray(value) ? value.join(', ') : typeof value === 'string' ? value : undefined

function attempt<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
