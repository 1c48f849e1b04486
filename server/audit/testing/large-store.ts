import { onLoopback } from '../../testing/on-loopback.ts'
import { largeCatalogs } from './large-catalog.ts'

// A program: stores whose names say how many products they have, such as spec-1000.example.
const { app } = largeCatalogs(
  Object.fromEntries(
    [100, 1_000, 10_000, 100_000].flatMap((products) =>
      (['spec', 'ucp'] as const).map((dialect) => [
        `${dialect}-${products}.example`,
        { dialect, products },
      ]),
    ),
  ),
)
const { port } = await onLoopback(app)
process.stdout.write(`${port}\n`)
