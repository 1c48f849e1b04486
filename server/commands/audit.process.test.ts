import { Hono } from 'hono'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { largeCatalogs } from '../audit/testing/large-catalog.ts'
import { onLoopback } from '../testing/on-loopback.ts'
import { program } from '../testing/program.ts'
import { runProgram } from './testing/run-program.ts'

const CLI = await program('cli')
const { app } = largeCatalogs({
  'shop.example': { dialect: 'spec', products: 400, faultAt: 399 },
})
const server = await onLoopback(app)
afterAll(server.close)
const TEST_HOSTS = `shop.example=${server.origin}`

function audit(...args: string[]) {
  return runProgram(CLI, ['audit', 'shop.example', ...args], {
    env: { ...process.env, TEST_HOSTS, NODE_ENV: '', BASE_URL: '', PORT: '' },
  })
}

test('all of a catalog is read by its owner, and judged', async () => {
  const { out, err, code } = await audit('--deep', '--deadline', '2', '--checks', 'catalog,')
  expect(code).toBe(0)
  expect(out).toContain('400 of 400 products were read.')
  expect(out).toContain('Prices are not integers')
  expect(err).toContain('are judged on a sample')
})

test('a shop on this machine is audited by its address, and a port that is closed is told', async () => {
  const shop = await onLoopback(new Hono().get('/', (c) => c.html('<h1>Tents and mugs</h1>')))
  onTestFinished(shop.close)
  const { port } = shop
  const env = { ...process.env, TEST_HOSTS: '', NODE_ENV: 'production', BASE_URL: '', PORT: '' }
  const ask = (address: string) => runProgram(CLI, ['audit', address, '--json'], { env })
  const { out, err, code } = await ask(`http://localhost:${port}/products`)
  expect(JSON.parse(out)).toMatchObject({ domain: `localhost-${port}.test` })
  expect(err).toContain(`localhost-${port}.test stands for http://localhost:${port}.`)
  expect(code).toBe(0)
  const closed = await ask('localhost:1')
  expect(closed.out).toContain('Nothing answers at http://localhost:1.')
  expect(closed.code).toBe(2)
})

test.each([
  [['--deadline', '5'], '--deadline is for --deep. Give both, or neither.'],
  [['--deep', '--deadline', '0'], 'whole minutes from 1 to 1440, not "0"'],
  [['--deep', '--deadline', 'soon'], 'not "soon"'],
  [['--checks', ','], '--checks names no check. The checks are well_known, '],
])('%j is refused with what to do', async (args, sentence) => {
  const { err, code } = await audit(...args)
  expect(err).toContain(sentence)
  expect(code).toBe(2)
})
