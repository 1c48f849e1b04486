import { AsyncLocalStorage } from 'node:async_hooks'

// The pool of connections is for all domains. A request is for one, which is known once its key or
// its address was read: from then on the pool lends it no more than a share, so that a domain whose
// statements are slow, or whose node of a cluster does not answer, leaves the others some.

const requests = new AsyncLocalStorage<{ domain: string | undefined }>()

/** Handles a request: what it does counts as done for the domain that it names. */
export const handleRequest = <Result>(handle: () => Result): Result =>
  requests.run({ domain: undefined }, handle)

/** Says for which domain the rest of the request is. Nothing outside of one. */
export function actFor(domain: string): void {
  const request = requests.getStore()
  if (request) request.domain = domain
}

/** The domain of the request that is being handled, once it is known. */
export const domainActedFor = (): string | undefined => requests.getStore()?.domain

/** Work for several requests, which counts as nobody's. */
export const actForAll = <Result>(work: () => Result): Result => requests.exit(work)
