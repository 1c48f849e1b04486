import { build } from 'esbuild'
import { minify } from 'vite'
import { SURFACES } from '../shared/attribution/surfaces.ts'
import { pack } from './pack.ts'

const ENTRY = 'snippet/attribution.ts'
const TARGET = 'es2022'

/** attribution.js: one self-contained classic script, for browsers of 2022 and later. */
export async function buildSnippet(surfaces = SURFACES): Promise<{ code: string }> {
  const { outputFiles } = await build({
    entryPoints: [ENTRY],
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    target: TARGET,
    // The project's tsconfig would make it strict, where assigning to a frozen object of the page
    // throws.
    tsconfigRaw: {},
    define: definitionsOf('PACKED', pack(surfaces)),
    logLevel: 'warning',
  })
  // Its names compress better: the 2 % saved are two more assistants.
  const { code } = await minify('attribution.js', outputFiles.map(({ text }) => text).join(''), {
    compress: { target: TARGET },
  })
  return { code }
}

/** `{ a: { b: 1 } }` as `{ 'NAME.a.b': '1' }`, to inline the values. */
function definitionsOf(name: string, value: object): Record<string, string> {
  return Object.assign(
    {},
    ...Object.entries(value).map(([key, part]) =>
      typeof part === 'object'
        ? definitionsOf(`${name}.${key}`, part)
        : { [`${name}.${key}`]: JSON.stringify(part) },
    ),
  )
}
