import type * as api from './index.d.ts'

/** As attribution.js makes it. Whatever else a browser sends is not passed on. */
const VISIT_ID = /^[\w-]{8,64}$/

const COOKIE = /(?:^|;\s*)aisle_visit=([\w-]{8,64})(?=\s*(?:;|$))/

export const visitIdOf: typeof api.visitIdOf = (...sources) => {
  for (const source of sources) {
    const found = readHeaders(propertyOf(source, 'headers')) ?? readField(source, 'aisle_visit')
    if (found !== undefined) return found
  }
  return undefined
}

const readHeaders = (headers: unknown): string | undefined =>
  readField(headers, 'aisle-visit') ?? COOKIE.exec(String(readText(headers, 'cookie')))?.[1]

function readField(source: unknown, name: string): string | undefined {
  const text = readText(source, name)
  return typeof text === 'string' && VISIT_ID.test(text) ? text : undefined
}

/**
 * `Headers`, `FormData` and their like have `get`; Node's headers and parsed bodies are records.
 */
function readText(source: unknown, name: string): unknown {
  const get = propertyOf(source, 'get')
  return typeof get === 'function' ? get.call(source, name) : propertyOf(source, name)
}

/** The own or inherited property of any value; undefined where there is none. */
const propertyOf = (value: unknown, name: string): unknown =>
  Object(value) === value && name in Object(value) ? Object(value)[name] : undefined
