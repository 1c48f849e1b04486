import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build, type Plugin } from 'esbuild'
import { buildSnippet } from '../../snippet/build.ts'
import { buildAssets } from './asset-bundler.ts'

/** UMD, of which Node sees no named export: this one package goes into the bundle. */
const INSIDE = 'cache-control-parser'

const inside: Plugin = {
  name: 'inside',
  setup: ({ onResolve }) => {
    const path = fileURLToPath(import.meta.resolve(INSIDE))
    onResolve({ filter: new RegExp(`^${INSIDE}$`) }, () => ({ path }))
  },
}

/**
 * Node strips types but knows no JSX, so what runs is a bundle. Packages stay outside of it.
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
  cpSync('server/db/migrations', `${outdir}/migrations`, { recursive: true })
  // Each bundle looks for them beside itself, and the demo's holds the store as well.
  for (const beside of [outdir, `${outdir}/store`]) {
    cpSync('server/store/db/store-migrations', `${beside}/store-migrations`, { recursive: true })
  }
}
