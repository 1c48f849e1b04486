import { execFileSync } from 'node:child_process'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import { SWAGGER_ASSETS } from '../pages/assets.ts'
import { RELEASE_FILE, type Release } from './release.ts'

// `npm run release:keep`: what was just built becomes the release that later ones are tested
// against, and its migrations are final.

/** Of others, large, and of no interest to a database: the service asks that they are there. */
const EMPTIED = new Set<string>(SWAGGER_ASSETS)

/** What programs do without. */
const LEFT_OUT =
  /\.(map|br|gz)$|^THIRD-PARTY|_snapshot\.json$|^store\/store-migrations\/meta\/.*snapshot/

const [dist = 'dist', ref = 'HEAD'] = process.argv.slice(2)
const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).trim()

const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string }
const files: Release['files'] = {}
for (const entry of await readdir(dist, { recursive: true, withFileTypes: true })) {
  const path = join(entry.parentPath, entry.name)
    .slice(dist.length + 1)
    .replaceAll('\\', '/')
  if (!entry.isFile() || LEFT_OUT.test(path) || path.startsWith('test-')) continue
  files[path] = EMPTIED.has(entry.name) ? '' : await readFile(join(dist, path), 'utf8')
}
const release: Release = { version, commit: git('rev-parse', '--short', ref), files }
const text = JSON.stringify(release)
const params = {
  [constants.BROTLI_PARAM_LGWIN]: 24,
  [constants.BROTLI_PARAM_SIZE_HINT]: text.length,
}
await writeFile(RELEASE_FILE, await promisify(brotliCompress)(text, { params }))
