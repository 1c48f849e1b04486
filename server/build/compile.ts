import { existsSync } from 'node:fs'
import { build, type Metafile, type OutputFile } from 'esbuild'
import { OUTSIDE, trimmed } from './packages.ts'

interface Compiling {
  /** Where the output belongs. Nothing is written. */
  outdir: string
  sourcemap: boolean
  /** The version of the package that the programs become; left out: they run in the project. */
  packaged?: string
}

/**
 * Bundles programs with their packages, since Node strips types but does not compile JSX, and a
 * package that Node loads from its many files costs several times the memory. `entries` has the source
 * of each program, by the name of its file without `.js`.
 */
export const compile = (
  entries: Record<string, string>,
  { outdir, sourcemap, packaged }: Compiling,
): Promise<{ outputFiles: OutputFile[]; metafile: Metafile }> =>
  build({
    entryPoints: Object.fromEntries(Object.entries(entries).filter(([, file]) => existsSync(file))),
    outdir,
    write: false,
    bundle: true,
    // Chunks lie beside the programs: what belongs to a program is looked up beside its code.
    splitting: true,
    chunkNames: 'chunk-[hash]',
    external: Object.keys(OUTSIDE),
    plugins: [trimmed],
    define: {
      // As Node builds undici for itself: without a second parser of HTTP, which is an experiment.
      esbuildDetection: 'true',
      ...(packaged !== undefined && { PACKAGED_VERSION: JSON.stringify(packaged) }),
    },
    platform: 'node',
    format: 'esm',
    target: 'node22',
    // Node keeps two bytes for each character of a program. Names stay, and lines stay short enough
    // to find a position in.
    minifyWhitespace: true,
    lineLimit: 160,
    // The texts of the licences are in a file of their own.
    legalComments: 'none',
    sourcemap,
    sourcesContent: false,
    metafile: true,
    jsx: 'automatic',
    jsxImportSource: 'preact',
    // Packages in CommonJS ask for Node's modules by `require`, which a module does not have.
    banner: {
      js: "import{createRequire as requireFrom}from'node:module';const require=requireFrom(import.meta.url);",
    },
    logLevel: 'warning',
  })

/** The outputs that some of them load, sooner or later, themselves included. */
export function reachedFrom(entries: readonly string[], { outputs }: Metafile): string[] {
  const found = new Set(entries)
  for (const path of found) {
    for (const { path: next } of outputs[path]?.imports ?? []) if (next in outputs) found.add(next)
  }
  return [...found]
}

/** The files that outputs contain code of; of all outputs unless some are named. */
export const inputsOf = (
  { outputs }: Metafile,
  paths: readonly string[] = Object.keys(outputs),
): string[] => paths.flatMap((path) => Object.keys(outputs[path]?.inputs ?? {}))
