import { readFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { createTar } from 'nanotar'

const FOLDER = 'aisle-node'

/** What its `index.d.ts` declares, and where each is made. */
const MADE_IN = { createAisle: 'aisle', inSmallestUnit: 'money', visitIdOf: 'visit' }

/** What the package has beside its code, as it stands in the folder. */
const FILES = ['package.json', 'index.d.ts', 'README.md']

/**
 * `aisle-node` as npm installs it from a file: `npm install ./aisle-node.tgz`. The same sources make the
 * same bytes, so that a shop's lockfile changes only with the package.
 */
export async function packAisleNode(): Promise<Uint8Array> {
  const contents = Object.entries(MADE_IN)
    .map(([name, file]) => `export { ${name} } from './${file}.ts'`)
    .join('\n')
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: FOLDER, sourcefile: 'index.ts' },
    write: false,
    bundle: true,
    platform: 'neutral',
    format: 'esm',
    target: 'node20',
    logLevel: 'warning',
  })
  const code = outputFiles.map(({ contents }) => ({ name: 'index.js', data: contents }))
  const others = await Promise.all(
    FILES.map(async (name) => ({
      name,
      data: new Uint8Array(await readFile(`${FOLDER}/${name}`)),
    })),
  )
  // As `npm pack` does it, with a time that is the same for all.
  const attrs = { mode: '644', uid: 0, gid: 0, mtime: Date.UTC(1985, 9, 26, 8, 15) }
  return gzipSync(
    createTar(
      [...code, ...others].map(({ name, data }) => ({ name: `package/${name}`, data, attrs })),
    ),
  )
}
