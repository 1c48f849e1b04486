import type { Context } from 'hono'
import { tenantOf } from '../db/access/keys.ts'
import { clientAddress, networkOf, type TrustedProxies } from './client-address.ts'
import type { ServerEnv } from './env.ts'

/**
 * Who makes us work: the holder of a key, a stranger from a network (see `networkOf`), or the watch
 * of a domain.
 */
export type Caller = { key: string } | { stranger: string } | { watch: string }

/** Who asks, and a signal that aborts when they leave, so that nothing is done for no one. */
export interface Call {
  caller: Caller
  signal: AbortSignal
}

/** The call of a request whose key is known: behind `requireKey` or `requireWebSession`. */
export const callByKey = (c: Context<ServerEnv>): Call => ({
  caller: { key: tenantOf(c.var.key) },
  signal: c.req.raw.signal,
})

/** The call of a request that anyone may send. */
export const callByStranger = (c: Context<ServerEnv>, trusted: TrustedProxies): Call => ({
  caller: { stranger: networkOf(clientAddress(c, trusted)) },
  signal: c.req.raw.signal,
})
