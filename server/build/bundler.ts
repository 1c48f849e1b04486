import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build, type Plugin } from 'esbuild'
import { buildSnippet } from '../../snippet/build.ts'
import { buildAssets } from './asset-bundler.ts'
import { collectDecisions } from './decisions.ts'

/** Node cannot see the named exports of this UMD package, so the bundle includes it. */
const INSIDE = 'cache-control-parser'

const inside: Plugin = {
  name: 'inside',
  setup: ({ onResolve }) => {
    const path = fileURLToPath(import.meta.resolve(INSIDE))
    onResolve({ filter: new RegExp(`^${INSIDE}$`) }, () => ({ path }))
  },
}

/**
 * Node strips types but does not compile JSX, so a bundle runs. It does not include packages.
 * `entries`: the name of each bundle below `outdir`, without `.js`, and the source it starts from.
 */
export async function bundle(entries: Record<string, string>, outdir: string): Promise<void> {
  await build({
    entryPoints: Object.fromEntries(Object.entries(entries).filter(([, file]) => existsSync(file))),
    outdir,
    bundle: true,
    packages: 'external',
    plugins: [inside],
    platform: 'node',
    format: 'esm',
    target: 'node22',
    sourcemap: true,
    jsx: 'automatic',
    jsxImportSource: 'preact',
    logLevel: 'warning',
  })
  const { code } = await buildSnippet()
  writeFileSync(`${outdir}/attribution.js`, code)
  mkdirSync(`${outdir}/assets`, { recursive: true })
  for (const [name, bytes] of await buildAssets()) writeFileSync(`${outdir}/assets/${name}`, bytes)
  writeFileSync(`${outdir}/decisions.json`, JSON.stringify(collectDecisions()))
  cpSync('server/db/migrations', `${outdir}/migrations`, { recursive: true })
  // Each bundle looks for migrations next to itself, and the CLI's demo includes the store.
  for (const beside of [outdir, `${outdir}/store`]) {
    cpSync('server/store/db/store-migrations', `${beside}/store-migrations`, { recursive: true })
  }
}
