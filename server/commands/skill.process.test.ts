import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { MCP_TOOLS } from '../mcp/tools/tools.ts'
import { program } from '../testing/program.ts'
import { warmProgram } from './testing/run-program.ts'

const text = readFileSync('deploy/skill/aisle/SKILL.md', 'utf8')
const aisle = warmProgram(await program('cli'))

// https://agentskills.io/specification
test('the skill has the head that agents read', () => {
  const [, head = ''] = /^---\n([\s\S]*?)\n---\n/.exec(text) ?? []
  const [, description = ''] = /^description: >-\n((?: {2}.+\n?)+)/m.exec(head) ?? []
  expect(head).toContain('name: aisle\n')
  expect(description.replace(/\s+/g, ' ').trim().length).toBeLessThan(1024)
})

test('what the skill tells an agent to call is there', async () => {
  const tools: readonly string[] = MCP_TOOLS.map(({ name }) => name)
  const named = [...text.matchAll(/`((?:propose|explain|validate)_\w+|audit|walk)`/g)]
  expect(named.map(([, name]) => name).filter((name) => !tools.includes(name ?? ''))).toEqual([])
  for (const [, command = '', rest = ''] of text.matchAll(
    /aisle (audit|walk|explain) ([^\n`]*)/g,
  )) {
    const { out } = await aisle([command, '--help'], { env: {} })
    for (const [option] of rest.matchAll(/--[\w-]+/g)) expect(out).toContain(option)
  }
})
