import { existsSync } from 'node:fs'
import { build, type Metafile, type OutputFile } from 'esbuild'
import { OUTSIDE, ofCheckouts, trimmed } from './packages.ts'

interface Compiling {
  /** Where the output belongs. Nothing is written. */
  outdir: string
  sourcemap: boolean
  /** They become a package of their own; left out: they run in the project. */
  packaged?: true
}

interface Compiled {
  outputFiles: OutputFile[]
  metafile: Metafile
}

/**
 * Programs of threads. A thread compiles all that it loads anew, so what it shares with others
 * saves it nothing: in one file, it loads no more of a package than it uses.
 */
const ALONE = new Set(['judging-worker'])

/**
 * Bundles programs with their packages, since Node strips types but does not compile JSX, and a
 * package that Node loads from its many files costs several times the memory. `entries` has the
 * source of each program, by the name of its file without `.js`.
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
 * Packages in CommonJS ask for Node's modules by `require`, which a module does not have. esbuild
 * puts it into every file.
 */
const BANNER =
  "import{createRequire as requireFrom}from'node:module';const require=requireFrom(import.meta.url);"

/** Making a `require` takes as long as most files. Its line stays: source maps count it. */
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
    // Chunks lie beside the programs: what belongs to a program is looked up beside its code.
    splitting: true,
    chunkNames: 'chunk-[hash]',
    external: Object.keys(OUTSIDE),
    plugins: [trimmed, ...(packaged ? [ofCheckouts] : [])],
    define: {
      // As Node builds undici for itself: without a second parser of HTTP, which is an experiment.
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
    // The texts of the licences are in a file of their own.
    legalComments: 'none',
    sourcemap,
    sourcesContent: false,
    metafile: true,
    jsx: 'automatic',
    jsxImportSource: 'preact',
    banner: { js: BANNER },
    logLevel: 'warning',
  })

/** The files that the outputs contain code of. */
export const inputsOf = ({ outputs }: Metafile): string[] =>
  Object.values(outputs).flatMap(({ inputs }) => Object.keys(inputs))
