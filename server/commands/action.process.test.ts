import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { auditedStore } from './formats/testing/audited-store.ts'
import { actionFile, runAction } from './formats/testing/runner.ts'

const store = await auditedStore()
const folder = await store.folderOf()
const workspace = join(folder, 'workspace')
/** The command as a package, without what an audit does not need. */
const packed = join(folder, 'package')
beforeAll(async () => {
  await mkdir(workspace)
  await store.packIn(packed)
})

const run = (inputs: Record<string, string>) =>
  runAction(
    { package: packed, checks: 'feed,catalog', ...inputs },
    { workspace, env: { ...store.env, npm_config_cache: join(folder, 'npm') } },
  )

test('passes on the faultless store, and leaves reports', async () => {
  const { log, code, summary, outputs, used } = await run({
    domains: 'shop.example',
    'fail-on': 'low',
  })
  expect(log).toContain('shop.example')
  expect(code).toBe(0)
  expect(log).not.toMatch(/^::error/m)
  expect(outputs).toMatchObject({ gaps: '0', 'new-gaps': '' })
  expect(outputs.comment).toMatch(/^<!-- aisle-audit -->\n# ✅ `shop.example`: \d+ of 100/)
  expect(summary).toContain('# ✅ `shop.example`')
  expect(used.map(({ uses }) => uses)).toEqual([
    'actions/setup-node@v4',
    'actions/upload-artifact@v4',
  ])
  expect(used.at(-1)?.with).toMatchObject({ name: 'aisle', path: outputs.folder })
  for (const name of ['report.json', 'report.md', 'report.sarif', 'report.xml']) {
    expect(existsSync(join(outputs.folder ?? '', name)), name).toBe(true)
  }
})

test('fails on new gaps alone with a baseline, and annotates', async () => {
  const first = await run({ domains: 'feed-missing.example\n  shop.example', 'fail-on': 'medium' })
  expect(first.code).toBe(1)
  expect(first.log).toMatch(/^::warning title=feed-missing\.example%3A No product feed/m)
  expect(first.outputs).toMatchObject({ gaps: '1', 'new-gaps': '' })
  const result = JSON.parse(await readFile(first.outputs['result-file'] ?? '', 'utf8'))
  await writeFile(join(workspace, 'before.json'), JSON.stringify(result))
  const domains = 'feed-missing.example shop.example'
  const again = await run({ domains, 'fail-on': 'low', baseline: 'before.json' })
  expect(again.outputs).toMatchObject({ gaps: '1', 'new-gaps': '0' })
  expect(again.log).not.toMatch(/^::(error|warning)/m)
  expect(again.code).toBe(0)
  result.results[0].gaps = []
  await writeFile(join(workspace, 'clean.json'), JSON.stringify(result))
  const worse = await run({ domains, 'fail-on': 'medium', baseline: 'clean.json' })
  expect(worse.code).toBe(1)
  expect(worse.outputs['new-gaps']).toBe('1')
  // The artifact also exists for a failed run.
  expect(worse.used).toHaveLength(2)
})

test('has no number of gaps where no store could be audited', async () => {
  const { code, outputs } = await run({ domains: 'none.test' })
  expect(code).toBe(2)
  expect(outputs).toMatchObject({ score: '', gaps: '', 'new-gaps': '', failed: 'true' })
})

test('walks through one store first, and judges its checkout by that', async () => {
  const { log, outputs, code } = await run({
    domains: 'shop.example',
    checks: 'checkout',
    'open-sessions': 'true',
  })
  expect(code, log).toBe(0)
  const walk = JSON.parse(await readFile(join(outputs.folder ?? '', 'walk.json'), 'utf8'))
  expect(walk.domain).toBe('shop.example')
})

describe('what is wrong fails clearly', () => {
  test.each<[Record<string, string>, string]>([
    [{ domains: 'shop.example', 'fail-on': 'worst' }, '--fail-on takes critical'],
    [{ domains: 'shop.example', checks: 'catalogue' }, 'is not a check'],
    [{ domains: 'shop.example', config: 'none.json' }, 'does not exist'],
    [{ domains: 'shop.example', 'open-sessions': 'yes' }, 'takes true or false'],
    [{ domains: 'a.example b.example', 'open-sessions': 'true' }, 'needs one domain'],
    [{ domains: '--agents' }, 'and no flags'],
    [{ domains: '' }, 'Name a domain'],
  ])(
    '%j',
    async (inputs, sentence) => {
      const { log, code } = await run(inputs)
      expect(log).toMatch(/^::error /m)
      expect(log).toContain(sentence)
      expect(code).toBe(2)
    },
    60_000,
  )
})

test('no input is run by a shell, nor read as a flag', async () => {
  const evil = (n: number) =>
    `"; touch ${workspace}/owned-${n}; $(touch ${workspace}/owned-${n}) \`touch ${workspace}/owned-${n}\` '`
  for (const [n, name] of [
    'domains',
    'config',
    'checks',
    'fail-on',
    'fail-under',
    'baseline',
    'walk',
    'open-sessions',
    'package',
  ].entries()) {
    const { code } = await run({ domains: 'shop.example', [name]: evil(n) })
    expect(code).not.toBe(0)
    expect(existsSync(join(workspace, `owned-${n}`)), name).toBe(false)
  }
  const flags = await run({ domains: 'shop.example', baseline: '--agents' })
  expect(flags.log).toContain('The baseline --agents does not exist')
  // Scripts contain only our own text: inputs are in variables.
  for (const { run: script = '' } of actionFile.runs.steps) expect(script).not.toContain('${{')
})

// The name may belong to someone else on npm: the workflow names the package to run.
test('it runs no package that was not named', async () => {
  expect(actionFile.inputs.package).toMatchObject({ required: true })
  expect(actionFile.inputs.package?.default).toBeUndefined()
  const { code, log } = await run({ package: '', domains: 'shop.example' })
  expect(code).toBe(2)
  expect(log).toContain('The input package is missing.')
})
