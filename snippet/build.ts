import { build } from 'esbuild'
import { pack } from './pack.ts'

const ENTRY = 'snippet/attribution.ts'

/** attribution.js: one self-contained classic script, for browsers from 2019 on. */
export async function buildSnippet(): Promise<{ code: string }> {
  const { weights, ...rest } = pack()
  const values = [
    ...Object.entries(rest),
    ...Object.entries(weights).map(([kind, weight]): [string, number] => [`weights.${kind}`, weight]),
  ].map(([name, value]) => [`PACKED.${name}`, JSON.stringify(value)])
  const { outputFiles } = await build({
    entryPoints: [ENTRY],
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    target: 'es2020',
    tsconfigRaw: {},
    define: Object.fromEntries(values),
    logLevel: 'warning',
  })
  return { code: outputFiles.map(({ text }) => text).join('') }
}
