import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { scratchFolder } from '../../shared/testing/scratch.ts'
import { isNewer } from './is-newer.ts'

test('what is made is current until a file below its sources changes, comes or goes', () => {
  const root = mkdtempSync(join(scratchFolder(), 'aisle-newer-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  const at = (name: string) => join(root, name)
  mkdirSync(at('source/inner'), { recursive: true })
  writeFileSync(at('source/inner/a.ts'), 'a')
  for (const name of ['source', 'source/inner', 'source/inner/a.ts']) utimesSync(at(name), 1, 1)
  const isCurrent = () => isNewer(at('made'), [at('source')])
  expect(isCurrent()).toBe(false)
  writeFileSync(at('made'), '')
  utimesSync(at('made'), 2, 2)
  expect(isCurrent()).toBe(true)
  utimesSync(at('source/inner/a.ts'), 3, 3)
  expect(isCurrent()).toBe(false)
  rmSync(at('source/inner/a.ts'))
  expect(isCurrent()).toBe(false)
})
