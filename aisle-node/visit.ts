import type * as api from './index.d.ts'

/** The form that attribution.js makes. Nothing else that a browser sends is passed on. */
const VISIT_ID = /^[\w-]{8,64}$/

const COOKIE = /(?:^|;\s*)aisle_visit=([\w-]{8,64})(?=\s*(?:;|$))/

export const visitIdOf: typeof api.visitIdOf = (...sources) => {
  for (const source of sources) {
    for (const headers of headersOf(source)) {
      const found = readHeaders(headers)
      if (found !== undefined) return found
    }
    const found = readField(source, 'aisle_visit')
    if (found !== undefined) return found
  }
  return undefined
}

/**
 * The headers of a request, or of the request inside a framework's own object: Hono's `c.req` has
 * it as `raw`, its context as `req`.
 */
const headersOf = (source: unknown): unknown[] =>
  [source, propertyOf(source, 'raw'), propertyOf(propertyOf(source, 'req'), 'raw')].map((request) =>
    propertyOf(request, 'headers'),
  )

const readHeaders = (headers: unknown): string | undefined =>
  readField(headers, 'aisle-visit') ?? readCookie(readText(headers, 'cookie'))

const readCookie = (text: unknown): string | undefined =>
  typeof text === 'string' ? COOKIE.exec(text)?.[1] : undefined

function readField(source: unknown, name: string): string | undefined {
  const text = readText(source, name)
  return typeof text === 'string' && VISIT_ID.test(text) ? text : undefined
}

/**
 * `Headers`, `FormData` and their like have `get`; Node's headers and parsed bodies are records.
 */
function readText(source: unknown, name: string): unknown {
  const get = propertyOf(source, 'get')
  if (typeof get !== 'function') return propertyOf(source, name)
  try {
    return get.call(source, name)
  } catch {
    return undefined
  }
}

/**
 * A property of any value, own or inherited; undefined if it is absent or if reading it throws,
 * because a checkout calls this.
 */
function propertyOf(value: unknown, name: string): unknown {
  try {
    return Object(value) === value && name in Object(value) ? Object(value)[name] : undefined
  } catch {
    return undefined
  }
}
