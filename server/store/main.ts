import { type Printable, printable, printableError } from '../../shared/web/printable.ts'
import { STDERR, STDOUT } from '../output.ts'
import { readStoreConfig } from './config.ts'
import { type ServedStore, serveStore } from './serve.ts'

try {
  const config = readStoreConfig(process.env)
  const store = await serveStore(config, (error, requestId) => {
    const of = requestId === undefined ? '' : `request ${requestId}: `
    STDERR.line(printable`${of}${describe(error)}`)
  })
  STDOUT.line(printable`The reference store is on http://${config.host}:${store.port}`)
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => leave(store))
  // A supervisor starts it again.
  end(printable`${await store.failed}`)
} catch (error) {
  end(printableError(error))
}

function end(why: Printable): never {
  STDERR.line(why)
  process.exit(1)
}

async function leave(store: ServedStore): Promise<void> {
  await store.stop()
  process.exit(0)
}

/**
 * The message of a failed query contains its parameters, which may be personal data of a buyer:
 * only its cause is printed.
 */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return 'Something failed.'
  const { cause } = error
  return cause instanceof Error
    ? `${cause.name}: ${cause.message}`
    : `${error.name}: ${error.message}`
}
