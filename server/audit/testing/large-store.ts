import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import { largeCatalogs } from './large-catalog.ts'

// A program: stores whose names say how many products they have, such as spec-1000.example.
const { app } = largeCatalogs(
  Object.fromEntries(
    [1_000, 100_000].flatMap((products) =>
      (['spec', 'ucp'] as const).map((dialect) => [
        `${dialect}-${products}.example`,
        { dialect, products },
      ]),
    ),
  ),
)
const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`)
})
