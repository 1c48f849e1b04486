import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'esbuild'
import { onceInRun } from '../../shared/testing/once-in-run.ts'
import { bundle } from '../build/bundler.ts'

const SOURCES = {
  connect: 'server/db/connect.ts',
  'served-store': 'server/store/testing/served-store.ts',
  'store-main': 'server/store/main.ts',
  'test-server': 'server/testing/test-server.ts',
  'test-store': 'server/store/testing/dying-store.ts',
}

/**
 * The file of a program that tests run as a process of its own. What `npm run bundle` makes is
 * packed once more, with the packages in it: it starts five times as fast.
 */
export async function program(name: keyof typeof SOURCES): Promise<string> {
  const folder = await onceInRun('programs', async (outdir) => {
    await bundle(SOURCES, outdir)
    const bundles = (await readdir(outdir)).filter((file) => file.endsWith('.js'))
    await build({
      entryPoints: bundles
        .map((file) => join(outdir, file))
        .filter((file) => !/attribution/.test(file)),
      outdir,
      allowOverwrite: true,
      bundle: true,
      platform: 'node',
      format: 'esm',
      target: 'node22',
      // Packages in CommonJS ask for Node's modules by `require`, which a module does not have.
      banner: {
        js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
      },
      logLevel: 'warning',
    })
  })
  return join(folder, `${name}.js`)
}
