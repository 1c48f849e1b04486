import { afterAll } from 'vitest'
import type { Signer } from '../../../signatures/signer.ts'
import { type LoopbackAnswer, onLoopback } from '../../../testing/on-loopback.ts'
import { createFetcher, type Fetcher } from '../fetch/fetch.ts'
import type { FetchLimits } from '../fetch/session.ts'
import { parseTestHosts } from '../fetch/test-hosts.ts'

interface FetcherToOptions {
  limits?: Partial<FetchLimits>
  hosts?: string
  clock?: () => number
  signer?: Signer
}

/** Serves an app on loopback for the test file, under every name that ends in `.example`. */
export async function fetcherTo(
  app: LoopbackAnswer,
  { limits = {}, hosts = '', clock = () => performance.now(), signer }: FetcherToOptions = {},
): Promise<Fetcher> {
  const server = await onLoopback(app)
  const fetcher = createFetcher({
    userAgent: 'Aisle (test)',
    ...(signer && { signer, agentBase: signer.origin }),
    testHosts: parseTestHosts(`${hosts}*.example=${server.origin}`, 'test'),
    limits,
    clock,
  })
  afterAll(async () => {
    await fetcher.close()
    await server.close()
  })
  return fetcher
}
