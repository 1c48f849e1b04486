import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { program } from '../../testing/program.ts'
import { runProgram } from '../testing/run-program.ts'
import { oldNodeText } from './old-node.ts'

test.each([
  ['18.20.4', true],
  ['20.20.2', true],
  ['22.18.0', true],
  ['22.19.0', false],
  ['24.0.0', false],
  ['26.10.0', false],
])('Node %s is told that it is too old: %s', (version, isOld) => {
  expect(oldNodeText(version) !== null).toBe(isOld)
  if (isOld) expect(oldNodeText(version)).toContain(`this is ${version}.`)
})

test('it names the Node that the package names', async () => {
  const { engines } = JSON.parse(await readFile('package.json', 'utf8'))
  expect(oldNodeText('1.0.0')).toContain(`Node ${engines.node.replace('>=', '')} or later`)
})

test('the commands say so, and exit with 2: nothing was done', async () => {
  const old = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.1.0' } })`
  const NODE_OPTIONS = `--import "data:text/javascript,${encodeURIComponent(old)}"`
  const { code, err } = await runProgram(await program('cli'), ['explain'], {
    env: { ...process.env, NODE_OPTIONS },
  })
  expect(err).toContain('this is 20.1.0.')
  expect(code).toBe(2)
})
