import { chmodSync, existsSync, utimesSync, writeFileSync } from 'node:fs'
import { bundle, PROGRAMS } from './bundler.ts'
import { isNewer } from './is-newer.ts'

/** Has the time at which the last bundle was begun: what is newer may not be in it. */
const STAMP = 'dist/bundled'
const SOURCES = ['aisle-node', 'server', 'shared', 'snippet', 'package.json', 'tsconfig.json']

// Bundling again takes seconds, also where nothing has changed since `npm ci`.
const isCurrent = isNewer(STAMP, [...SOURCES, 'node_modules/.package-lock.json'])
if (!(process.argv.includes('--if-changed') && isCurrent)) {
  const begun = new Date()
  const corpus = process.argv.includes('--with-corpus') && {
    corpus: 'server/testing/corpus/main.ts',
  }
  await bundle({ ...PROGRAMS, ...corpus }, 'dist')
  if (existsSync('dist/cli.js')) chmodSync('dist/cli.js', 0o755)
  writeFileSync(STAMP, '')
  utimesSync(STAMP, begun, begun)
}
