import { cp, mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { packedNames } from '../pages/extension/packed.ts'

// Puts what `wxt zip` packed next to the bundle, where the service looks for it.

const PACKED = 'extension/.output'
const BESIDE = 'dist/extension'

const { version } = JSON.parse(await readFile('package.json', 'utf8'))
await rm(BESIDE, { recursive: true, force: true })
await mkdir(BESIDE, { recursive: true })
for (const name of packedNames(version)) await cp(join(PACKED, name), join(BESIDE, name))
