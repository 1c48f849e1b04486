import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { noteFigure } from './testing/figures.ts'
import { runInImage } from './testing/program.ts'
import { isSkipped, openWorld, production } from './testing/world.ts'

/** What Compose gives a container. */
const LIMIT_MIB = 512

describe.skipIf(isSkipped())('the image', () => {
  test('two replicas that start at the same time migrate an empty database once', async () => {
    const { cluster, startMs, aisle, replicas } = await openWorld(onTestFinished)
    const { image } = production()

    const journal = await readFile(
      join(image.workdir, 'dist/migrations/meta/_journal.json'),
      'utf8',
    )
    const applied = await cluster.sql`select hash from drizzle.aisle_migrations`
    expect(applied.length).toBe(JSON.parse(journal).entries.length)
    const keys: { name: string }[] = JSON.parse((await aisle('keys', 'list', '--json')).stdout)
    expect(keys.map(({ name }) => name)).toEqual(['operator'])
    expect(replicas.flatMap(({ lines }) => lines).filter(isError)).toEqual([])

    for (const replica of replicas) {
      const check = await runInImage(production(), image.healthcheck ?? [], {
        PORT: String(replica.port),
      })
      expect(check).toMatchObject({ code: 0, stderr: '' })
    }
    const memory = await Promise.all(replicas.map((each) => each.memory()))
    expect(Math.max(...memory.map(({ peak }) => peak))).toBeLessThan(LIMIT_MIB)
    const all = (values: number[], unit: string) =>
      values.map((value) => `${value.toFixed(0)} ${unit}`).join(', ')
    await noteFigure(production(), 'start of both on an empty database', all(startMs, 'ms'))
    const rest = memory.map(({ now }) => now)
    await noteFigure(production(), 'memory of each at rest', all(rest, 'MiB'))
  })

  test('the health check fails where nothing listens', async () => {
    const { healthcheck } = production().image
    expect(await runInImage(production(), healthcheck ?? [], { PORT: '1' })).toMatchObject({
      code: 1,
    })
  })

  test('its program may write none of its files', async () => {
    expect(production().image.user).not.toMatch(/^(root|0)(:|$)/)
    const { stdout } = await runInImage(production(), ['node', '-e', WRITE], {})
    expect(stdout.trim().split('\n')).toEqual(['EACCES', 'EACCES', 'EACCES', 'temporary file'])
  })
})

/**
 * Lines of the log are JSON; 50 and 60 are its levels `error` and `fatal`
 * (https://getpino.io/#/docs/api).
 */
const isError = (line: string) => /^\{"level":[56]0/.test(line)

const WRITE = `
  const { writeFileSync, mkdirSync } = require('node:fs')
  const attempts = [
    () => writeFileSync('package.json', ''),
    () => writeFileSync('dist/main.js', ''),
    () => mkdirSync('data'),
    () => writeFileSync(require('node:os').tmpdir() + '/file', '') ?? 'temporary file',
  ]
  for (const attempt of attempts) {
    try {
      console.log(attempt() ?? 'written')
    } catch (error) {
      console.log(error.code)
    }
  }`
