import type { Context, MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { ApiError } from './api-error.ts'
import { malformedJson, notJsonType } from './errors.ts'

const KIB = 1024

/**
 * Rejects bodies that are larger than this many KiB with 413, and those that are compressed with
 * 415. A declared length is trusted; a body without one is counted while it is read.
 */
export function limitBodyTo(kib: number): MiddlewareHandler {
  const refuse = (): never => {
    const size = kib < KIB ? `${kib} KiB` : `${kib / KIB} MiB`
    throw new ApiError(413, 'body_too_large', `The body is over ${size}. Send a smaller one.`)
  }
  /** Compressed, a small body would become a large one. */
  const refuseCoded = (c: Context): void => {
    const coding = c.req.header('Content-Encoding')?.trim().toLowerCase() ?? 'identity'
    if (coding === 'identity' || coding === '') return
    throw new ApiError(415, 'unsupported_media_type', 'Send the body without Content-Encoding.')
  }
  const count = bodyLimit({ maxSize: kib * KIB, onError: refuse })
  return (c, next) => {
    refuseCoded(c)
    const declared = c.req.header('Content-Length')
    // Node ends a body at its declared length (RFC 9112, 6.2); counting costs a second Request.
    if (declared === undefined || c.req.header('Transfer-Encoding') !== undefined) {
      return count(c, next)
    }
    if (Number(declared) > kib * KIB) refuse()
    return next()
  }
}

/** Unspecified: the largest request body, 256 KiB. A manifest with every option is below 2 KiB. */
export const limitBody = limitBodyTo(256)

/**
 * The same for a route with a `jsonBody`, whose validator takes a request without a type and a body
 * for `{}`.
 */
export const limitJsonBody: MiddlewareHandler = (c, next) => {
  if (!c.req.header('Content-Type')) throw notJsonType()
  return limitBody(c, next)
}

/**
 * Limits the total bytes of the bodies that are being read for one owner, so that an owner whose
 * bodies never end does not block the others. `refuse` throws; a body without a declared length
 * counts as `largest`. All sizes in bytes.
 */
export function shareMemory(most: number, largest: number, refuse: () => never) {
  const held = new Map<string, number>()
  return async <Body>(c: Context, owner: string, read: () => Promise<Body>): Promise<Body> => {
    const bytes = Number(c.req.header('Content-Length') ?? largest)
    const before = held.get(owner) ?? 0
    if (before + bytes > most) refuse()
    held.set(owner, before + bytes)
    try {
      return await read()
    } finally {
      const left = (held.get(owner) ?? 0) - bytes
      if (left > 0) held.set(owner, left)
      else held.delete(owner)
    }
  }
}

/** The value of a body that is read as text. Throws 400 when it is not JSON. */
export function parseJsonBody(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw malformedJson()
  }
}
