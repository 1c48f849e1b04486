import { readdir, readFile } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import * as z from 'zod'
import { buildSnippet } from '../../snippet/build.ts'
import { PROGRAMS } from './bundler.ts'
import { compile, inputsOf } from './compile.ts'
import { LICENCES, licencesOf } from './licences.ts'
import { type PackedFile, tarballOf } from './tarball.ts'

/** What the package copies from the project's manifest. The owner adds the last four there. */
const Project = z.object({
  name: z.string(),
  version: z.string(),
  description: z.string(),
  license: z.string(),
  /** The MCP registry checks this name against `server.json`. */
  mcpName: z.string(),
  engines: z.object({ node: z.string() }),
  author: z.unknown().optional(),
  homepage: z.string().optional(),
  repository: z.unknown().optional(),
  bugs: z.unknown().optional(),
  dependencies: z.record(z.string(), z.string()),
})

/** The programs of the package: the commands, what judges, and what drives a browser. */
const { cli, 'judging-worker': judging, 'browser-worker': browser } = PROGRAMS

/** Files that go next to the programs, where each looks for them, and their place here. */
const MIGRATIONS = {
  migrations: 'server/db/migrations',
  'store-migrations': 'server/store/db/store-migrations',
}

/** A package as npm takes it, and its file name. */
export interface CliPackage {
  file: string
  files: readonly PackedFile[]
  tarball: Uint8Array
}

/**
 * The commands as a package of their own that contains everything they load: no dependencies, no
 * install scripts. The project itself cannot be that package, because its dependencies bring Node
 * and Postgres (250 MB).
 */
export async function packCli(): Promise<CliPackage> {
  const { dependencies, ...project } = Project.parse(
    JSON.parse(await readFile('package.json', 'utf8')),
  )
  // The licence text for a package that only names its licence is taken from one of these.
  const around = Object.keys(dependencies).map((name) => `node_modules/${name}/`)
  const outdir = 'dist'
  // Source maps would double its size; those of the same commit explain a stack trace.
  const { outputFiles, metafile } = await compile(
    { cli, 'judging-worker': judging, 'browser-worker': browser },
    { outdir, sourcemap: false, packaged: true },
  )
  const programs = outputFiles.map(({ path, contents }) => {
    const name = relative(resolve('.'), path).replaceAll('\\', '/')
    return { name, data: contents, runs: name === 'dist/cli.js' }
  })
  const migrations = await Promise.all(
    Object.entries(MIGRATIONS).map(([name, from]) => filesBelow(from, `${outdir}/${name}`)),
  )
  const files = [
    { name: 'package.json', data: `${JSON.stringify(manifestOf(project), null, 2)}\n` },
    { name: 'README.md', data: await readFile('server/build/cli-package.md') },
    { name: LICENCES, data: await licencesOf(inputsOf(metafile), around) },
    { name: `${outdir}/aisle.schema.json`, data: await readFile('docs/aisle.schema.json') },
    { name: `${outdir}/attribution.js`, data: (await buildSnippet()).code },
    ...programs.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    ...migrations.flat(),
  ]
  return {
    file: `${project.name}-${project.version}.tgz`,
    files,
    tarball: tarballOf(files),
  }
}

const manifestOf = ({
  name,
  version,
  description,
  ...more
}: Omit<z.infer<typeof Project>, 'dependencies'>) => ({
  name,
  version,
  description,
  ...more,
  type: 'module',
  bin: { [name]: 'dist/cli.js' },
  files: ['dist', LICENCES],
  // The registry shows which workflow built it, from which commit.
  publishConfig: { access: 'public', provenance: true },
})

/** Only drizzle-kit reads these, to make the next migration. */
const SNAPSHOT = /_snapshot\.json$/

async function filesBelow(folder: string, into: string): Promise<PackedFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries
    .filter((entry) => entry.isFile() && !SNAPSHOT.test(entry.name))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
  return Promise.all(
    paths
      .toSorted()
      .map(async (path) => ({ name: `${into}/${path}`, data: await readFile(join(folder, path)) })),
  )
}
