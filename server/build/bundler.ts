import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import type { Metafile } from 'esbuild'
import { buildSnippet } from '../../snippet/build.ts'
import { packAisleNode } from './aisle-node.ts'
import { bundleAssets } from './asset-bundler.ts'
import { collectCollectorCode } from './collector-code.ts'
import { compile, inputsOf } from './compile.ts'
import { packMedusa, packVendure } from './connector-packages.ts'
import { zipPlugin, zipShopifyApp } from './connectors.ts'
import { collectDecisions } from './decisions.ts'
import { LICENCES, licencesOf } from './licences.ts'
import { collectRecipeCode } from './recipe-code.ts'
import { mappingOnly } from './source-map.ts'

/**
 * Everything that starts in its own process or thread: its file in `dist/`, without `.js`, and its
 * source.
 */
export const PROGRAMS = {
  main: 'server/main.ts',
  'store/main': 'server/store/main.ts',
  cli: 'server/cli.ts',
  'judging-worker': 'server/audit/judging/worker.ts',
  'browser-worker': 'server/audit/browser/worker.ts',
}

/** Code that several programs share, and code that a program loads only when it needs it. */
const CHUNK = /^chunk-\w+\.js(\.map)?$/

/**
 * Bundles programs and copies the files that they read next to them. `entries` is like `PROGRAMS`.
 * Resolves to esbuild's metafile.
 */
export async function bundle(entries: Record<string, string>, outdir: string): Promise<Metafile> {
  const metafile = await bundlePrograms(entries, outdir)
  await dropOldChunks(outdir, metafile)
  // Without a package.json in this folder, Node would guess the module type.
  await writeChanged(join(outdir, 'package.json'), '{ "type": "module" }\n')

  const { code } = await buildSnippet()
  await writeChanged(join(outdir, 'attribution.js'), code)
  const assets = await bundleAssets()
  for (const [name, bytes] of assets.files) await writeChanged(join(outdir, 'assets', name), bytes)
  const inputs = [...inputsOf(metafile), ...assets.inputs]
  await writeChanged(join(outdir, LICENCES), await licencesOf(inputs))
  await writeChanged(join(outdir, 'decisions.json'), JSON.stringify(collectDecisions()))
  await writeChanged(join(outdir, 'recipes.json'), JSON.stringify(collectRecipeCode()))
  await writeChanged(join(outdir, 'collectors.json'), JSON.stringify(collectCollectorCode()))
  await writeChanged(join(outdir, 'aisle-node.tgz'), await packAisleNode())
  await writeChanged(join(outdir, 'aisle-woocommerce.zip'), await zipPlugin())
  await writeChanged(join(outdir, 'aisle-shopify.zip'), await zipShopifyApp())
  await writeChanged(join(outdir, 'aisle-medusa.tgz'), await packMedusa())
  await writeChanged(join(outdir, 'aisle-vendure.tgz'), await packVendure())
  await cp('server/db/migrations', join(outdir, 'migrations'), { recursive: true })
  // Each program looks for migrations next to its code, and the CLI's demo includes the store.
  for (const folder of [outdir, join(outdir, 'store')]) {
    const to = join(folder, 'store-migrations')
    await cp('server/store/db/store-migrations', to, { recursive: true })
  }
  return metafile
}

/** Bundles programs alone, without the files that they read. */
export async function bundlePrograms(
  entries: Record<string, string>,
  outdir: string,
): Promise<Metafile> {
  const { outputFiles, metafile } = await compile(entries, { outdir, sourcemap: true })
  const isOurs = (source: string) => /^(\.\.\/)+(shared|server|aisle-node)\//.test(source)
  for (const { path, contents, text } of outputFiles) {
    await writeChanged(path, path.endsWith('.map') ? mappingOnly(text, isOurs) : contents)
  }
  return metafile
}

const isSame = (path: string, bytes: Buffer): Promise<boolean> =>
  readFile(path).then(
    (old) => old.equals(bytes),
    () => false,
  )

/** Another program may be starting from the same folder: it must find a whole file, old or new. */
async function writeChanged(path: string, contents: Uint8Array | string): Promise<void> {
  const bytes = Buffer.from(contents)
  if (await isSame(path, bytes)) return
  await mkdir(dirname(path), { recursive: true })
  const fresh = `${path}.${process.pid}`
  await writeFile(fresh, bytes)
  await rename(fresh, path)
}

/** A changed chunk has another name, so old ones can go: servers load all of theirs at start. */
async function dropOldChunks(outdir: string, { outputs }: Metafile): Promise<void> {
  const made = new Set(Object.keys(outputs).map((path) => relative(outdir, path)))
  for (const name of await readdir(outdir)) {
    if (CHUNK.test(name) && !made.has(name)) await rm(join(outdir, name), { force: true })
  }
}
