import { existsSync } from 'node:fs'
import { build, type Metafile, type OutputFile } from 'esbuild'
import { OUTSIDE, ofCheckouts, trimmed } from './packages.ts'

interface Compiling {
  /** The folder that the output is for. Nothing is written. */
  outdir: string
  sourcemap: boolean
  /** For a package of its own. Left out: for the project. */
  packaged?: true
}

interface Compiled {
  outputFiles: OutputFile[]
  metafile: Metafile
}

/**
 * Programs of threads, each in one file: a thread compiles everything it loads, so shared chunks
 * would only add code that it does not use.
 */
const ALONE = new Set(['judging-worker', 'browser-worker'])

/**
 * Bundles programs with their packages: Node does not compile JSX, and loading a package from its
 * many files costs several times the memory. `entries` maps each program's file name, without
 * `.js`, to its source.
 */
export async function compile(
  entries: Record<string, string>,
  options: Compiling,
): Promise<Compiled> {
  const programs = Object.entries(entries).filter(([, file]) => existsSync(file))
  const together = programs.filter(([name]) => !ALONE.has(name))
  const groups = [together, ...programs.filter(([name]) => ALONE.has(name)).map((each) => [each])]
  const made = await Promise.all(
    groups
      .filter((group) => group.length > 0)
      .map((group) => compileGroup(Object.fromEntries(group), options)),
  )
  const metafiles = made.map(({ metafile }) => metafile)
  return {
    outputFiles: made.flatMap(({ outputFiles }) => outputFiles),
    metafile: {
      inputs: Object.assign({}, ...metafiles.map(({ inputs }) => inputs)),
      outputs: Object.assign({}, ...metafiles.map(({ outputs }) => outputs)),
    },
  }
}

const compileGroup = async (
  entryPoints: Record<string, string>,
  options: Compiling,
): Promise<Compiled> => {
  const { outputFiles, metafile } = await buildGroup(entryPoints, options)
  return { outputFiles: outputFiles.map(withoutBanner), metafile }
}

/**
 * CommonJS packages call `require`, which an ES module does not have. esbuild adds this to every
 * file.
 */
const BANNER =
  "import{createRequire as requireFrom}from'node:module';const require=requireFrom(import.meta.url);"

/**
 * Creating `require` takes as long as loading most files, so it is removed where unused. Its line
 * stays, because source maps count lines.
 */
function withoutBanner(file: OutputFile): OutputFile {
  if (!file.path.endsWith('.js')) return file
  const rest = file.text.replace(BANNER, '')
  if (/\brequire\b/.test(rest)) return file
  return { ...file, contents: Buffer.from(rest), text: rest }
}

const buildGroup = (
  entryPoints: Record<string, string>,
  { outdir, sourcemap, packaged }: Compiling,
): Promise<Compiled> =>
  build({
    entryPoints,
    outdir,
    write: false,
    bundle: true,
    // Chunks lie next to the programs, because programs look up their files relative to their code.
    splitting: true,
    chunkNames: 'chunk-[hash]',
    external: Object.keys(OUTSIDE),
    plugins: [trimmed, ...(packaged ? [ofCheckouts] : [])],
    define: {
      // As in Node's own build of undici: without the experimental second HTTP parser.
      esbuildDetection: 'true',
      ...(packaged && { PACKAGED: 'true' }),
    },
    platform: 'node',
    format: 'esm',
    target: 'node22',
    // Node keeps two bytes for each character of a program. Names stay, and lines stay short enough
    // to find a position in.
    minifyWhitespace: true,
    lineLimit: 160,
    // The licence texts are in their own file.
    legalComments: 'none',
    sourcemap,
    sourcesContent: false,
    metafile: true,
    jsx: 'automatic',
    jsxImportSource: 'preact',
    banner: { js: BANNER },
    logLevel: 'warning',
  })

/** The source files that the outputs contain code of. */
export const inputsOf = ({ outputs }: Metafile): string[] =>
  Object.values(outputs).flatMap(({ inputs }) => Object.keys(inputs))
