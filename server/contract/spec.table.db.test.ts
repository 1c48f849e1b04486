import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { fewRows } from '../../shared/testing/few-rows.ts'
import { play } from './testing/play.ts'
import { readContract } from './testing/read-contract.ts'
import { startWorld } from './testing/world.ts'

// The specification, sentence by sentence, against the running service and the running store.

const FILE = 'server/contract/spec.md'
const rows = readContract(readFileSync(fileURLToPath(new URL('spec.md', import.meta.url)), 'utf8'))

const world = await startWorld()
afterAll(world.stop)

const few = fewRows(
  rows,
  ({ section }) => section,
  () => [],
)

for (const row of few) {
  test(`${row.section}: ${row.sentence} (line ${row.line})`, () => play(world, FILE, row))
}

test('every sentence stands once in its section', () => {
  const names = rows.map(({ section, sentence }) => `${section}: ${sentence}`)
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
})
