import { chmodSync, existsSync } from 'node:fs'
import { bundle } from './bundler.ts'

await bundle(['server/main.ts', 'server/store/main.ts', 'server/cli.ts'], 'dist')
if (existsSync('dist/cli.js')) chmodSync('dist/cli.js', 0o755)
