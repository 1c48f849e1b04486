import { execFile } from 'node:child_process'
import { getPriority } from 'node:os'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const run = promisify(execFile)

/** The nice value of each thread of a process that calls this first, by the thread's name. */
async function nices(call: string): Promise<{ name: string; nice: number }[]> {
  const script = `
    import { readdirSync, readFileSync } from 'node:fs'
    import { getPriority } from 'node:os'
    import { ${call} } from './server/audit/judging/priority.ts'
    ${call}()
    const threads = readdirSync('/proc/self/task').map((id) => ({
      name: readFileSync('/proc/self/task/' + id + '/comm', 'utf8').trim(),
      nice: getPriority(Number(id)),
    }))
    console.log(JSON.stringify(threads))`
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script])
  return JSON.parse(stdout)
}

test.runIf(process.platform === 'linux')('helpers give way, and no other thread', async () => {
  const threads = await nices('helpersGiveWay')
  const helpers = threads.filter(({ name }) => name === 'node-V8Worker')
  expect(helpers.length).toBeGreaterThan(0)
  for (const { name, nice } of threads)
    expect(nice).toBe(name === 'node-V8Worker' ? 10 : getPriority())
})

const canGiveWay = process.platform === 'linux' && getPriority() < 10
test.runIf(canGiveWay)('the calling thread alone gives way', async () => {
  const threads = await nices('giveWay')
  expect(threads.filter(({ nice }) => nice === 10)).toHaveLength(1)
})
