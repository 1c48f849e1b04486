import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { build } from 'esbuild'
import { ASSET_NAMES } from '../pages/assets.ts'

const FOLDER = 'server/pages/browser'
const ICON = 'favicon.svg'

/** The pages' styles, scripts and icon by name, each in one file. */
export const buildAssets = async (): Promise<Map<string, Uint8Array>> =>
  (await bundleAssets()).files

/** The same, with the source files that each contains. */
export async function bundleAssets(): Promise<{
  files: Map<string, Uint8Array>
  inputs: string[]
}> {
  const { outputFiles, metafile } = await build({
    entryPoints: ASSET_NAMES.filter((name) => name !== ICON).map(sourceOf),
    outdir: 'assets',
    write: false,
    bundle: true,
    minify: true,
    metafile: true,
    // Every browser of the last three years supports these.
    target: ['es2022', 'chrome112', 'firefox113', 'safari16.4'],
    format: 'iife',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    logLevel: 'warning',
  })
  const built = new Map<string, Uint8Array>(
    outputFiles.map(({ path, contents }) => [basename(path), contents]),
  )
  built.set(ICON, await readFile(`${FOLDER}/${ICON}`))
  return { files: built, inputs: Object.keys(metafile.inputs) }
}

/** The source of a script is a .ts file, or a .tsx file if it renders components. */
function sourceOf(name: string): string {
  const script = `${FOLDER}/${name.replace(/\.js$/, '.ts')}`
  return existsSync(script) ? script : `${script}x`
}
