import { join } from 'node:path'
import { onceInRun } from '../../shared/testing/once-in-run.ts'
import { bundle } from '../build/bundler.ts'

const SOURCES = {
  cli: 'server/cli.ts',
  'judging-worker': 'server/audit/judging/worker.ts',
  connect: 'server/db/connect.ts',
  'digest-writer': 'server/watch/testing/digest-writer.ts',
  main: 'server/main.ts',
  'misbehaving-worker': 'server/audit/judging/testing/misbehaving-worker.ts',
  'served-store': 'server/store/testing/served-store.ts',
  'store-main': 'server/store/main.ts',
  'test-server': 'server/testing/test-server.ts',
  'test-store': 'server/store/testing/dying-store.ts',
}

/**
 * The file of a program that tests run as a process of its own, bundled like `npm run bundle`.
 * Processes that inherit the environment load what an earlier one has compiled.
 */
export async function program(name: keyof typeof SOURCES): Promise<string> {
  const folder = await onceInRun('programs', (outdir) => bundle(SOURCES, outdir))
  process.env.NODE_COMPILE_CACHE ??= join(folder, 'compiled')
  return join(folder, `${name}.js`)
}
