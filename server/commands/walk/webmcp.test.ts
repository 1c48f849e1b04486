import { expect, test } from 'vitest'
import type { CheckedTools } from '../../../shared/walk/webmcp/check-tools.ts'
import type { Browsers } from '../../audit/browser/browser.ts'
import { readTerminal } from '../testing/read-terminal.ts'
import { toolsCommand } from './webmcp.ts'

const PAGE = 'https://shop.example/products/boot'
const TOOL = { name: 'get_product', title: '', schema: '{}', isReadOnly: true }
const CHECKED: CheckedTools = {
  tools: [{ ...TOOL, description: 'Reads a product\u001b[2J' }],
  calls: [{ tool: 'get_product', input: '{}', answer: '{"price":99}' }],
  left: [],
  findings: [],
}

async function ran(seen: unknown, { url = PAGE, json = false } = {}) {
  const { terminal, read } = readTerminal()
  const browsers = { run: async () => seen } as unknown as Browsers
  const deps = { browsers, signal: new AbortController().signal }
  const code = await toolsCommand(url, { json }, deps, terminal)
  return { code, said: read() }
}

test('tools that tell the truth, or none, are 0; findings are 1', async () => {
  const { code, said } = await ran({ done: CHECKED })
  expect(code).toBe(0)
  expect(said).toContain('called with {}: {"price":99}')
  expect(said).not.toContain('\u001b')
  expect(await ran({ done: null })).toMatchObject({
    code: 0,
    said: expect.stringMatching(/no tools/),
  })
  const findings = [{ id: 'price_differs', tool: 'get_product', detail: 'It says 99.' }]
  const wrong = await ran({ done: { ...CHECKED, findings } })
  expect(wrong.code).toBe(1)
  expect(wrong.said).toContain('The tool states another price than the page: It says 99.')
  expect(JSON.parse((await ran({ done: CHECKED }, { json: true })).said)).toEqual(CHECKED)
})

test('without a browser, or without a page, it says what is missing', async () => {
  const none = { unseen: 'no_browser', why: 'No browser was found.' }
  await expect(ran(none)).rejects.toThrow('No browser was found.')
  await expect(ran(none, { url: 'shop.example' })).rejects.toThrow('--tools begins on')
})
