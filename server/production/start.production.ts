import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, describe, expect, inject, test } from 'vitest'
import { noteFigure } from './testing/figures.ts'
import { runInImage } from './testing/program.ts'
import { openWorld, type World } from './testing/world.ts'

const LIMIT_MIB = 512

describe.skipIf(inject('production') === null)('started on an empty database', async () => {
  const opened = inject('production') && (await openWorld('start'))
  const world = opened as World
  afterAll(() => world.close())

  test('two replicas at the same time migrate it once, and make one key', async () => {
    const { cluster, production, startMs, aisle, replicas } = world
    const journal = await readFile(
      join(production.image.workdir, 'dist/migrations/meta/_journal.json'),
      'utf8',
    )
    const applied = await cluster.sql`select hash from drizzle.aisle_migrations`
    expect(applied.length).toBe(JSON.parse(journal).entries.length)
    const keys: { name: string }[] = JSON.parse((await aisle('keys', 'list', '--json')).stdout)
    expect(keys.map(({ name }) => name)).toEqual(['operator'])
    expect(replicas.flatMap(({ lines }) => lines).filter(isError)).toEqual([])
    for (const [i, ms] of startMs.entries()) {
      await noteFigure(
        production.folder,
        `replica ${i + 1}, start on an empty database`,
        `${ms.toFixed(0)} ms`,
      )
    }
  })

  test('each is ready by the health check of the image, and runs in less memory than it may have', async () => {
    const { production, replicas } = world
    const { healthcheck } = production.image
    for (const [i, replica] of replicas.entries()) {
      const check = await runInImage(production, healthcheck ?? [], { PORT: String(replica.port) })
      expect(check).toMatchObject({ code: 0, stderr: '' })
      const { now, peak } = await replica.memory()
      expect(peak).toBeLessThan(LIMIT_MIB)
      await noteFigure(production.folder, `replica ${i + 1}, memory at rest`, `${now} MiB`)
    }
  })

  test('the health check fails where nothing listens', async () => {
    const { production } = world
    const check = await runInImage(production, production.image.healthcheck ?? [], { PORT: '1' })
    expect(check.code).toBe(1)
  })

  test('a plain user runs it, who can write none of its files', async () => {
    const { production, replicas } = world
    expect(production.image.user).not.toMatch(/^(root|0)?(:|$)/)
    const status = await readFile(`/proc/${replicas[0]?.pid()}/status`, 'utf8')
    expect(status).not.toMatch(/^[UG]id:.*\t0\b/m)
    const write = `
      const { writeFileSync, mkdirSync } = require('node:fs')
      for (const act of [() => writeFileSync('package.json', ''), () => writeFileSync('dist/main.js', ''), () => mkdirSync('data')]) {
        try { act(); console.log('written') } catch (error) { console.log(error.code) }
      }`
    const { stdout } = await runInImage(production, ['node', '-e', write], {})
    expect(stdout.trim().split('\n')).toEqual(['EACCES', 'EACCES', 'EACCES'])
  })
})

/** Lines of the log are JSON, and 50 is its level `error` (https://getpino.io/#/docs/api?id=loggerlevels-object). */
const isError = (line: string) => /^\{"level":[56]0/.test(line)
