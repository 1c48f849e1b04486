import { AsyncLocalStorage } from 'node:async_hooks'
import type { Sql } from 'postgres'

// All domains share the pool of connections. The domain of a request is known once its key or its
// address was read. From then on the pool lends it only a share, so that a domain with slow
// statements, or with a node that does not answer, leaves connections to the others.

const requests = new AsyncLocalStorage<{ domain: string | undefined }>()

/** Handles a request: its statements count for the domain that it sets. */
export const handleRequest = <Result>(handle: () => Result): Result =>
  requests.run({ domain: undefined }, handle)

/** Sets the domain of the current request. Outside a request it does nothing. */
export function setRequestDomain(domain: string): void {
  const request = requests.getStore()
  if (request) request.domain = domain
}

/** What limits the connections of the current request; nothing before its domain is known. */
export const requestShares =
  (sharesOf: (pool: Sql, domain: string) => string[]) =>
  (pool: Sql): string[] => {
    const domain = requests.getStore()?.domain
    return domain === undefined ? [] : sharesOf(pool, domain)
  }

/** Runs work for several requests, which counts for no domain. */
export const outsideRequest = <Result>(work: () => Result): Result => requests.exit(work)
