import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { build, transform } from 'esbuild'
import { expect, test } from 'vitest'
import { AI_AGENTS } from '../../shared/audit/checks/well-known/ai-agents.ts'
import { ENGINE_VERSION } from '../../shared/audit/result/result.ts'
import { GAP_IDS, gapWords } from '../../shared/audit/words.ts'
import fingerprints from './engine-fingerprints.json' with { type: 'json' }

/**
 * What gathers the evidence, reads and judges it and scores it: all that these import. The worker
 * is a program of its own, which the engine starts and does not import.
 */
const ENTRIES = [
  'server/audit/engine.ts',
  'server/audit/judging/worker.ts',
  'shared/audit/result/result.ts',
]

/**
 * Of the tables of surfaces and agents audits read what `AI_AGENTS` takes of them: a row without
 * these moves no verdict. Each table, and the one file that reads it.
 */
const SURFACES = 'shared/attribution/surfaces.ts'
const AGENTS = 'shared/attribution/agents.ts'
const READERS = { [SURFACES]: AGENTS, [AGENTS]: 'shared/audit/checks/well-known/ai-agents.ts' }

/** Of a rule's words results have these; the rest is on pages. */
const WORDS_IN_RESULTS = GAP_IDS.toSorted().map((id) => {
  const { passed, severity, label, fix } = gapWords(id)
  return [id, passed, severity, label, fix]
})
const isWords = (file: string) => /^shared\/audit\/checks\/.*words\.ts$/.test(file)

/** Code without types, comments, layout, and without the names of the files it imports. */
async function codeOf(file: string): Promise<string> {
  if (file === AGENTS) return JSON.stringify(AI_AGENTS)
  if (file === SURFACES || isWords(file)) return ''
  const { code } = await transform(readFileSync(file, 'utf8'), {
    loader: file.endsWith('x') ? 'tsx' : 'ts',
    // Names stay as they are: a new one, a type's included, would change all others.
    minifyWhitespace: true,
    minifySyntax: true,
    tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
  })
  return code.replaceAll(/\b(import|export)\b[^;'"]*?\bfrom"[^"]*"|\bimport"[^"]*"/g, '')
}

/**
 * Changes with every change that could move a verdict or a score, in our code or in a package that
 * it imports. Moving a file, or changing a type or a comment, does not change it.
 */
async function fingerprint(): Promise<string> {
  const { metafile } = await build({
    entryPoints: ENTRIES,
    bundle: true,
    write: false,
    outdir: 'out',
    metafile: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
  })
  const inputs = Object.entries(metafile.inputs)
  for (const [table, reader] of Object.entries(READERS)) {
    const readers = inputs.filter(([, { imports }]) => imports.some(({ path }) => path === table))
    expect(readers.map(([file]) => file)).toEqual([reader])
  }
  const codes = await Promise.all(inputs.map(([file]) => codeOf(file)))
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
  const imported = inputs.flatMap(([, { imports }]) => imports.filter(({ external }) => external))
  const versions = imported.flatMap(({ path }) => {
    const name = path.split('/', path.startsWith('@') ? 2 : 1).join('/')
    const version = packages[`node_modules/${name}`]?.version
    return version === undefined ? [] : [`${name} ${version}`]
  })
  const parts = [
    JSON.stringify(WORDS_IN_RESULTS),
    ...codes.toSorted(),
    ...[...new Set(versions)].toSorted(),
  ]
  return hash('sha256', parts.join('\n')).slice(0, 16)
}

test('a change that can move a verdict or a score raises ENGINE_VERSION', async () => {
  const known: Record<string, string> = fingerprints
  const current = await fingerprint()
  expect(
    known[ENGINE_VERSION],
    `What audits gather or judge by has changed since engine version ${ENGINE_VERSION}. Stored results \
are served as long as the version is the same, so raise ENGINE_VERSION in shared/audit/result/result.ts, and \
add "<new version>": "${current}" to server/audit/engine-fingerprints.json.`,
  ).toBe(current)
})
