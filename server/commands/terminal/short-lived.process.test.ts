import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { shortLivedFlags } from './short-lived.ts'
import { steadyFlags } from './steady-memory.ts'

const run = promisify(execFile)

test.each([
  ['11.3.244.8-node.30', 1],
  ['12.4.254.21-node.29', 3],
  ['13.6.233.17-node.37', 2],
  ['14.6.202.34-node.34', 2],
  ['15.0.1-node.1', 1],
  ['', 1],
])('V8 %s gets the flags that it knows', (v8, count) => {
  expect(shortLivedFlags(v8)).toHaveLength(count)
})

test('the V8 of this Node complains of none', async () => {
  const script = `import { setFlagsFromString } from 'node:v8'
    for (const flag of process.argv.slice(1)) setFlagsFromString(flag)`
  const set = (flags: readonly string[]) =>
    run(process.execPath, ['--input-type=module', '-e', script, ...flags])
  const { v8 } = process.versions
  const flags = [...shortLivedFlags(v8), ...steadyFlags(v8), '--semi-space-growth-factor=1']
  expect((await set(['--', ...flags])).stderr).toBe('')
  expect((await set(['--', '--no-such-flag'])).stderr).toContain('no-such-flag')
})
