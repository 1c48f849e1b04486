import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { AuditResult } from '../../shared/audit/result/result.ts'
import { auditedStore } from './formats/testing/audited-store.ts'
import { gitlabJob, runGitlabJob } from './formats/testing/gitlab-runner.ts'
import { faultsOfJunit, faultsOfSarif } from './formats/testing/schemas.ts'

const store = await auditedStore()
const folder = await store.folderOf()
const packed = join(folder, 'package')
let project: string
beforeAll(async () => {
  await store.packIn(packed)
  await mkdir(join(folder, 'projects'))
})
beforeEach(async () => {
  project = await mkdtemp(join(folder, 'projects', 'p-'))
})

const run = (set: Record<string, string>) =>
  runGitlabJob(
    { AISLE_PACKAGE: packed, ...set },
    { project, env: { ...store.env, npm_config_cache: join(folder, 'npm') } },
  )

/** The files that the template uploads, whether the job failed or not. */
async function expectArtifacts(): Promise<string> {
  const { paths, reports, when } = gitlabJob.artifacts
  expect(when).toBe('always')
  expect(paths).toContain(reports.junit)
  for (const path of paths) expect(existsSync(join(project, path)), path).toBe(true)
  const junit = await readFile(join(project, reports.junit), 'utf8')
  expect(await faultsOfJunit(junit)).toEqual([])
  expect(faultsOfSarif(await readFile(join(project, 'report.sarif'), 'utf8'))).toEqual([])
  return junit
}

const resultIn = async (name: string) =>
  JSON.parse(await readFile(join(project, name), 'utf8')) as unknown

test('the job passes on the faultless store, and leaves its reports', async () => {
  const { log, code } = await run({ AISLE_DOMAINS: 'shop.example' })
  expect(code, log).toBe(0)
  expect(log).toContain('100 of 100, grade A')
  expect(await expectArtifacts()).not.toContain('<failure')
  expect(AuditResult.parse(await resultIn('report.json'))).toMatchObject({ score: 100 })
})

test('it fails on gaps of that severity, and the merge request shows which', async () => {
  const twin = { AISLE_DOMAINS: 'feed-missing.example shop.example', AISLE_FAIL_ON: 'medium' }
  const { log, code } = await run(twin)
  expect(code).toBe(1)
  expect(log).toContain('Fails: 1 gap of severity medium or worse: feed_missing.')
  const junit = await expectArtifacts()
  // The gap, and what the run was asked for.
  expect(junit.match(/<failure/g)).toHaveLength(2)
  expect(junit).toMatch(/feed_missing/)

  await cp(join(project, 'report.json'), join(project, 'before.json'))
  const known = await run({ ...twin, AISLE_BASELINE: 'before.json' })
  expect(known.code, known.log).toBe(0)
  expect(known.log).toContain('0 new, 0 fixed, 1 still open')
  expect(await expectArtifacts()).not.toContain('<failure')

  const clean = (await resultIn('before.json')) as { results: { gaps: unknown[] }[] }
  for (const each of clean.results) each.gaps = []
  await writeFile(join(project, 'clean.json'), JSON.stringify(clean))
  const worse = await run({ ...twin, AISLE_BASELINE: 'clean.json' })
  expect(worse.code).toBe(1)
  expect(worse.log).toContain('Fails: 1 new gap of severity medium or worse: feed_missing.')
})

test('domains are those of aisle.json, and a wrong one fails with its lines', async () => {
  await writeFile(join(project, 'aisle.json'), '{\n  "domains": ["shop.example"]\n}\n')
  expect((await run({})).code).toBe(0)
  await writeFile(
    join(project, 'aisle.json'),
    '{ "domains": ["feed-missing.example"], "fail_on": "medium" }',
  )
  const failed = await run({})
  expect(failed.code, failed.log).toBe(1)
  expect(failed.log).toContain('Fails: 1 gap of severity medium or worse: feed_missing.')
  expect((await run({ AISLE_FAIL_ON: 'high' })).code).toBe(0)
  for (const name of gitlabJob.artifacts.paths) await rm(join(project, name))
  await writeFile(join(project, 'aisle.json'), '{\n  "domain": ["shop.example"]\n}\n')
  const { log, code } = await run({})
  expect(code).toBe(2)
  expect(log).toContain('aisle.json:2:3  "domain" is not known. Did you mean "domains"?')
  expect(await expectArtifacts()).toContain('<error type="invalid_config"')
})

test('no variable is run by the shell, nor names files', async () => {
  const evil = (n: number) => `"; touch ${project}/owned-${n}; $(touch ${project}/owned-${n}) '`
  for (const [n, name] of Object.keys(gitlabJob.variables).entries()) {
    const { code } = await run({ AISLE_DOMAINS: 'shop.example', [name]: evil(n) })
    expect(code).not.toBe(0)
    expect(existsSync(join(project, `owned-${n}`)), name).toBe(false)
  }
  await writeFile(join(project, 'shop.example'), '')
  const { log, code } = await run({ AISLE_DOMAINS: '*' })
  expect(code).toBe(2)
  expect(log).not.toContain('grade')
  const flag = await run({ AISLE_DOMAINS: '--help' })
  expect(flag.code).toBe(2)
})
