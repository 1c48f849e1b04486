import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
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
