import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { compareFigures } from './compare-figures.ts'

// `npm run bench -- [--against <rev>] [--rounds <n>] [file …]`: the benchmarks whose path has one
// of these words; without words, all. With `--against` another revision is built in a folder of
// its own, and each benchmark runs in both in turn, so that both meet the same machine.

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { against: { type: 'string' }, rounds: { type: 'string', default: '1' } },
})

const CONFIG = ['--config', 'vitest.bench.config.ts']

const git = (...args: string[]): string =>
  execFileSync('git', args, { encoding: 'utf8', maxBuffer: 2 ** 28 }).trim()

/** A program of node_modules in a folder. Resolves to its exit code and what it printed. */
async function run(folder: string, args: string[], isShown: boolean) {
  const child = spawn(process.execPath, args, {
    cwd: folder,
    stdio: ['ignore', isShown ? 'inherit' : 'pipe', 'inherit'],
  })
  const ended = new Promise<number>((done) => child.once('close', (code) => done(code ?? 1)))
  const printed = child.stdout === null ? '' : await text(child.stdout)
  return { code: await ended, printed }
}

/** Builds a revision in a folder of its own, with the packages of this one. */
async function build(revision: string): Promise<string> {
  const folder = resolve(`dist/against-${revision}`)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const packed = execFileSync('git', ['archive', revision], { maxBuffer: 2 ** 30 })
  execFileSync('tar', ['-x', '-C', folder], { input: packed })
  symlinkSync(resolve('node_modules'), resolve(folder, 'node_modules'))
  const { code } = await run(folder, ['server/build/bundle.ts'], true)
  if (code !== 0) throw new Error(`${revision} cannot be bundled.`)
  return folder
}

async function race(against: string): Promise<void> {
  const revision = git('rev-parse', '--short', `${against}^{commit}`)
  const files = git('ls-files', '*.bench.ts')
    .split('\n')
    .filter((file) => positionals.length === 0 || positionals.some((word) => file.includes(word)))
  const folder = await build(revision)
  try {
    for (const file of files) {
      const found = { here: [] as string[], there: [] as string[] }
      for (let round = 0; round < Number(values.rounds); round += 1) {
        for (const [name, place] of [
          ['there', folder],
          ['here', '.'],
        ] as const) {
          // Only what benchmarks print is wanted: the reporter's own words go into a file.
          const report = ['--reporter=json', `--outputFile=${resolve('dist/bench.json')}`]
          const args = ['node_modules/vitest/vitest.mjs', 'run', ...CONFIG, ...report, file]
          const { code, printed } = await run(place, args, false)
          found[name].push(printed)
          if (code !== 0) process.stdout.write(`${file} fails ${name}.\n`)
        }
      }
      process.stdout.write(`\n${file}, ${revision} and here\n`)
      process.stdout.write(compareFigures(found.there, found.here))
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

if (values.against !== undefined) await race(values.against)
else {
  const args = ['node_modules/vitest/vitest.mjs', 'run', ...CONFIG, ...positionals]
  process.exitCode = (await run('.', args, true)).code
}
