import { readFile } from 'node:fs/promises'
import { build } from 'esbuild'
import { tarballOf } from './tarball.ts'

const FOLDER = 'aisle-node'

/** What its `index.d.ts` declares, and where each is made. */
const MADE_IN = {
  createAisle: 'aisle',
  createCollector: 'collector',
  inSmallestUnit: 'money',
  visitIdOf: 'visit',
}

/** Files that are packed unchanged. */
const FILES = ['package.json', 'index.d.ts', 'README.md']

/** `aisle-node` as npm installs it from a file: `npm install ./aisle-node.tgz`. */
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
    FILES.map(async (name) => ({ name, data: await readFile(`${FOLDER}/${name}`) })),
  )
  return tarballOf([...code, ...others])
}
