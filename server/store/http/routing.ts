import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import type { Shopping } from '../shop/inventory.ts'
import type { Reply } from './reply.ts'
import type { Visit } from './store-request.ts'

export type Env = { Bindings: HttpBindings }

/** Makes a route from the handler of a visit, or of a visit with the current stock. */
export interface Routing {
  answer(
    handle: (visit: Visit, c: Context<Env>) => Reply | Promise<Reply>,
  ): (c: Context<Env>) => Promise<Response>
  show(
    handle: (visit: Shopping, c: Context<Env>) => Reply | Promise<Reply>,
  ): (c: Context<Env>) => Promise<Response>
}

/**
 * The body as JSON; undefined when it is not JSON, which every endpoint rejects with its own error.
 * Text that Postgres cannot store becomes null, which no field accepts: it is rejected, not
 * changed.
 */
export async function readJson(c: Context<Env>): Promise<unknown> {
  try {
    return JSON.parse(await c.req.text(), (_, value) =>
      typeof value === 'string' && storable(value) !== value ? null : value,
    )
  } catch {
    return undefined
  }
}

/**
 * An id as the database can be asked for it. Postgres keeps neither NUL nor half a surrogate pair:
 * both become U+FFFD, which is in no id, and so nothing is found.
 */
export const storable = (text: string): string => text.toWellFormed().replaceAll('\u0000', '\ufffd')
