import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import { afterAll } from 'vitest'
import { createFetcher, type Fetcher } from '../fetch/fetch.ts'
import type { FetchLimits } from '../fetch/session.ts'
import { parseTestHosts } from '../fetch/test-hosts.ts'

interface FetcherToOptions {
  limits?: Partial<FetchLimits>
  hosts?: string
  clock?: () => number
}

/** Serves an app on loopback for the test file, under every name that ends in `.example`. */
export async function fetcherTo(
  app: { fetch: Parameters<typeof serve>[0]['fetch'] },
  { limits = {}, hosts = '', clock = () => performance.now() }: FetcherToOptions = {},
): Promise<Fetcher> {
  const server = await new Promise<ReturnType<typeof serve>>((resolve) => {
    const started = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, () =>
      resolve(started),
    )
  })
  const { port } = server.address() as AddressInfo
  const fetcher = createFetcher({
    userAgent: 'Aisle (test)',
    testHosts: parseTestHosts(`${hosts}*.example=http://127.0.0.1:${port}`, 'test'),
    limits,
    clock,
  })
  afterAll(async () => {
    await fetcher.close()
    await new Promise((resolve) => server.close(resolve))
  })
  return fetcher
}
