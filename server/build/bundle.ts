import { chmodSync, existsSync } from 'node:fs'
import { bundle, PROGRAMS } from './bundler.ts'

await bundle(PROGRAMS, 'dist')
if (existsSync('dist/cli.js')) chmodSync('dist/cli.js', 0o755)
